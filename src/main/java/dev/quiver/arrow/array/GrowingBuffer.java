package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.Bitmaps;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A buffer of bytes or bits that can be appended to; its memory doubles when full. Segments that
/// [#segment] returned earlier never change, except for the bits after their last one.
final class GrowingBuffer {

  private static final long FIRST_BYTE_SIZE = 64;

  private MemorySegment memory = MemorySegment.NULL;
  private long byteSize;

  long byteSize() {
    return byteSize;
  }

  MemorySegment segment() {
    return memory.asSlice(0, byteSize);
  }

  /// Appends `count` zero bytes and returns them.
  MemorySegment extend(long count, SegmentAllocator allocator) {
    long start = byteSize;
    growTo(Math.addExact(byteSize, count), allocator);
    return memory.asSlice(start, count);
  }

  void append(MemorySegment bytes, SegmentAllocator allocator) {
    MemorySegment.copy(bytes, 0, extend(bytes.byteSize(), allocator), 0, bytes.byteSize());
  }

  /// @param bitCount bits in the buffer so far
  /// @param bits the bits to append; empty if all of them are set
  void appendBits(long bitCount, MemorySegment bits, long count, SegmentAllocator allocator) {
    growTo(Bitmaps.byteSize(Math.addExact(bitCount, count)), allocator);
    if (bits.byteSize() == 0) {
      Bitmaps.setAll(memory, bitCount, count);
    } else {
      Bitmaps.copy(bits, 0, memory, bitCount, count);
    }
  }

  private void growTo(long newByteSize, SegmentAllocator allocator) {
    if (newByteSize > memory.byteSize()) {
      long capacity = Math.max(Math.max(newByteSize, FIRST_BYTE_SIZE), 2 * byteSize);
      MemorySegment larger = allocator.allocate(capacity, Long.BYTES);
      MemorySegment.copy(memory, 0, larger, 0, byteSize);
      larger.asSlice(byteSize).fill((byte) 0);
      memory = larger;
    }
    byteSize = newByteSize;
  }
}
