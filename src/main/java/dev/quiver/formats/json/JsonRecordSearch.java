package dev.quiver.formats.json;

import static java.util.Objects.requireNonNull;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.Advice;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/// The search for the records of a file: an array, or objects one after the other. If the file is
/// one object, the records may be in one of its members.
final class JsonRecordSearch {

  /// The keys of arrays that are records beside nothing but scalars.
  private static final Set<String> ENVELOPE_KEYS =
      Set.of("data", "results", "records", "rows", "value");

  private static final String FEATURES = "features";
  private static final int BUFFER_BYTE_SIZE = 64 << 10;

  /// The characters that the keys of the only object have at most, if it is more than a row.
  private static final int KEYS_LENGTH_MAXIMUM = 1 << 20;

  /// The members that responses name.
  private static final int OMITTED_MAXIMUM = 100;

  /// Fractions that responses repeat as they are. Others are texts there.
  private static final String PLAIN_FRACTION = "-?[0-9]{1,7}[.][0-9]{1,7}";

  private final JsonContent content;
  private final JsonOptions options;
  private final Limits limits;

  /// The names of the dataset's columns, or nothing.
  private final Set<String> columns;

  /// The members of the only object, in order.
  private final Map<String, Member> members = new LinkedHashMap<>();

  private JsonRecordSearch(
      JsonContent content, JsonOptions options, Limits limits, Set<String> columns) {
    this.content = content;
    this.options = options;
    this.limits = limits;
    this.columns = columns;
  }

  /// A member of the only object.
  ///
  /// @param byteOffset of its value
  /// @param isRecords whether it is an array of objects alone
  /// @param hasRecords whether it has any
  /// @param scalar its text, truncated if long, or null for an object or an array
  /// @param value for responses: a number, a boolean, null, or a text that is truncated if long
  private record Member(
      long byteOffset,
      JsonToken token,
      boolean isRecords,
      boolean hasRecords,
      @Nullable String scalar,
      @Nullable Object value) {}

  /// Finds the records.
  ///
  /// @param columns the names of the columns of the dataset to which the rows are appended
  /// @throws ForeignDataException if the file has no records
  /// @throws InvalidOptionException if the options do not fit the file
  static JsonRecords find(
      JsonContent content, JsonOptions options, Limits limits, Set<String> columns)
      throws IOException {
    return new JsonRecordSearch(content, options, limits, columns).find();
  }

  private JsonRecords find() throws IOException {
    long first = 0;
    int found;
    try (InputStream text = new BufferedInputStream(content.open(), BUFFER_BYTE_SIZE)) {
      found = text.read();
      while (found >= 0 && JsonScanner.isBlank((byte) found)) {
        first++;
        found = text.read();
      }
    }
    if (found == '['
        && (options.records() == null || options.records().equals(JsonOptions.WHOLE))) {
      return JsonRecords.of(JsonRecords.Layout.ARRAY, first);
    }
    if (found == '{' && options.layout() != JsonOptions.Layout.ARRAY) {
      boolean isLines = options.layout() == JsonOptions.Layout.LINES;
      if (isLines && options.records() == null || !isOneObject()) {
        requireNoRecords();
        return JsonRecords.of(JsonRecords.Layout.OBJECTS, first);
      }
      return inObject(first);
    }
    requireNoRecords();
    throw JsonErrors.at(
        content,
        first,
        found < 0
            ? "Expected objects but found no data"
            : "Expected %s but found \"%s\""
                .formatted(
                    options.layout() == JsonOptions.Layout.ARRAY
                        ? "an array of objects"
                        : "an array of objects, or objects,",
                    Character.toString(found)));
  }

  private void requireNoRecords() {
    if (options.records() != null && !options.records().equals(JsonOptions.WHOLE)) {
      throw InvalidOptionException.value(
          JsonOptions.PREFIX + "records",
          "no key for a file that is not one object,",
          options.records());
    }
  }

