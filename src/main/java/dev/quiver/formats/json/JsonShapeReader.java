package dev.quiver.formats.json;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.KindParser;
import dev.quiver.formats.value.TextKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;

/// Reads the shape of the records of a block, and checks all that it reads: the text is JSON of
/// whole characters, every record is an object, and no object has a key twice. Used by one thread.
final class JsonShapeReader implements JsonBlocks.BlockReader<JsonShapeReader.Shape> {

  /// The name of the elements of lists.
  static final String ITEM = "item";

  static final String PROPERTIES = "properties";
  static final String GEOMETRY = "geometry";
  private static final byte[] FEATURE = "Feature".getBytes(StandardCharsets.US_ASCII);

  private final JsonOptions options;
  private final Limits limits;
  private final Supplier<JsonShape> roots;
  private final KindParser kinds = new KindParser();

  private long row;
  private long objects;
  private long shapes;

  /// The shape of some records.
  record Shape(JsonShape root, long rowCount) {}

  /// @param roots returns a shape of records without any
  JsonShapeReader(JsonOptions options, Limits limits, Supplier<JsonShape> roots) {
    this.options = options;
    this.limits = limits;
    this.roots = roots;
  }

  @Override
  public Shape read(JsonBlock block) {
    int invalid = block.firstInvalid();
    Shape shape = invalid < 0 && block.failure == null ? shapeOrNull(block) : null;
    return shape == null ? parsed(block, invalid) : shape;
  }

  /// Reads a block by the tokens that are checked here, which takes less time than a parser does.
  /// Returns null if anything may be wrong.
  private @Nullable Shape shapeOrNull(JsonBlock block) {
    try {
      return shape(new JsonCheckedTokens(block, limits));
    } catch (JsonCheckedTokens.UncertainException
        | JsonErrors.InvalidTextException
        | TooLargeInputException e) {
      return null;
    }
  }

  /// Reads a block by a parser, which reports what is wrong.
  ///
  /// @param invalid the offset of the first byte that is not UTF-8, or -1
  private Shape parsed(JsonBlock block, int invalid) {
    Shape shape;
    try (JsonParserTokens tokens = new JsonParserTokens(block, limits)) {
      try {
        shape = shape(tokens);
      } catch (JacksonException e) {
        throw invalid < 0 ? JsonErrors.of(tokens, e) : encoding(block, invalid);
      } catch (JsonErrors.InvalidTextException e) {
        throw invalid < 0 ? JsonErrors.of(block, e) : encoding(block, invalid);
      }
    }
    if (invalid >= 0) {
      throw encoding(block, invalid);
    }
    if (block.failure != null) {
      throw block.failure;
    }
    return shape;
  }

  private static JsonErrors.Fault encoding(JsonBlock block, int offset) {
    return JsonErrors.fault(block, offset, "Expected UTF-8 but found other bytes");
  }

  private Shape shape(JsonTokenReader tokens) {
    JsonShape root = roots.get();
    row = 0;
    shapes = 0;
    JsonToken token = tokens.next();
    if (tokens.block().isArray) {
      token = tokens.next();
    }
    while (token != null && token != JsonToken.END_ARRAY) {
      if (token != JsonToken.START_OBJECT) {
        throw notAnObject(tokens, token);
      }
      row++;
      object(tokens, root, 1);
      token = tokens.next();
    }
    return new Shape(root, row);
  }

  private static JsonErrors.InvalidTextException notAnObject(
      JsonTokenReader tokens, JsonToken token) {
    int offset = tokens.offset() - 1;
    String found = "an array";
    if (token != JsonToken.START_ARRAY) {
      tokens.readScalar(token);
      offset = tokens.scalarOffset();
      found =
          ForeignDataException.excerpt(
              new String(
                  tokens.text, tokens.start, tokens.end - tokens.start, StandardCharsets.UTF_8));
      found = token == JsonToken.VALUE_STRING ? "\"" + found + "\"" : found;
    }
    return new JsonErrors.InvalidTextException(offset, "an object", found);
  }

