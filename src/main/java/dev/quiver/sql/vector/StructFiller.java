package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.sql.library.Vectors;

/// Structs, a vector for each child.
final class StructFiller extends VectorFiller {

  private final VectorFiller[] children;

  StructFiller(ArrayData array, Vectors vectors, VectorFiller[] children) {
    super(array, vectors);
    this.children = children;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    for (int i = 0; i < children.length; i++) {
      VectorFiller child = children[i];
      long childVector = vectors.structChild(vector, i);
      fillChildren(
          slot,
          count,
          row,
          (first, length, target) -> child.fill(first, length, childVector, target));
    }
    int nulls = countNulls(slot, count);
    if (nulls > 0) {
      setChildrenNull(vector, nullRows(slot, count, row), nulls);
    }
  }

  @Override
  void setNull(long vector, long[] rows, int count) {
    super.setNull(vector, rows, count);
    setChildrenNull(vector, rows, count);
  }

  private void setChildrenNull(long vector, long[] rows, int count) {
    for (int i = 0; i < children.length; i++) {
      children[i].setNull(vectors.structChild(vector, i), rows, count);
    }
  }
}
