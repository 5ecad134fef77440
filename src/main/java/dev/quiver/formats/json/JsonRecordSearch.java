package dev.quiver.formats.json;

import static java.util.Objects.requireNonNull;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import java.io.IOException;
import java.io.InputStream;
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
  /// @param hasRecords whether it is an array of objects, and not empty
  /// @param scalar its text, truncated if long, or null for an object or an array
  /// @param value for responses: a number, a boolean, null, or a text that is truncated if long
  private record Member(
      long byteOffset,
      JsonToken token,
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
    try (InputStream text = content.open()) {
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
        requireNoRecords("an object");
        return JsonRecords.of(JsonRecords.Layout.OBJECTS, first);
      }
      return inObject(first);
    }
    requireNoRecords("an object");
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

  private void requireNoRecords(String expected) {
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
        JsonParser parser = JsonTokens.FACTORY.createParser(ObjectReadContext.empty(), text)) {
      try {
        parser.nextToken();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          member(parser);
        }
        return parser.nextToken() == null;
      } catch (JacksonException e) {
        // The reader of the records finds it again, and tells its place.
        return false;
      }
    }
  }

  private void member(JsonParser parser) {
    String key = parser.currentName();
    JsonToken token = parser.nextToken();
    long byteOffset = parser.currentTokenLocation().getByteOffset();
    limits
        .fields()
        .check(members.size() + 1L, "keys of the objects of a file", InputLocation.UNKNOWN);
    boolean hasRecords = false;
    if (token.isStructStart()) {
      hasRecords = skip(parser, token == JsonToken.START_ARRAY);
      members.put(key, new Member(byteOffset, token, hasRecords, null, null));
      return;
    }
    String scalar = ForeignDataException.excerpt(parser.getString());
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
    members.put(key, new Member(byteOffset, token, false, scalar, value));
  }

  /// Skips an object or an array.
  ///
  /// @return whether it is an array of objects alone, and not empty
  private boolean skip(JsonParser parser, boolean isArray) {
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
        limits.depth().check(++depth, "levels of values", InputLocation.UNKNOWN);
      } else if (token.isStructEnd()) {
        depth--;
      }
    }
    return onlyObjects && elements > 0;
  }

  /// Returns the records of a file that is one object.
  private JsonRecords inObject(long first) {
    String stated = options.records();
    if (stated != null && !stated.equals(JsonOptions.WHOLE)) {
      Member member = members.get(stated);
      if (member == null || !member.hasRecords()) {
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
    List<String> warnings = new ArrayList<>();
    if (stated == null) {
      members.forEach((name, member) -> {
        if (member.hasRecords()) {
          warnings.add(
              "The file is one row; the parameter json.records=%s makes a row of each object of its array \"%s\""
                  .formatted(name, ForeignDataException.excerpt(name)));
        }
      });
    }
    return new JsonRecords(
        JsonRecords.Layout.OBJECT, first, /* isGeoJson= */ false, Map.of(), warnings);
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
    if (features != null && features.hasRecords() && isFeatureCollection()) {
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
    return member != null && member.hasRecords() && ENVELOPE_KEYS.contains(only) ? only : null;
  }

  private boolean isFeatureCollection() {
    Member type = members.get("type");
    return type != null && "FeatureCollection".equals(type.scalar());
  }

  private JsonRecords inMember(String key, Member member, boolean isStated) {
    Map<String, Object> omitted = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>();
    members.forEach((name, other) -> {
      boolean isType = key.equals(FEATURES) && name.equals("type");
      if (!name.equals(key) && !isType) {
        omitted.put(name, other);
        if (!isStated) {
          warnings.add(
              "Member \"%s\" (%s) is left out: the rows are the objects of \"%s\"; the parameter json.records=. keeps all as one row"
                  .formatted(
                      ForeignDataException.excerpt(name),
                      description(other),
                      ForeignDataException.excerpt(key)));
        }
      }
    });
    omitted.replaceAll((_, other) -> found((Member) other));
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("records", key);
    if (!omitted.isEmpty()) {
      found.put("omitted", omitted);
    }
    return new JsonRecords(
        JsonRecords.Layout.MEMBER,
        member.byteOffset(),
        key.equals(FEATURES) && isFeatureCollection(),
        found,
        warnings);
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
