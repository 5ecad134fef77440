package dev.quiver.formats.parquet.column;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.parquet.page.Bits;
import java.util.Arrays;

/// Values of consecutive non-null slots, moved to their slots. Null slots become zero.
///
/// Values move in place, the last one first: a slot never precedes its value. The loops for the
/// common widths have no branch per value, which the processor would often predict wrongly.
final class Spread {

  private Spread() {}

  /// Moves fixed-width values.
  ///
  /// @param values consecutive, from the start of the array
  /// @param count the slots
  /// @param validCount the slots that are not null
  static void values(byte[] values, int byteWidth, long[] valid, int count, int validCount) {
    switch (byteWidth) {
      case Long.BYTES -> values8(values, valid, count, validCount);
      case Integer.BYTES -> values4(values, valid, count, validCount);
      default -> anyValues(values, byteWidth, valid, count, validCount);
    }
  }

  private static void values8(byte[] values, long[] valid, int count, int validCount) {
    int from = validCount;
    for (int i = count - 1; i >= from; i--) {
      int bit = (int) (valid[i >>> 6] >>> i) & 1;
      from -= bit;
      LittleEndian.setInt64(values, i << 3, LittleEndian.getInt64(values, from << 3) & -bit);
    }
  }

  private static void values4(byte[] values, long[] valid, int count, int validCount) {
    int from = validCount;
    for (int i = count - 1; i >= from; i--) {
      int bit = (int) (valid[i >>> 6] >>> i) & 1;
      from -= bit;
      LittleEndian.setInt32(values, i << 2, LittleEndian.getInt32(values, from << 2) & -bit);
    }
  }

  private static void anyValues(
      byte[] values, int byteWidth, long[] valid, int count, int validCount) {
    int from = validCount;
    for (int i = count - 1; i >= from; i--) {
      int to = i * byteWidth;
      if (Bits.get(valid, i)) {
        from--;
        System.arraycopy(values, from * byteWidth, values, to, byteWidth);
      } else {
        Arrays.fill(values, to, to + byteWidth, (byte) 0);
      }
    }
  }

  /// Copies bits to the slots that are not null.
  ///
  /// @param target zero up to the last slot
  static void bits(long[] bits, long[] valid, int count, long[] target) {
    int from = 0;
    for (int i = 0; i < count; i++) {
      if (Bits.get(valid, i)) {
        target[i >>> 6] |= (bits[from >>> 6] >>> from & 1) << i;
        from++;
      }
    }
  }
}