  /// @param depth of the values of the object, 1 for those of a record
  private void object(JsonTokenReader tokens, JsonShape shape, int depth) {
    tokens.requireDepth(depth);
    long object = ++objects;
    shape.begin();
    Set<String> keys = shape.isMap() ? new HashSet<>() : Set.of();
    while (true) {
      JsonShape field = shape.isMap() ? null : shape.readExpected(tokens);
      if (field == null && tokens.required() != JsonToken.PROPERTY_NAME) {
        return;
      }
      boolean isRepeated;
      if (shape.isMap()) {
        String key = tokens.name();
        JsonParserTokens.utf8(key, tokens.nameOffset());
        field = items(shape, depth);
        isRepeated = !keys.add(key);
      } else {
        field = field == null ? field(tokens, shape, tokens.name(), depth) : field;
        isRepeated = field.lastObject == object;
      }
      if (isRepeated) {
        throw new JsonErrors.InvalidTextException(
            tokens.nameOffset(),
            "each key once in an object",
            "\"%s\" again".formatted(ForeignDataException.excerpt(tokens.name())));
      }
      field.lastObject = object;
      JsonToken value = tokens.required();
      value(tokens, field, value, depth);
      if (shape.isFeature && field.name.equals("type") && !isFeature(tokens, value)) {
        shape.hasOtherTypes = true;
      }
    }
  }

  /// Returns whether the value that was read last is the type of features.
  private static boolean isFeature(JsonTokenReader tokens, JsonToken value) {
    return value == JsonToken.VALUE_STRING
        && Arrays.equals(tokens.text, tokens.start, tokens.end, FEATURE, 0, FEATURE.length);
  }

  private JsonShape field(JsonTokenReader tokens, JsonShape shape, String key, int depth) {
    JsonShape known = shape.field(key);
    if (known != null) {
      return known;
    }
    JsonParserTokens.utf8(key, tokens.nameOffset());
    JsonShape field = newField(shape, key, depth);
    count();
    shape.add(field);
    return field;
  }

  private JsonShape newField(JsonShape shape, String key, int depth) {
    if (shape.isFeature && key.equals(PROPERTIES)) {
      return JsonShape.properties(shape.stored);
    }
    // A property that is called like a member of features has a longer name in the dataset.
    Field longer =
        shape.name.equals(PROPERTIES) && shape.isTransparent
            ? shape.storedChild(PROPERTIES + "." + key)
            : null;
    Field stored = longer == null ? shape.storedChild(key) : longer;
    boolean isOpaque =
        depth >= options.depth()
            || shape.isFeature && key.equals(GEOMETRY)
            || depth == 1 && options.types().containsKey(key)
            || stored != null && JsonTypes.isJson(stored);
    return new JsonShape(key, stored, isOpaque);
  }

  private JsonShape items(JsonShape shape, int depth) {
    JsonShape items = shape.items;
    if (items == null) {
      items = new JsonShape(ITEM, shape.storedItem(), depth >= options.depth());
      count();
      shape.items = items;
    }
    return items;
  }

  private void count() {
    requireCount(limits, ++shapes);
  }

  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the keys are too many
  static void requireCount(Limits limits, long shapes) {
    limits.fields().check(shapes, "keys of the objects of a file", InputLocation.UNKNOWN);
  }

  private void value(JsonTokenReader tokens, JsonShape shape, JsonToken token, int depth) {
    switch (token) {
      case VALUE_NULL -> {}
      case START_OBJECT -> {
        shape.objectRow = shape.objectRow == 0 ? row : shape.objectRow;
        if (shape.isOpaque) {
          tokens.skip(token, depth);
        } else {
          object(tokens, shape, shape.isTransparent ? depth : depth + 1);
        }
      }
      case START_ARRAY -> {
        shape.arrayRow = shape.arrayRow == 0 ? row : shape.arrayRow;
        if (shape.isOpaque) {
          tokens.skip(token, depth);
        } else {
          array(tokens, shape, depth + 1);
        }
      }
      default -> scalar(tokens, shape, token);
    }
  }

  private void array(JsonTokenReader tokens, JsonShape shape, int depth) {
    tokens.requireDepth(depth);
    JsonToken token = tokens.required();
    if (token == JsonToken.END_ARRAY) {
      return;
    }
    JsonShape items = items(shape, depth);
    while (token != JsonToken.END_ARRAY) {
      value(tokens, items, token, depth);
      token = tokens.required();
    }
  }

  private void scalar(JsonTokenReader tokens, JsonShape shape, JsonToken token) {
    tokens.readScalar(token);
    TextKind kind =
        switch (token) {
          case VALUE_STRING -> kinds.string(tokens.text, tokens.start, tokens.end);
          case VALUE_TRUE, VALUE_FALSE -> TextKind.BOOLEAN;
          default -> kinds.jsonNumber(tokens.text, tokens.start, tokens.end);
        };
    if (shape.kinds().add(kind)) {
      String value =
          ForeignDataException.excerpt(
              new String(
                  tokens.text, tokens.start, tokens.end - tokens.start, StandardCharsets.UTF_8));
      shape.kinds().setFirst(kind, row, value);
      if (shape.scalarRow == 0) {
        shape.scalarRow = row;
        shape.firstScalar = value;
      }
    }
  }
}
