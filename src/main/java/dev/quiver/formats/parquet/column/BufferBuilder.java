package dev.quiver.formats.parquet.column;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A buffer of an array, to which blocks are appended.
final class BufferBuilder {

  private static final int ALIGNMENT = 64;

  private final SegmentAllocator allocator;
  private MemorySegment memory;
  private long byteSize;

  /// @param capacity the probable size in bytes
  BufferBuilder(SegmentAllocator allocator, long capacity) {
    this.allocator = allocator;
    this.memory = allocator.allocate(capacity, ALIGNMENT);
  }

  void append(byte[] source, int count) {
    reserve(count);
    MemorySegment.copy(source, 0, memory, LittleEndian.INT8, byteSize, count);
    byteSize += count;
  }

  void append(int[] source, int count) {
    long added = (long) count << 2;
    reserve(added);
    MemorySegment.copy(source, 0, memory, LittleEndian.INT32, byteSize, count);
    byteSize += added;
  }

  void append(long[] source, int count) {
    long added = (long) count << 3;
    reserve(added);
    MemorySegment.copy(source, 0, memory, LittleEndian.INT64, byteSize, count);
    byteSize += added;
  }

  private void reserve(long added) {
    long needed = byteSize + added;
    if (needed > memory.byteSize()) {
      MemorySegment larger = allocator.allocate(Math.max(needed, 2 * memory.byteSize()), ALIGNMENT);
      MemorySegment.copy(memory, 0, larger, 0, byteSize);
      memory = larger;
    }
  }

  /// Returns what was appended.
  MemorySegment segment() {
    return memory.asSlice(0, byteSize);
  }
}
