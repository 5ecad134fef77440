package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.math.BigDecimal;

/// Casts between integers and floating-point numbers, between the precisions of these, and from
/// decimals to them.
final class NumberCast {

  /// The greatest double below 2⁶³.
  private static final double LONG_MAXIMUM = 0x1.fffffffffffffp62;

  /// The bits of 64 that a double has no room for, if the first one is set.
  private static final int EXCESS_BITS = 11;

  private NumberCast() {}

  static Cast of(Field from, Field to) {
    if (!(to.type() instanceof ArrowType.FloatingPoint(Precision precision))) {
      return (array, allocator) -> integers(array, from, to, allocator);
    }
    boolean fromUnsigned64 =
        from.type() instanceof ArrowType.Int(int bitWidth, boolean signed)
            && bitWidth == Long.SIZE
            && !signed;
    boolean fromIntegers = from.type() instanceof ArrowType.Int;
    int scale = from.type() instanceof ArrowType.Decimal decimal ? decimal.scale() : 0;
    boolean fromDecimals = from.type() instanceof ArrowType.Decimal;
    return (array, allocator) -> {
      Array.FixedWidth source = (Array.FixedWidth) Array.of(array);
      int byteWidth = precision.bitWidth() / Byte.SIZE;
      MemorySegment data = allocator.allocate(array.length() * byteWidth, Long.BYTES);
      for (long i = 0; i < array.length(); i++) {
        double value = 0;
        if (!source.isNull(i)) {
          value =
              fromDecimals
                  ? exact(RescaledDecimals.value(source.bytes(i), scale), to)
                  : fromIntegers
                      ? exact(source.integer(i), fromUnsigned64, to)
                      : source.floatingPoint(i);
          if (Double.compare(rounded(value, precision), value) != 0) {
            throw invalid(value, to);
          }
        }
        switch (precision) {
          case HALF -> LittleEndian.setInt16(data, i << 1, Float.floatToFloat16((float) value));
          case SINGLE -> data.set(LittleEndian.FLOAT32, i << 2, (float) value);
          case DOUBLE -> data.set(LittleEndian.FLOAT64, i << 3, value);
        }
      }
      return Casts.withBuffers(array, to, data);
    };
  }

  private static double exact(long value, boolean unsigned, Field to) {
    boolean isLarge = unsigned && value < 0;
    double exact = isLarge ? (value >>> EXCESS_BITS) * (double) (1 << EXCESS_BITS) : value;
    boolean isExact =
        isLarge
            ? value >>> EXCESS_BITS << EXCESS_BITS == value
            : exact <= LONG_MAXIMUM && (long) exact == value;
    if (!isExact) {
      throw invalid(unsigned ? Long.toUnsignedString(value) : value, to);
    }
    return exact;
  }

  private static double exact(BigDecimal value, Field to) {
    double exact = value.doubleValue();
    if (Double.isInfinite(exact) || new BigDecimal(exact).compareTo(value) != 0) {
      throw invalid(value, to);
    }
    return exact;
  }

  private static double rounded(double value, Precision precision) {
    return switch (precision) {
      case HALF -> Float.float16ToFloat(Float.floatToFloat16((float) value));
      case SINGLE -> (float) value;
      case DOUBLE -> value;
    };
  }

  private static ArrayData integers(
      ArrayData array, Field from, Field to, SegmentAllocator allocator) {
    Array.FixedWidth source = (Array.FixedWidth) Array.of(array);
    MemorySegment longs = allocator.allocate(array.length() * Long.BYTES, Long.BYTES);
    for (long i = 0; i < array.length(); i++) {
      long whole = 0;
      if (!source.isNull(i)) {
        double value = source.floatingPoint(i);
        whole = (long) value;
        // Negative zero has no equal integer.
        boolean isWhole = value <= LONG_MAXIMUM && Double.compare(whole, value) == 0;
        if (!isWhole) {
          throw invalid(value, to);
        }
      }
      LittleEndian.setInt64(longs, i << 3, whole);
    }
    Field wide =
        Field.of(from.name(), from.nullable(), new ArrowType.Int(Long.SIZE, /* signed= */ true));
    return IntegerCast.of(wide, to).apply(Casts.withBuffers(array, wide, longs), allocator);
  }

  private static InvalidCastException invalid(Object value, Field to) {
    return InvalidCastException.of("a value of " + to.describeType(), value, to);
  }
}
