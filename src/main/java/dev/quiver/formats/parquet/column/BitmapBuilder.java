package dev.quiver.formats.parquet.column;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A bitmap of an array, validity or booleans, to which blocks are appended.
final class BitmapBuilder {

  private final BufferBuilder words;

  /// The bits after the last whole word; undefined after a whole number of words.
  private long last;

  private long count;

  /// @param capacity the probable number of bits
  BitmapBuilder(SegmentAllocator allocator, long capacity) {
    this.words = new BufferBuilder(allocator, (capacity + Long.SIZE - 1 >>> 6 << 3) + Long.BYTES);
  }

  /// Appends bits.
  ///
  /// @param bits zero after the last one, with room for 64 more; their content is undefined
  ///   afterwards
  void append(long[] bits, int added) {
    int shift = (int) (count & 63);
    int wordCount = added + 63 >>> 6;
    if (shift != 0) {
      for (int i = 0; i < wordCount; i++) {
        long word = bits[i];
        bits[i] = last | word << shift;
        last = word >>> Long.SIZE - shift;
      }
      bits[wordCount] = last;
    }
    count += added;
    int whole = shift + added >>> 6;
    words.append(bits, whole);
    last = bits[whole];
  }

  /// Returns the bitmap, to which nothing is appended afterwards.
  MemorySegment segment() {
    words.append(new long[] {last}, (count & 63) == 0 ? 0 : 1);
    return words.segment();
  }
}
