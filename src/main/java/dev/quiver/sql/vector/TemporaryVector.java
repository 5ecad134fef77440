package dev.quiver.sql.vector;

import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;

/// A vector of our own, from which rows are selected into others. Those share its memory, so it can
/// be closed before them.
record TemporaryVector(Vectors vectors, long vector) implements AutoCloseable {

  /// Returns a vector of a field's type.
  static TemporaryVector create(Library library, Field field, long capacity) {
    long type = new ColumnTypes(library.types()).create(field);
    long vector = library.vectors().create(type, capacity);
    library.types().release(type);
    return new TemporaryVector(library.vectors(), vector);
  }

  /// Makes another vector refer to rows of this one.
  ///
  /// @param whole whether to replace the other vector, so that nothing is copied
  void select(int[] rows, int count, long target, long targetRow, boolean whole) {
    long selection = vectors.createSelection(count);
    long address = vectors.selectedRows(selection);
    for (int i = 0; i < count; i++) {
      NativeMemory.setInt32(address + ((long) i << 2), rows[i]);
    }
    if (whole) {
      vectors.reference(target, vector);
      vectors.slice(target, selection, count);
    } else {
      vectors.copySelected(vector, target, selection, count, 0, targetRow);
    }
    vectors.destroySelection(selection);
  }

  @Override
  public void close() {
    vectors.release(vector);
  }
}
