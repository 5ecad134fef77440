package dev.quiver.sql.vector;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.vector.ConvertedFiller.Conversion;
import java.lang.foreign.MemorySegment;

/// The conversion of decimals, which DuckDB holds in the fewest bytes that suffice for the
/// precision.
final class EngineDecimals implements Conversion {

  private static final int INT128_BYTE_SIZE = 16;

  private final int sourceByteSize;
  private final int targetByteSize;

  /// The largest value of the precision, if that has at most 64 bits.
  private final long maximum;

  EngineDecimals(ArrowType.Decimal type) {
    int precision = ColumnTypes.precision(type);
    this.sourceByteSize = type.bitWidth() >>> 3;
    this.targetByteSize =
        precision <= 4 ? 2 : precision <= 9 ? 4 : precision <= 18 ? 8 : INT128_BYTE_SIZE;
    this.maximum = targetByteSize == INT128_BYTE_SIZE ? 0 : power(precision) - 1;
  }

  private static long power(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  /// Returns the size of a value of the vector.
  int byteWidth() {
    return targetByteSize;
  }

  @Override
  public boolean convert(MemorySegment data, long slot, int count, long target) {
    return targetByteSize == INT128_BYTE_SIZE
        ? fillWide(data, slot, count, target)
        : sourceByteSize == INT128_BYTE_SIZE && targetByteSize == Long.BYTES
            ? narrowToInt64(data, slot, count, target)
            : narrow(data, slot, count, target);
  }

  /// Copies the low half of 128-bit decimals: the common case of prices and amounts.
  private boolean narrowToInt64(MemorySegment data, long slot, int count, long target) {
    long excess = 0;
    long lost = 0;
    long source = NativeMemory.address(data, slot << 4, (long) count << 4);
    for (int i = 0; i < count; i++) {
      long low = NativeMemory.getInt64(source + ((long) i << 4));
      long high = NativeMemory.getInt64(source + ((long) i << 4) + 8);
      excess |= excess(low);
      lost |= high ^ low >> 63;
      NativeMemory.setInt64(target + ((long) i << 3), low);
    }
    return excess >= 0 && lost == 0;
  }

  private boolean narrow(MemorySegment data, long slot, int count, long target) {
    long excess = 0;
    for (int i = 0; i < count; i++) {
      long low = low(data, slot + i);
      excess |= excess(low) | upper(data, slot + i, low);
      switch (targetByteSize) {
        case 2 -> NativeMemory.setInt16(target + ((long) i << 1), (short) low);
        case 4 -> NativeMemory.setInt32(target + ((long) i << 2), (int) low);
        default -> NativeMemory.setInt64(target + ((long) i << 3), low);
      }
    }
    return excess >= 0;
  }

  private boolean fillWide(MemorySegment data, long slot, int count, long target) {
    if (sourceByteSize == INT128_BYTE_SIZE) {
      NativeMemory.copyTo(target, data, slot << 4, (long) count << 4);
      return true;
    }
    long excess = 0;
    for (int i = 0; i < count; i++) {
      long address = (slot + i) * sourceByteSize;
      long low = LittleEndian.getInt64(data, address);
      long high =
          sourceByteSize == Long.BYTES ? low >> 63 : LittleEndian.getInt64(data, address + 8);
      excess |= beyond128(data, slot + i, high);
      NativeMemory.setInt64(target + ((long) i << 4), low);
      NativeMemory.setInt64(target + ((long) i << 4) + 8, high);
    }
    return excess >= 0;
  }

  /// Returns a negative number if a value has more digits than the precision.
  private long excess(long value) {
    return value + maximum | maximum - value;
  }

  private long low(MemorySegment data, long slot) {
    return sourceByteSize == Integer.BYTES
        ? LittleEndian.getInt32(data, slot << 2)
        : LittleEndian.getInt64(data, slot * sourceByteSize);
  }

  /// Returns a negative number if the words above the low one are not its sign.
  private long upper(MemorySegment data, long slot, long low) {
    long different = 0;
    for (int i = 8; i < sourceByteSize; i += 8) {
      different |= LittleEndian.getInt64(data, slot * sourceByteSize + i) ^ low >> 63;
    }
    return different == 0 ? 0 : -1;
  }

  /// Returns a negative number if the words above 128 bits are not their sign.
  private long beyond128(MemorySegment data, long slot, long high) {
    long different = 0;
    for (int i = INT128_BYTE_SIZE; i < sourceByteSize; i += 8) {
      different |= LittleEndian.getInt64(data, slot * sourceByteSize + i) ^ high >> 63;
    }
    return different == 0 ? 0 : -1;
  }
}
