package dev.quiver.formats.json;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.json.JsonErrors.InvalidValueException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JsonToken;

/// An array of maps from text, which are objects in JSON.
final class JsonMapBuilder extends JsonBuilder {

  private final JsonBuilders builders;

  /// The slots that an entry takes.
  private final int slotCount;

  private final Field entries;
  private final JsonKeyBuilder keys;
  private final JsonBuilder values;
  private final JsonOffsets offsets = new JsonOffsets();

  JsonMapBuilder(Field field, JsonBuilders builders) {
    super(field);
    this.builders = builders;
    this.entries = field.children().getFirst();
    this.keys = new JsonKeyBuilder(entries.children().getFirst());
    this.values = builders.of(entries.children().getLast());
    this.slotCount = 2 + slotCount(values.field);
  }

  /// The keys of the maps.
  private static final class JsonKeyBuilder extends JsonBytesBuilder {

    JsonKeyBuilder(Field field) {
      super(field);
    }

    @Override
    void addValue(JsonTokens tokens, JsonToken token) {
      byte[] key = tokens.name().getBytes(StandardCharsets.UTF_8);
      append(key, 0, key.length);
      end();
    }
  }

  @Override
  void reset() {
    super.reset();
    keys.reset();
    values.reset();
  }

  @Override
  void addValue(JsonTokens tokens, JsonToken token) {
    if (token != JsonToken.START_OBJECT) {
      readScalar(tokens, token);
      throw invalid(tokens);
    }
    JsonToken next = tokens.required();
    while (next == JsonToken.PROPERTY_NAME) {
      String key = tokens.name();
      builders.addItem(tokens, slotCount);
      keys.add(tokens, next);
      try {
        values.add(tokens, tokens.required());
      } catch (InvalidValueException e) {
        throw e.within(key);
      }
      next = tokens.required();
    }
    offsets.end(length, values.length);
  }

  @Override
  void addEmpty() {
    offsets.end(length, values.length);
  }

  @Override
  List<MemorySegment> buffers(SegmentAllocator allocator) {
    return List.of(offsets.buffer(length, allocator));
  }

  @Override
  List<ArrayData> children(SegmentAllocator allocator) {
    List<ArrayData> pair = List.of(keys.build(allocator), values.build(allocator));
    return List.of(
        new ArrayData(entries, values.length, 0, List.of(MemorySegment.NULL), pair, null));
  }
}
