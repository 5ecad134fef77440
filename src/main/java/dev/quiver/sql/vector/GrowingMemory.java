package dev.quiver.sql.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A buffer that grows while a batch is built, and starts with the size that it had in the batch
/// before.
final class GrowingMemory {

  private static final long FIRST_BYTE_SIZE = 1 << 10;

  private MemorySegment memory = MemorySegment.NULL;
  private long byteSize;
  private long expectedByteSize = FIRST_BYTE_SIZE;

  long byteSize() {
    return byteSize;
  }

  /// Makes room for more bytes, whose content is undefined, and returns the offset of the first.
  long extend(long count, SegmentAllocator allocator) {
    long start = byteSize;
    byteSize += count;
    if (byteSize > memory.byteSize()) {
      long capacity = Math.max(Math.max(expectedByteSize, byteSize), 2 * start);
      MemorySegment larger = allocator.allocate(capacity, Long.BYTES);
      MemorySegment.copy(memory, 0, larger, 0, start);
      memory = larger;
    }
    return start;
  }

  /// Returns the memory, which may have more bytes than requested.
  MemorySegment memory() {
    return memory;
  }

  /// Returns the bytes so far, and forgets them.
  MemorySegment take() {
    MemorySegment taken = byteSize == 0 ? MemorySegment.NULL : memory.asSlice(0, byteSize);
    expectedByteSize = Math.max(FIRST_BYTE_SIZE, byteSize);
    memory = MemorySegment.NULL;
    byteSize = 0;
    return taken;
  }
}
