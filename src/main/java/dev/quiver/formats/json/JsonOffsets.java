package dev.quiver.formats.json;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;

/// The offsets of an array that grows by a slot at a time. Blocks are far smaller than 32 bits
/// reach.
final class JsonOffsets {

  private int[] ends = new int[JsonBuilder.CAPACITY_MINIMUM];

  /// Sets the offset after a slot, which is the next one.
  void end(int slot, int offset) {
    if (slot == ends.length) {
      ends = Arrays.copyOf(ends, 2 * slot);
    }
    ends[slot] = offset;
  }

  /// Returns the offsets of the first slots.
  MemorySegment buffer(int length, SegmentAllocator allocator) {
    MemorySegment offsets = allocator.allocate((length + 1L) * Integer.BYTES, Long.BYTES);
    LittleEndian.setInt32(offsets, 0, 0);
    for (int i = 0; i < length; i++) {
      LittleEndian.setInt32(offsets, (i + 1L) << 2, ends[i]);
    }
    return offsets;
  }
}
