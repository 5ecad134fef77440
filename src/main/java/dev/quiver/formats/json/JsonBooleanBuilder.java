package dev.quiver.formats.json;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.value.BooleanParser;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonToken;

/// An array of booleans.
final class JsonBooleanBuilder extends JsonBuilder {

  private final BooleanParser parser;
  private boolean[] values = new boolean[CAPACITY_MINIMUM];

  JsonBooleanBuilder(Field field) {
    super(field);
    this.parser = new BooleanParser(/* canonical= */ false);
  }

  @Override
  void addValue(JsonTokens tokens, JsonToken token) {
    readScalar(tokens, token);
    if (!parser.parse(tokens.text, tokens.start, tokens.end)) {
      throw invalid(tokens);
    }
    set(parser.low() == 1);
  }

  @Override
  void addEmpty() {
    set(false);
  }

  private void set(boolean value) {
    if (length == values.length) {
      values = Arrays.copyOf(values, 2 * length);
    }
    values[length] = value;
  }

  @Override
  List<MemorySegment> buffers(SegmentAllocator allocator) {
    MemorySegment bits = allocator.allocate(Bitmaps.byteSize(length), Long.BYTES).fill((byte) 0);
    for (int i = 0; i < length; i++) {
      if (values[i]) {
        Bitmaps.set(bits, i);
      }
    }
    return List.of(bits);
  }
}
