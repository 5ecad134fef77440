package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.math.BigDecimal;
import java.math.BigInteger;

/// A cast between decimals, or between these and integers, which loses no digit.
record RescaledDecimals(Field from, Field to, int scale, ArrowType.Decimal type) implements Cast {

  /// @param from a field of decimals, or of integers
  /// @param to likewise
  static Cast of(Field from, Field to) {
    int scale = from.type() instanceof ArrowType.Decimal decimal ? decimal.scale() : 0;
    return to.type() instanceof ArrowType.Decimal type
        ? new RescaledDecimals(from, to, scale, type)
        : ofIntegers(from, to, scale);
  }

  private static Cast ofIntegers(Field from, Field to, int scale) {
    Field wide =
        Field.of(from.name(), from.nullable(), new ArrowType.Int(Long.SIZE, /* signed= */ true));
    Cast integers = IntegerCast.of(wide, to);
    return (array, allocator) -> {
      Array.FixedWidth source = (Array.FixedWidth) Array.of(array);
      MemorySegment longs = allocator.allocate(array.length() * Long.BYTES, Long.BYTES);
      for (long i = 0; i < array.length(); i++) {
        boolean isNull = source.isNull(i);
        LittleEndian.setInt64(longs, i << 3, isNull ? 0 : whole(source.bytes(i), scale, to));
      }
      return integers.apply(Casts.withBuffers(array, wide, longs), allocator);
    };
  }

  private static long whole(MemorySegment unscaled, int scale, Field to) {
    BigDecimal value = value(unscaled, scale);
    try {
      return value.longValueExact();
    } catch (ArithmeticException e) {
      throw InvalidCastException.of("a value of " + to.describeType(), value, to);
    }
  }

  /// Returns a decimal.
  ///
  /// @param unscaled its bytes in an array of decimals
  static BigDecimal value(MemorySegment unscaled, int scale) {
    return new BigDecimal(integer(unscaled, /* unsigned= */ false), scale);
  }

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    Array.FixedWidth source = (Array.FixedWidth) Array.of(array);
    boolean unsigned = from.type() instanceof ArrowType.Int(_, boolean signed) && !signed;
    int byteWidth = type.bitWidth() / Byte.SIZE;
    MemorySegment data = allocator.allocate(array.length() * byteWidth, Long.BYTES).fill((byte) 0);
    for (long i = 0; i < array.length(); i++) {
      if (!source.isNull(i)) {
        BigInteger unscaled = integer(source.bytes(i), unsigned);
        write(rescaled(new BigDecimal(unscaled, scale)), data.asSlice(i * byteWidth, byteWidth));
      }
    }
    return Casts.withBuffers(array, to, data);
  }

  private BigInteger rescaled(BigDecimal value) {
    if (value.signum() == 0) {
      return BigInteger.ZERO;
    }
    BigDecimal stripped = value.stripTrailingZeros();
    // Before the digits are multiplied: a scale may be far from the other.
    long digits = (long) stripped.precision() + type.scale() - stripped.scale();
    if (stripped.scale() > type.scale() || digits > type.precision()) {
      throw InvalidCastException.of("a value of " + to.describeType(), value.toPlainString(), to);
    }
    return stripped.setScale(type.scale()).unscaledValue();
  }

  private static BigInteger integer(MemorySegment littleEndian, boolean unsigned) {
    byte[] bytes = littleEndian.toArray(LittleEndian.INT8);
    byte[] bigEndian = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      bigEndian[i] = bytes[bytes.length - 1 - i];
    }
    return unsigned ? new BigInteger(1, bigEndian) : new BigInteger(bigEndian);
  }

  private static void write(BigInteger value, MemorySegment littleEndian) {
    byte[] bytes = value.toByteArray();
    littleEndian.fill((byte) (value.signum() < 0 ? -1 : 0));
    for (int i = 0; i < bytes.length; i++) {
      LittleEndian.setInt8(littleEndian, i, bytes[bytes.length - 1 - i]);
    }
  }
}
