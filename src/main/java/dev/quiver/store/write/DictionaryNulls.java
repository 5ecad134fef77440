package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The null values of an upload's dictionaries, to which non-nullable fields must not refer.
/// Dictionaries past [#MAXIMUM_BYTE_SIZE] are assumed to have no nulls.
final class DictionaryNulls {

  /// The limit on the bitmaps of all dictionaries together, with one bit per value.
  static final int MAXIMUM_BYTE_SIZE = 1 << 20;

  private final Map<Long, byte[]> bitmaps = new HashMap<>();
  private long byteSize;

  /// Adds the values that follow the first `lengthBefore` of the dictionary.
  ///
  /// @return the validity of all values, or no bytes if none is null; valid until this dictionary
  ///   gets more values
  MemorySegment take(long id, long lengthBefore, ArrayData values) {
    byte[] known = remove(id);
    byte[] before = lengthBefore == 0 ? null : known;
    MemorySegment validity = values.validity();
    long length = lengthBefore + values.length();
    if (before == null && validity.byteSize() == 0
        || byteSize + Bitmaps.byteSize(length) > MAXIMUM_BYTE_SIZE) {
      return MemorySegment.NULL;
    }
    byte[] bytes = grown(before, (int) Bitmaps.byteSize(length));
    MemorySegment bitmap = MemorySegment.ofArray(bytes);
    if (before == null) {
      Bitmaps.setAll(bitmap, 0, lengthBefore);
    }
    if (validity.byteSize() == 0) {
      Bitmaps.setAll(bitmap, lengthBefore, values.length());
    } else {
      Bitmaps.copy(validity, 0, bitmap, lengthBefore, values.length());
    }
    bitmaps.put(id, bytes);
    byteSize += bytes.length;
    return bitmap;
  }

  /// Returns an array of at least this size. A growing array doubles, so that a dictionary of many
  /// deltas is not copied for each.
  private static byte[] grown(byte @Nullable [] before, int atLeast) {
    if (before == null) {
      return new byte[atLeast];
    }
    return before.length >= atLeast
        ? before
        : Arrays.copyOf(before, Math.max(atLeast, 2 * before.length));
  }

  private byte @Nullable [] remove(long id) {
    byte[] removed = bitmaps.remove(id);
    if (removed != null) {
      byteSize -= removed.length;
    }
    return removed;
  }
}
