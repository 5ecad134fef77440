package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.Vectors;

/// Lists of a fixed size, one after the other in the child.
final class FixedSizeListFiller extends VectorFiller {

  private final VectorFiller items;
  private final int size;

  FixedSizeListFiller(ArrayData array, Vectors vectors, VectorFiller items, int size) {
    super(array, vectors);
    this.items = items;
    this.size = size;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long itemCount = (long) count * size;
    if (itemCount > Integer.MAX_VALUE) {
      throw new ConversionException(
          "Expected at most %d items in a chunk of rows but found %d in column %s"
              .formatted(Integer.MAX_VALUE, itemCount, array.field().name()));
    }
    long child = vectors.arrayChild(vector);
    fillChildren(
        slot,
        count,
        row,
        (first, length, target) -> items.fill(first * size, length * size, child, target * size));
    int nulls = countNulls(slot, count);
    if (nulls > 0) {
      setItemsNull(vector, nullRows(slot, count, row), nulls);
    }
  }

  @Override
  void setNull(long vector, long[] rows, int count) {
    super.setNull(vector, rows, count);
    setItemsNull(vector, rows, count);
  }

  private void setItemsNull(long vector, long[] rows, int count) {
    long[] itemRows = new long[count * size];
    for (int i = 0; i < itemRows.length; i++) {
      itemRows[i] = rows[i / size] * size + i % size;
    }
    items.setNull(vectors.arrayChild(vector), itemRows, itemRows.length);
  }
}
