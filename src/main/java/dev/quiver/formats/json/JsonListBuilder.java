package dev.quiver.formats.json;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonToken;

/// An array of lists.
final class JsonListBuilder extends JsonBuilder {

  private final JsonBuilder items;
  private int[] ends = new int[CAPACITY_MINIMUM];

  JsonListBuilder(Field field, boolean canonical) {
    super(field);
    this.items = of(field.children().getFirst(), canonical);
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
      items.add(tokens, item);
      item = tokens.required();
    }
    end();
  }

  private void end() {
    if (length == ends.length) {
      ends = Arrays.copyOf(ends, 2 * length);
    }
    ends[length] = items.length;
  }

  @Override
  void addEmpty() {
    end();
  }

  @Override
  List<MemorySegment> buffers(SegmentAllocator allocator) {
    return List.of(JsonBytesBuilder.offsets(ends, length, allocator));
  }

  @Override
  List<ArrayData> children(SegmentAllocator allocator) {
    return List.of(items.build(allocator));
  }
}
