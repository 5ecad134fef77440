package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;

/// The values of an array, of up to eight bytes each, with a window of them on the Java heap, where
/// single accesses cost less.
///
/// Sequential reads copy most values together. Other reads copy them one by one, unless the whole
/// array is small.
final class FixedWidthWindow {

  /// The maximum length of a window: half a KiB for each column, even of a wide table.
  private static final int LENGTH_MAX = 64;

  private static final int LENGTH_MIN = 8;
  private static final long[] NOTHING = {};

  private final MemorySegment data;
  private final int byteWidth;
  private final boolean unsigned;
  private long[] values = NOTHING;
  private long first;
  private int length;

  FixedWidthWindow(MemorySegment data, int byteWidth, boolean unsigned) {
    this.data = data;
    this.byteWidth = byteWidth;
    this.unsigned = unsigned;
  }

  /// Returns the values of an array, or its indices if it is dictionary-encoded.
  static FixedWidthWindow of(ArrayData array) {
    boolean unsigned =
        array.field().storageType() instanceof ArrowType.Int(_, boolean signed) && !signed;
    int dataIndex = array.layout().indexOf(BufferRole.DATA);
    int byteWidth = (int) array.layout().buffers().get(dataIndex).bitWidth() >>> 3;
    return new FixedWidthWindow(array.buffer(BufferRole.DATA), byteWidth, unsigned);
  }

  /// Returns the bits of a value, zero-extended for unsigned integers and otherwise sign-extended.
  long get(long slot) {
    long index = slot - first;
    if (index < 0 || index >= length) {
      fill(slot);
      index = slot - first;
    }
    return values[(int) index];
  }

  private void fill(long slot) {
    long available = data.byteSize() / byteWidth;
    if (slot < available && available <= LENGTH_MAX) {
      copy(0, (int) available);
      return;
    }
    boolean onward = slot == first + length;
    int wanted = onward ? Math.clamp(2L * length, LENGTH_MIN, LENGTH_MAX) : 1;
    copy(slot, Math.clamp(available - slot, 1, wanted));
  }

  private void copy(long slot, int count) {
    if (values.length < count) {
      values = new long[count];
    }
    first = slot;
    length = count;
    long byteOffset = slot * byteWidth;
    switch (byteWidth) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          byte value = LittleEndian.getInt8(data, byteOffset + i);
          values[i] = unsigned ? Byte.toUnsignedLong(value) : value;
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          short value = LittleEndian.getInt16(data, byteOffset + ((long) i << 1));
          values[i] = unsigned ? Short.toUnsignedLong(value) : value;
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          int value = LittleEndian.getInt32(data, byteOffset + ((long) i << 2));
          values[i] = unsigned ? Integer.toUnsignedLong(value) : value;
        }
      }
      case 8 -> MemorySegment.copy(data, LittleEndian.INT64, byteOffset, values, 0, count);
      default -> throw new IllegalStateException("no values of " + byteWidth + " bytes");
    }
  }
}
