package dev.quiver.memory;

import java.lang.foreign.MemorySegment;

/// Bitmaps in least-significant-bit order: bit `j` is bit `j % 8` of byte `j / 8`.
///
/// See the columnar specification, *Validity bitmaps*.
public final class Bitmaps {

  private Bitmaps() {}

  /// Bytes that hold `bitCount` bits.
  public static long byteSize(long bitCount) {
    return (bitCount >>> 3) + ((bitCount & 7) == 0 ? 0 : 1);
  }

  public static boolean get(MemorySegment bitmap, long bitIndex) {
    return (LittleEndian.getInt8(bitmap, bitIndex >>> 3) >>> (bitIndex & 7) & 1) != 0;
  }

  public static void set(MemorySegment bitmap, long bitIndex) {
    long byteIndex = bitIndex >>> 3;
    byte value = (byte) (LittleEndian.getInt8(bitmap, byteIndex) | 1 << (bitIndex & 7));
    LittleEndian.setInt8(bitmap, byteIndex, value);
  }

  /// The number of set bits among the first `bitCount`.
  public static long countSet(MemorySegment bitmap, long bitCount) {
    long count = 0;
    long wordsEnd = bitCount >>> 6 << 3;
    for (long offset = 0; offset < wordsEnd; offset += Long.BYTES) {
      count += Long.bitCount(LittleEndian.getInt64(bitmap, offset));
    }
    long fullBytesEnd = bitCount >>> 3;
    for (long offset = wordsEnd; offset < fullBytesEnd; offset++) {
      count += Integer.bitCount(LittleEndian.getInt8(bitmap, offset) & 0xFF);
    }
    int rest = (int) (bitCount & 7);
    if (rest != 0) {
      count += Integer.bitCount(LittleEndian.getInt8(bitmap, fullBytesEnd) & (1 << rest) - 1);
    }
    return count;
  }
}
