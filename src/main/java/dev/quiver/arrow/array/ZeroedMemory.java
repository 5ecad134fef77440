package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.Padding;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// An allocator of zeroed memory, padding up to a multiple of 8 bytes included. Not every
/// underlying allocator clears its memory.
record ZeroedMemory(SegmentAllocator allocator) {

  private static final int ALIGNMENT = 8;

  MemorySegment allocate(long byteSize) {
    if (byteSize == 0) {
      return MemorySegment.NULL;
    }
    MemorySegment padded = allocator.allocate(Padding.padded(byteSize, ALIGNMENT), ALIGNMENT);
    return padded.fill((byte) 0).asSlice(0, byteSize);
  }

  /// Returns the concatenated parts.
  MemorySegment concatenate(List<byte[]> parts) {
    MemorySegment all = allocate(parts.stream().mapToLong(part -> part.length).sum());
    long end = 0;
    for (byte[] part : parts) {
      MemorySegment.copy(part, 0, all, LittleEndian.INT8, end, part.length);
      end += part.length;
    }
    return all;
  }
}
