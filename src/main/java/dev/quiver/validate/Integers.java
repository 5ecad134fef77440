package dev.quiver.validate;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.Layout;
import dev.quiver.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Signed integers of 2, 4 or 8 bytes in a buffer: offsets, sizes, run ends.
record Integers(MemorySegment segment, int byteWidth) {

  /// The buffer of `array` with this role.
  static Integers of(ArrayData array, BufferRole role) {
    Layout layout = array.layout();
    int index = layout.indexOf(role);
    return new Integers(
        array.buffers().get(index), (int) (layout.buffers().get(index).bitWidth() >>> 3));
  }

  long get(long index) {
    return switch (byteWidth) {
      case Short.BYTES -> LittleEndian.getInt16(segment, index << 1);
      case Integer.BYTES -> LittleEndian.getInt32(segment, index << 2);
      default -> LittleEndian.getInt64(segment, index << 3);
    };
  }

  /// Whether the first `count` integers, of 4 or 8 bytes, start at 0 or above and never decrease.
  boolean ascend(long count) {
    if (count == 0) {
      return true;
    }
    return byteWidth == Integer.BYTES ? ascend32(count) : ascend64(count);
  }

  /// The sign of each integer and of each difference, gathered without a branch. As long as no
  /// integer was negative, no difference overflows.
  private boolean ascend32(long count) {
    int previous = LittleEndian.getInt32(segment, 0);
    int signs = previous;
    for (long i = 1; i < count; i++) {
      int next = LittleEndian.getInt32(segment, i << 2);
      signs |= next | next - previous;
      previous = next;
    }
    return signs >= 0;
  }

  private boolean ascend64(long count) {
    long previous = LittleEndian.getInt64(segment, 0);
    long signs = previous;
    for (long i = 1; i < count; i++) {
      long next = LittleEndian.getInt64(segment, i << 3);
      signs |= next | next - previous;
      previous = next;
    }
    return signs >= 0;
  }
}
