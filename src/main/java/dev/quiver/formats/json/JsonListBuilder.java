package dev.quiver.formats.json;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import tools.jackson.core.JsonToken;

/// An array of lists.
final class JsonListBuilder extends JsonBuilder {

  private final JsonBuilders builders;
  private final JsonBuilder items;

  /// The slots that an element takes.
  private final int slotCount;

  private final JsonOffsets offsets = new JsonOffsets();

  JsonListBuilder(Field field, JsonBuilders builders) {
    super(field);
    this.builders = builders;
    this.items = builders.of(field.children().getFirst());
    this.slotCount = slotCount(items.field);
  }

  @Override
  void reset() {
    super.reset();
    items.reset();
  }

  @Override
  void addValue(JsonTokens tokens, JsonToken token) {
    if (token != JsonToken.START_ARRAY) {
      readScalar(tokens, token);
      throw invalid(tokens);
    }
    JsonToken item = tokens.required();
    while (item != JsonToken.END_ARRAY) {
      builders.addItem(tokens, slotCount);
      items.add(tokens, item);
      item = tokens.required();
    }
    offsets.end(length, items.length);
  }

  @Override
  void addEmpty() {
    offsets.end(length, items.length);
  }

  @Override
  List<MemorySegment> buffers(SegmentAllocator allocator) {
    return List.of(offsets.buffer(length, allocator));
  }

  @Override
  List<ArrayData> children(SegmentAllocator allocator) {
    return List.of(items.build(allocator));
  }
}