  /// Reads the first object with its members, and returns whether no other value follows.
  private boolean isOneObject() throws IOException {
    try (InputStream text = content.open();
        JsonParser parser =
            JsonParserTokens.STREAMS.createParser(ObjectReadContext.empty(), text)) {
      try {
        parser.nextToken();
        long length = 0;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          length += parser.currentName().length();
          if (length > KEYS_LENGTH_MAXIMUM) {
            return false;
          }
          member(parser);
        }
        return parser.nextToken() == null;
      } catch (JacksonException e) {
        // The reader of the records finds it again, and tells its place.
        return false;
      }
    }
  }

  private void member(JsonParser parser) throws IOException {
    String key = parser.currentName();
    if (members.containsKey(key)) {
      throw JsonErrors.at(
          content,
          parser.currentTokenLocation().getByteOffset(),
          "Expected each key once in an object but found \"%s\" again"
              .formatted(ForeignDataException.excerpt(key)));
    }
    JsonToken token = parser.nextToken();
    long byteOffset = parser.currentTokenLocation().getByteOffset();
    limits
        .fields()
        .check(members.size() + 1L, "keys of the objects of a file", InputLocation.UNKNOWN);
    if (token.isStructStart()) {
      long records = skip(parser, token == JsonToken.START_ARRAY);
      members.put(key, new Member(byteOffset, token, records >= 0, records > 0, null, null));
      return;
    }
    String text = parser.getString();
    try {
      var _ = JsonParserTokens.utf8(text, /* offset= */ 0);
    } catch (JsonErrors.InvalidTextException e) {
      throw JsonErrors.at(
          content, byteOffset, "Expected both halves of a surrogate pair but found one");
    }
    String scalar = ForeignDataException.excerpt(text);
    Object value =
        switch (token) {
          case VALUE_TRUE -> true;
          case VALUE_FALSE -> false;
          case VALUE_NULL -> null;
          case VALUE_NUMBER_INT -> scalar.length() <= 18 ? (Object) Long.valueOf(scalar) : scalar;
          case VALUE_NUMBER_FLOAT ->
              scalar.matches(PLAIN_FRACTION) ? (Object) Double.valueOf(scalar) : scalar;
          default -> scalar;
        };
    members.put(key, new Member(byteOffset, token, false, false, scalar, value));
  }

  /// Skips an object or an array.
  ///
  /// @return the number of objects if it is an array of these alone, or else -1
  private long skip(JsonParser parser, boolean isArray) {
    int depth = 1;
    long elements = 0;
    boolean onlyObjects = isArray;
    while (depth > 0) {
      JsonToken token = parser.nextToken();
      if (depth == 1 && isArray && token != JsonToken.END_ARRAY) {
        elements++;
        onlyObjects &= token == JsonToken.START_OBJECT;
      }
      if (token.isStructStart()) {
        depth++;
        // The records of an array are two levels within.
        limits
            .depth()
            .check(isArray ? depth - 2 : depth, "levels of values", InputLocation.UNKNOWN);
      } else if (token.isStructEnd()) {
        depth--;
      }
    }
    return onlyObjects ? elements : -1;
  }

  /// Returns the records of a file that is one object.
  private JsonRecords inObject(long first) {
    String stated = options.records();
    if (stated != null && !stated.equals(JsonOptions.WHOLE)) {
      Member member = members.get(stated);
      if (member == null || !member.isRecords()) {
        throw InvalidOptionException.value(
            JsonOptions.PREFIX + "records",
            "the key of an array of objects%s".formatted(suggestion()),
            stated);
      }
      return inMember(stated, member, /* isStated= */ true);
    }
    String key = stated == null ? key() : null;
    if (key != null) {
      return inMember(key, requireNonNull(members.get(key)), /* isStated= */ false);
    }
    List<Advice> advice = new ArrayList<>();
    if (stated == null) {
      members.forEach((name, member) -> {
        if (member.hasRecords()) {
          advice.add(
              advice(
                  "The file is one row; the parameter json.records=%s makes a row of each object of its array \"%s\""
                      .formatted(
                          URLEncoder.encode(
                              ForeignDataException.excerpt(name), StandardCharsets.UTF_8),
                          ForeignDataException.excerpt(name)),
                  name));
        }
      });
    }
    return new JsonRecords(
        JsonRecords.Layout.OBJECT, first, /* isGeoJson= */ false, Map.of(), advice);
  }

  private String suggestion() {
    return members.entrySet().stream()
        .filter(member -> member.getValue().hasRecords())
        .findFirst()
        .map(member -> ", such as \"%s\",".formatted(ForeignDataException.excerpt(member.getKey())))
        .orElse("");
  }

  /// Returns the key of the records, or null if the object is one row.
  private @Nullable String key() {
    if (!columns.isEmpty() && columns.containsAll(members.keySet())) {
      return null;
    }
    Member features = members.get(FEATURES);
    if (features != null && features.isRecords() && isFeatureCollection()) {
      return FEATURES;
    }
    Set<String> nested = new HashSet<>();
    members.forEach((name, member) -> {
      if (member.scalar() == null) {
        nested.add(name);
      }
    });
    String only = nested.size() == 1 ? nested.iterator().next() : null;
    Member member = only == null ? null : members.get(only);
    return member != null && member.isRecords() && ENVELOPE_KEYS.contains(only) ? only : null;
  }

  private boolean isFeatureCollection() {
    Member type = members.get("type");
    return type != null && "FeatureCollection".equals(type.scalar());
  }

  private JsonRecords inMember(String key, Member member, boolean isStated) {
    boolean isGeoJson = key.equals(FEATURES) && isFeatureCollection();
    Map<String, @Nullable Object> omitted = new LinkedHashMap<>();
    List<Advice> advice = new ArrayList<>();
    members.forEach((name, other) -> {
      boolean isType = isGeoJson && name.equals("type");
      if (!name.equals(key) && !isType && omitted.size() < OMITTED_MAXIMUM) {
        omitted.put(name, found(other));
        if (!isStated) {
          advice.add(
              advice(
                  "Member \"%s\" (%s) is left out: the rows are the objects of \"%s\"; the parameter json.records=. keeps all as one row"
                      .formatted(
                          ForeignDataException.excerpt(name),
                          description(other),
                          ForeignDataException.excerpt(key)),
                  JsonOptions.WHOLE));
        }
      }
    });
    Map<String, Object> found = new LinkedHashMap<>();
    found.put(JsonRecords.KEY, key);
    if (!omitted.isEmpty()) {
      found.put("omitted", omitted);
    }
    return new JsonRecords(
        JsonRecords.Layout.MEMBER, member.byteOffset(), isGeoJson, found, advice);
  }

  private static Advice advice(String sentence, String records) {
    return new Advice(sentence, JsonOptions.PREFIX + "records", records, /* column= */ null);
  }

  private static String description(Member member) {
    return member.scalar() == null
        ? member.token() == JsonToken.START_OBJECT ? "an object" : "an array"
        : member.scalar();
  }

  private static @Nullable Object found(Member member) {
    return member.scalar() == null
        ? member.token() == JsonToken.START_OBJECT ? "an object" : "an array"
        : member.value();
  }
}
