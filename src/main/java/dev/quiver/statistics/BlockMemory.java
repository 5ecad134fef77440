package dev.quiver.statistics;

import dev.quiver.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Heap arrays that hold one block of a buffer at a time, which stays in the fastest cache.
final class BlockMemory {

  /// The size of a block of numbers.
  static final int BYTE_SIZE = 16 << 10;

  /// The size of a block of text.
  static final int TEXT_BYTE_SIZE = 32 << 10;

  /// The number of bytes after a text that may be read with it.
  static final int PADDING_BYTE_SIZE = 40;

  private final byte[] bytes = new byte[BYTE_SIZE + TEXT_BYTE_SIZE + PADDING_BYTE_SIZE];
  private final short[] shorts = new short[BYTE_SIZE / Short.BYTES];
  private final int[] ints = new int[BYTE_SIZE / Integer.BYTES + 1];
  private final long[] longs = new long[BYTE_SIZE / Long.BYTES + 1];

  byte[] bytes(MemorySegment data, long start, int length) {
    MemorySegment.copy(data, LittleEndian.INT8, start, bytes, 0, length);
    return bytes;
  }

  /// Adds bytes to those of the last call of [#bytes].
  void appendBytes(MemorySegment data, long start, int length, int to) {
    MemorySegment.copy(data, LittleEndian.INT8, start, bytes, to, length);
  }

  short[] shorts(MemorySegment data, long start, int length) {
    MemorySegment.copy(data, LittleEndian.INT16, start << 1, shorts, 0, length);
    return shorts;
  }

  int[] ints(MemorySegment data, long start, int length) {
    MemorySegment.copy(data, LittleEndian.INT32, start << 2, ints, 0, length);
    return ints;
  }

  long[] longs(MemorySegment data, long start, int length) {
    MemorySegment.copy(data, LittleEndian.INT64, start << 3, longs, 0, length);
    return longs;
  }
}
