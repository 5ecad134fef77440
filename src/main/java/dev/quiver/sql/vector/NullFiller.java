package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;

/// Slots without values.
final class NullFiller extends VectorFiller {

  NullFiller(ArrayData array, Vectors vectors) {
    super(array, vectors);
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    vectors.ensureValidity(vector);
    long bits = vectors.validity(vector);
    long end = row + count;
    long i = row;
    while (i < end) {
      if ((i & 63) == 0 && end - i >= Long.SIZE) {
        NativeMemory.setInt64(bits + (i >>> 3), 0);
        i += Long.SIZE;
      } else {
        clearBit(bits, i);
        i++;
      }
    }
  }
}
