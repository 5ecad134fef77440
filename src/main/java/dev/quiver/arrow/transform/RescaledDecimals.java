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

/// A cast of decimals or integers to decimals of another scale or precision, which loses no digit.
record RescaledDecimals(Field from, Field to, int scale, ArrowType.Decimal type) implements Cast {

  /// @param from a field of decimals, or of integers
  static Cast of(Field from, Field to) {
    int scale = from.type() instanceof ArrowType.Decimal decimal ? decimal.scale() : 0;
    return new RescaledDecimals(from, to, scale, (ArrowType.Decimal) to.type());
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
