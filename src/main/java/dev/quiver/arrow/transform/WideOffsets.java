package dev.quiver.arrow.transform;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Offsets of 64 bits in place of 32.
final class WideOffsets {

  private WideOffsets() {}

  /// @param offsets `length` + 1 of them; or none, if `length` is 0
  static MemorySegment of(MemorySegment offsets, long length, SegmentAllocator allocator) {
    MemorySegment wide = allocator.allocate((length + 1) * Long.BYTES, Long.BYTES);
    if (offsets.byteSize() == 0) {
      return wide.fill((byte) 0);
    }
    for (long i = 0; i <= length; i++) {
      LittleEndian.setInt64(wide, i << 3, LittleEndian.getInt32(offsets, i << 2));
    }
    return wide;
  }
}
