package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;

/// Bits in words, least significant bit first.
public final class Bits {

  /// The number of bits that one word holds of a sequence that begins anywhere in its first byte.
  static final int UNALIGNED_MAXIMUM = Long.SIZE - 8;

  private Bits() {}

  public static boolean get(long[] words, int bit) {
    return (words[bit >>> 6] >>> bit & 1) != 0;
  }

  /// Returns at most [#UNALIGNED_MAXIMUM] bits, zero-extended.
  static long get(byte[] bytes, long firstBit, int count) {
    return LittleEndian.getInt64(bytes, (int) (firstBit >>> 3)) >>> (firstBit & 7)
        & (1L << count) - 1;
  }

  /// Puts bits into words where they are zero.
  static void put(long[] words, int at, long bits, int count) {
    int word = at >>> 6;
    int shift = at & 63;
    words[word] |= bits << shift;
    if (shift + count > Long.SIZE) {
      words[word + 1] |= bits >>> Long.SIZE - shift;
    }
  }

  /// Sets a range of bits.
  public static void set(long[] words, int at, int count) {
    int bit = at;
    int end = at + count;
    while (bit < end) {
      int part = Math.min(Long.SIZE - (bit & 63), end - bit);
      words[bit >>> 6] |= -1L >>> Long.SIZE - part << bit;
      bit += part;
    }
  }

  /// Returns the number of bits set among the first `bitCount`.
  public static int count(long[] words, int bitCount) {
    int count = 0;
    int whole = bitCount >>> 6;
    for (int i = 0; i < whole; i++) {
      count += Long.bitCount(words[i]);
    }
    int rest = bitCount & 63;
    return rest == 0 ? count : count + Long.bitCount(words[whole] & (1L << rest) - 1);
  }
}
