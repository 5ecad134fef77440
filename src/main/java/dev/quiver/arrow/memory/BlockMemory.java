package dev.quiver.arrow.memory;

import java.lang.foreign.MemorySegment;

/// Heap arrays that hold one block of a buffer at a time, which stays in the fastest cache. Loops
/// over them are compiled once, for all kinds of segments. Used by one thread.
public final class BlockMemory {

  /// The size of a block of numbers.
  public static final int BYTE_SIZE = 16 << 10;

  /// The size of a block of text.
  public static final int TEXT_BYTE_SIZE = 32 << 10;

  /// The number of bytes after a text that may be read with it.
  private static final int PADDING_BYTE_SIZE = 40;

  /// The bits of a word that hold the bytes of a value, by its length.
  private static final long[] LENGTH_BITS = new long[Long.BYTES + 1];

  static {
    for (int length = 1; length <= Long.BYTES; length++) {
      LENGTH_BITS[length] = -1L << Long.SIZE - 8 * length;
    }
  }

  private final byte[] bytes = new byte[BYTE_SIZE + TEXT_BYTE_SIZE + PADDING_BYTE_SIZE];
  private final short[] shorts = new short[BYTE_SIZE / Short.BYTES];
  private final int[] ints = new int[BYTE_SIZE / Integer.BYTES + 1];
  private final long[] longs = new long[BYTE_SIZE / Long.BYTES + 1];

  /// Returns at most eight bytes of a value as a number, whose highest byte is the first. Bytes
  /// past the end of the value are zero.
  ///
  /// Lengths vary from value to value, so that a branch would often be predicted wrong.
  ///
  /// @param bytes an array with at least eight bytes from `start` on
  /// @param length of the value from `start` on; it may be negative
  public static long bigEndianWord(byte[] bytes, int start, int length) {
    return Long.reverseBytes(LittleEndian.getInt64(bytes, start))
        & LENGTH_BITS[Math.max(0, Math.min(Long.BYTES, length))];
  }

  /// Copies the lowest word of each of some signed integers.
  ///
  /// @param values the words of the integers, the lowest first
  /// @param wordCount the number of words of an integer, at least 2
  /// @param n the number of integers
  /// @param lowest receives a word of each
  /// @return whether all the integers fit one word
  public static boolean narrow(long[] values, int wordCount, int n, long[] lowest) {
    long beyond = 0;
    for (int i = 0; i < n; i++) {
      long low = values[i * wordCount];
      lowest[i] = low;
      beyond |= values[i * wordCount + 1] ^ low >> 63;
    }
    for (int word = 2; word < wordCount; word++) {
      for (int i = 0; i < n; i++) {
        beyond |= values[i * wordCount + word] ^ lowest[i] >> 63;
      }
    }
    return beyond == 0;
  }

  /// Returns a copy of bytes, valid until the next one.
  public byte[] bytes(MemorySegment data, long start, int length) {
    MemorySegment.copy(data, LittleEndian.INT8, start, bytes, 0, length);
    return bytes;
  }

  /// Adds bytes to the result of the last call of [#bytes].
  public void appendBytes(MemorySegment data, long start, int length, int to) {
    MemorySegment.copy(data, LittleEndian.INT8, start, bytes, to, length);
  }

  /// Returns a copy of numbers, valid until the next one.
  public short[] shorts(MemorySegment data, long start, int length) {
    MemorySegment.copy(data, LittleEndian.INT16, start << 1, shorts, 0, length);
    return shorts;
  }

  /// Returns a copy of numbers, valid until the next one.
  public int[] ints(MemorySegment data, long start, int length) {
    MemorySegment.copy(data, LittleEndian.INT32, start << 2, ints, 0, length);
    return ints;
  }

  /// Returns a copy of numbers, valid until the next one.
  public long[] longs(MemorySegment data, long start, int length) {
    MemorySegment.copy(data, LittleEndian.INT64, start << 3, longs, 0, length);
    return longs;
  }
}
