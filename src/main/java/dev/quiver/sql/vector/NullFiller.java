package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.sql.library.Vectors;
import java.util.stream.LongStream;

/// Slots without values.
final class NullFiller extends VectorFiller {

  NullFiller(ArrayData array, Vectors vectors) {
    super(array, vectors);
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    setNull(vector, LongStream.range(row, row + count).toArray(), count);
  }
}
