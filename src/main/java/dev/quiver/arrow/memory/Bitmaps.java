package dev.quiver.arrow.memory;

import java.lang.foreign.MemorySegment;

/// Bitmaps in least-significant-bit order: bit `j` is bit `j % 8` of byte `j / 8`.
///
/// See the columnar specification, *Validity bitmaps*.
public final class Bitmaps {

  private Bitmaps() {}

  /// Returns the number of bytes that hold `bitCount` bits.
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

  /// Returns the number of set bits among `bitCount` from `firstBit` on.
  public static long countSet(MemorySegment bitmap, long firstBit, long bitCount) {
    long count = 0;
    long bit = firstBit;
    long end = firstBit + bitCount;
    for (; bit < end && (bit & 7) != 0; bit++) {
      count += get(bitmap, bit) ? 1 : 0;
    }
    return bit == end ? count : count + countSet(bitmap.asSlice(bit >>> 3), end - bit);
  }

  /// Copies `bitCount` bits. Earlier bits of the destination are unchanged. Later bits of the last
  /// byte must be zero, and remain zero.
  public static void copy(
      MemorySegment source,
      long sourceBit,
      MemorySegment destination,
      long destinationBit,
      long bitCount) {
    long from = sourceBit;
    long to = destinationBit;
    long end = destinationBit + bitCount;
    int head = (int) Math.min(bitCount, -to & 7);
    if (head > 0) {
      long bits =
          LittleEndian.getInt8(destination, to >>> 3) | bits(source, from, head) << (to & 7);
      LittleEndian.setInt8(destination, to >>> 3, (byte) bits);
      from += head;
      to += head;
    }
    if ((from & 7) == 0) {
      long byteSize = end - to >>> 3;
      MemorySegment.copy(source, from >>> 3, destination, to >>> 3, byteSize);
      from += byteSize << 3;
      to += byteSize << 3;
    }
    for (; end - to >= Long.SIZE; to += Long.SIZE, from += Long.SIZE) {
      LittleEndian.setInt64(destination, to >>> 3, word(source, from));
    }
    // Bit by bit, the compiler would compile this loop anew, again and again.
    for (; to < end; to += Byte.SIZE, from += Byte.SIZE) {
      long bits = bits(source, from, (int) Math.min(Byte.SIZE, end - to));
      LittleEndian.setInt8(destination, to >>> 3, (byte) bits);
    }
  }

  /// Sets `bitCount` bits from `firstBit` on.
  public static void setAll(MemorySegment bitmap, long firstBit, long bitCount) {
    long bit = firstBit;
    long end = firstBit + bitCount;
    for (; bit < end && (bit & 7) != 0; bit++) {
      set(bitmap, bit);
    }
    long byteSize = end - bit >>> 3;
    bitmap.asSlice(bit >>> 3, byteSize).fill((byte) 0xFF);
    for (bit += byteSize << 3; bit < end; bit++) {
      set(bitmap, bit);
    }
  }

  /// Returns the number of set bits among the first `bitCount`.
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

  /// Reads bits into words of 64, of which a bitmap may have fewer bytes. Later bits of its last
  /// byte are read as well.
  ///
  /// @param firstBit a multiple of 8
  public static void readWords(
      MemorySegment bitmap, long firstBit, long bitCount, long[] destination) {
    long byteSize = byteSize(bitCount);
    int wholeWords = (int) (byteSize / Long.BYTES);
    MemorySegment.copy(bitmap, LittleEndian.INT64, firstBit >>> 3, destination, 0, wholeWords);
    long last = 0;
    for (long i = (long) wholeWords * Long.BYTES; i < byteSize; i++) {
      last |= (LittleEndian.getInt8(bitmap, (firstBit >>> 3) + i) & 0xFFL) << 8 * (i & 7);
    }
    if ((long) wholeWords * Long.BYTES < byteSize) {
      destination[wholeWords] = last;
    }
  }

  /// Returns at most eight bits from `firstBit` on.
  private static long bits(MemorySegment bitmap, long firstBit, int bitCount) {
    long byteOffset = firstBit >>> 3;
    int shift = (int) (firstBit & 7);
    int bits = (LittleEndian.getInt8(bitmap, byteOffset) & 0xFF) >>> shift;
    if (shift + bitCount > Byte.SIZE) {
      bits |= LittleEndian.getInt8(bitmap, byteOffset + 1) << Byte.SIZE - shift;
    }
    return bits & (1 << bitCount) - 1;
  }

  /// Returns the 64 bits from `firstBit` on, all within the bitmap.
  private static long word(MemorySegment bitmap, long firstBit) {
    long byteOffset = firstBit >>> 3;
    int shift = (int) (firstBit & 7);
    long word = LittleEndian.getInt64(bitmap, byteOffset);
    return shift == 0
        ? word
        : word >>> shift
            | (long) LittleEndian.getInt8(bitmap, byteOffset + Long.BYTES) << Long.SIZE - shift;
  }
}
