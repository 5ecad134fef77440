package dev.quiver.formats.json;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.value.ValueParser;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonToken;

/// An array of values of one to 32 bytes.
final class JsonFixedWidthBuilder extends JsonBuilder {

  private final ValueParser parser;
  private final int byteWidth;

  /// The words of 64 bits that a value takes here.
  private final int wordCount;

  private long[] words;

  JsonFixedWidthBuilder(Field field, ValueParser parser) {
    super(field);
    this.parser = parser;
    this.byteWidth = ValueParser.byteWidth(field.type());
    this.wordCount = Math.max(1, byteWidth / Long.BYTES);
    this.words = new long[CAPACITY_MINIMUM * wordCount];
  }

  @Override
  void reset() {
    super.reset();
    if (words.length > BYTE_SIZE_KEPT / Long.BYTES) {
      words = new long[CAPACITY_MINIMUM * wordCount];
    }
  }

  @Override
  void addValue(JsonTokens tokens, JsonToken token) {
    readScalar(tokens, token);
    if (!parser.parse(tokens.text, tokens.start, tokens.end)) {
      throw invalid(tokens);
    }
    int first = reserve();
    words[first] = parser.low();
    if (wordCount > 1) {
      words[first + 1] = parser.high();
    }
    if (wordCount > 2) {
      words[first + 2] = parser.third();
      words[first + 3] = parser.fourth();
    }
  }

  @Override
  void addEmpty() {
    int first = reserve();
    Arrays.fill(words, first, first + wordCount, 0);
  }

  /// Returns the index of the first word of the next value.
  private int reserve() {
    int first = length * wordCount;
    if (first == words.length) {
      words = Arrays.copyOf(words, 2 * first);
    }
    return first;
  }

  @Override
  List<MemorySegment> buffers(SegmentAllocator allocator) {
    MemorySegment values = allocator.allocate((long) length * byteWidth, /* byteAlignment= */ 16);
    int count = length * wordCount;
    if (byteWidth >= Long.BYTES) {
      MemorySegment.copy(words, 0, values, LittleEndian.INT64, 0, count);
      return List.of(values);
    }
    for (int i = 0; i < count; i++) {
      switch (byteWidth) {
        case 1 -> LittleEndian.setInt8(values, i, (byte) words[i]);
        case 2 -> LittleEndian.setInt16(values, (long) i << 1, (short) words[i]);
        default -> LittleEndian.setInt32(values, (long) i << 2, (int) words[i]);
      }
    }
    return List.of(values);
  }
}
