package dev.quiver.sql.vector;

import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/// A builder of decimals of 38 digits from 128-bit integers, some of which have 39.
final class HugeIntegerBuilder extends FixedWidthBuilder {

  private static final int BYTE_WIDTH = 16;
  private static final BigInteger LIMIT = BigInteger.TEN.pow(38);
  private static final long LIMIT_LOW = LIMIT.longValue();
  private static final long LIMIT_HIGH = LIMIT.shiftRight(Long.SIZE).longValueExact();

  private final boolean signed;

  HugeIntegerBuilder(Field field, Vectors vectors, boolean signed) {
    super(field, vectors, BYTE_WIDTH);
    this.signed = signed;
  }

  @Override
  void copy(long row, int count, MemorySegment target) {
    for (int i = 0; i < count; i++) {
      long address = data() + (row + i) * BYTE_WIDTH;
      long low = NativeMemory.getInt64(address);
      long high = NativeMemory.getInt64(address + Long.BYTES);
      if (!fits(low, high) && !isNull(row + i)) {
        throw new ConversionException(
            "Expected at most 38 digits but found 39 in column %s; CAST it AS DOUBLE or VARCHAR"
                .formatted(field.name()));
      }
    }
    super.copy(row, count, target);
  }

  private boolean fits(long low, long high) {
    if (signed && high < 0) {
      boolean borrow = low != 0;
      return isBelowLimit(-low, borrow ? ~high : -high);
    }
    return isBelowLimit(low, high);
  }

  private static boolean isBelowLimit(long low, long high) {
    int compared = Long.compareUnsigned(high, LIMIT_HIGH);
    return compared < 0 || compared == 0 && Long.compareUnsigned(low, LIMIT_LOW) < 0;
  }
}
