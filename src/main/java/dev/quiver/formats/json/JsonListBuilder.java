package dev.quiver.formats.json;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import tools.jackson.core.JsonToken;

/// An array of lists.
final class JsonListBuilder extends JsonBuilder {

  /// The slots of the fields within lists of a batch: more than any record without absent keys has.
  private static final int SLOT_COUNT_MAXIMUM = 32 << 20;

  private final JsonBuilder items;

  /// The elements that all lists of a batch have at most.
  private final int itemCountMaximum;

  private final JsonOffsets offsets = new JsonOffsets();

  JsonListBuilder(Field field) {
    super(field);
    this.items = of(field.children().getFirst());
    this.itemCountMaximum = SLOT_COUNT_MAXIMUM / fieldCount(items.field);
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
      tokens.requireSlots(items.length, itemCountMaximum);
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
