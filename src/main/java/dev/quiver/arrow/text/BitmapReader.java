package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A reader of a bitmap, 64 bits at a time.
final class BitmapReader {

  private final MemorySegment bitmap;
  private long word;

  /// The position of `word` in the bitmap, in units of 64 bits.
  private long wordIndex = -1;

  BitmapReader(MemorySegment bitmap) {
    this.bitmap = bitmap;
  }

  /// Returns the validity of an array, or null if all slots are valid.
  static @Nullable BitmapReader validity(ArrayData array) {
    MemorySegment validity = array.validity();
    return validity.byteSize() == 0 ? null : new BitmapReader(validity);
  }

  boolean get(long index) {
    if (index >>> 6 != wordIndex) {
      load(index >>> 6);
    }
    return (word >>> index & 1) != 0;
  }

  private void load(long index) {
    long byteOffset = index << 3;
    long rest = bitmap.byteSize() - byteOffset;
    long bits = 0;
    if (rest >= Long.BYTES) {
      bits = LittleEndian.getInt64(bitmap, byteOffset);
    } else {
      for (int i = 0; i < Math.max(rest, 1); i++) {
        bits |= (LittleEndian.getInt8(bitmap, byteOffset + i) & 0xFFL) << (i << 3);
      }
    }
    word = bits;
    wordIndex = index;
  }
}
