package dev.quiver.sql.vector;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.sql.library.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// The validity of the array that is being built. It takes no memory until a row is null.
final class ValidityBuilder {

  private final GrowingMemory bits = new GrowingMemory();
  private long length;
  private long nullCount;

  /// Appends rows of a vector.
  ///
  /// @param validity the address of the vector's validity, or 0 if no row is null
  void append(long validity, long row, int count, SegmentAllocator allocator) {
    if (validity != 0) {
      MemorySegment source = NativeMemory.segment(validity, Bitmaps.byteSize(row + count));
      long nulls = count - Bitmaps.countSet(source, row, count);
      if (nulls > 0 || nullCount > 0) {
        reserve(count, allocator);
        Bitmaps.copy(source, row, bits.memory(), length, count);
        nullCount += nulls;
        length += count;
        return;
      }
    }
    appendValid(count, allocator);
  }

  private void appendValid(int count, SegmentAllocator allocator) {
    if (nullCount > 0) {
      reserve(count, allocator);
      Bitmaps.setAll(bits.memory(), length, count);
    }
    length += count;
  }

  /// Makes room for more bits, all zero. The first time, the bits of the rows before are set.
  private void reserve(int count, SegmentAllocator allocator) {
    boolean first = bits.byteSize() == 0;
    long added = Bitmaps.byteSize(length + count) - bits.byteSize();
    long start = bits.extend(added, allocator);
    bits.memory().asSlice(start, added).fill((byte) 0);
    if (first && length > 0) {
      Bitmaps.setAll(bits.memory(), 0, length);
    }
  }

  long length() {
    return length;
  }

  long nullCount() {
    return nullCount;
  }

  /// Returns the bitmap of all rows, which is empty if none is null, and forgets them.
  MemorySegment take() {
    length = 0;
    nullCount = 0;
    return bits.take();
  }
}
