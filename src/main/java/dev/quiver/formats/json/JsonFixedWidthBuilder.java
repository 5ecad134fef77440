package dev.quiver.formats.json;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.formats.value.ValueParser;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonToken;

/// An array of values of one to sixteen bytes.
final class JsonFixedWidthBuilder extends JsonBuilder {

  private final ValueParser parser;
  private final int byteWidth;

  /// The lowest 64 bits of each value, and the others.
  private long[] low = new long[CAPACITY_MINIMUM];

  private long[] high;

  JsonFixedWidthBuilder(Field field, boolean canonical) {
    super(field);
    this.parser = ValueParser.of(field.type(), '.', /* format= */ null, canonical);
    this.byteWidth = byteWidth(field.type());
    this.high = byteWidth > Long.BYTES ? new long[CAPACITY_MINIMUM] : new long[0];
  }

  private static int byteWidth(ArrowType type) {
    return switch (type) {
      case ArrowType.Int(int bitWidth, _) -> bitWidth / Byte.SIZE;
      case ArrowType.FloatingPoint(Precision precision) -> precision.bitWidth() / Byte.SIZE;
      case ArrowType.Date _ -> Integer.BYTES;
      case ArrowType.Decimal _, ArrowType.FixedSizeBinary _ -> 2 * Long.BYTES;
      default -> Long.BYTES;
    };
  }

  @Override
  void addValue(JsonTokens tokens, JsonToken token) {
    readScalar(tokens, token);
    if (!parser.parse(tokens.text, tokens.start, tokens.end)) {
      throw invalid(tokens);
    }
    set(parser.low(), parser.high());
  }

  @Override
  void addEmpty() {
    set(0, 0);
  }

  private void set(long lowest, long others) {
    if (length == low.length) {
      low = Arrays.copyOf(low, 2 * length);
      high = byteWidth > Long.BYTES ? Arrays.copyOf(high, 2 * length) : high;
    }
    low[length] = lowest;
    if (byteWidth > Long.BYTES) {
      high[length] = others;
    }
  }

  @Override
  List<MemorySegment> buffers(SegmentAllocator allocator) {
    MemorySegment values = allocator.allocate((long) length * byteWidth, /* byteAlignment= */ 16);
    for (int i = 0; i < length; i++) {
      switch (byteWidth) {
        case 1 -> LittleEndian.setInt8(values, i, (byte) low[i]);
        case 2 -> LittleEndian.setInt16(values, (long) i << 1, (short) low[i]);
        case 4 -> LittleEndian.setInt32(values, (long) i << 2, (int) low[i]);
        case 8 -> LittleEndian.setInt64(values, (long) i << 3, low[i]);
        default -> {
          LittleEndian.setInt64(values, (long) i << 4, low[i]);
          LittleEndian.setInt64(values, ((long) i << 4) + Long.BYTES, high[i]);
        }
      }
    }
    return List.of(values);
  }
}
