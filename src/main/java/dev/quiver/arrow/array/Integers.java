package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.lang.foreign.MemorySegment;

/// Signed integers of 2, 4 or 8 bytes in a buffer: offsets, sizes, run ends.
///
/// @param byteWidth bytes of one integer
public record Integers(MemorySegment segment, int byteWidth) {

  /// Returns the buffer of `array` with this role.
  public static Integers of(ArrayData array, BufferRole role) {
    return new Integers(array.buffer(role), byteWidth(array.field(), role));
  }

  /// Returns the bytes of one integer in the buffer with this role.
  public static int byteWidth(Field field, BufferRole role) {
    Layout layout = Layout.of(field);
    return (int) (layout.buffers().get(layout.indexOf(role)).bitWidth() >>> 3);
  }

  /// Returns the bytes of integers from 0 to `maximum`: 4 or 8.
  static int byteWidth(long maximum) {
    return maximum <= Integer.MAX_VALUE ? Integer.BYTES : Long.BYTES;
  }

  /// Returns the largest integer of `byteWidth` bytes.
  public static long maximum(int byteWidth) {
    return Long.MAX_VALUE >>> Long.SIZE - 8 * byteWidth;
  }

  public long get(long index) {
    return switch (byteWidth) {
      case Short.BYTES -> LittleEndian.getInt16(segment, index << 1);
      case Integer.BYTES -> LittleEndian.getInt32(segment, index << 2);
      default -> LittleEndian.getInt64(segment, index << 3);
    };
  }

  /// Writes a value that is at most [#maximum].
  public void set(long index, long value) {
    switch (byteWidth) {
      case Short.BYTES -> LittleEndian.setInt16(segment, index << 1, (short) value);
      case Integer.BYTES -> LittleEndian.setInt32(segment, index << 2, (int) value);
      default -> LittleEndian.setInt64(segment, index << 3, value);
    }
  }
}
