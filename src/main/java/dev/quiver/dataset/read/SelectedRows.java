package dev.quiver.dataset.read;

import dev.quiver.dataset.file.CumulativeRows;
import dev.quiver.transform.RowRange;
import org.jspecify.annotations.Nullable;

/// Consecutive rows of a version, and the batches that contain them.
///
/// A selection of all rows includes all batches. Any other selection omits empty batches, except
/// those between two non-empty ones.
///
/// @param start the first row
/// @param end the row after the last one
/// @param firstBatch the index of the first batch
/// @param batchCount the number of batches that contain the rows
record SelectedRows(CumulativeRows rows, long start, long end, int firstBatch, int batchCount) {

  /// Returns the rows of a selection, which may reach beyond the first and the last row.
  ///
  /// @param origin the row at which the selection starts to count
  static SelectedRows of(CumulativeRows rows, long origin, Selection selection) {
    long before = Math.min(origin, rows.total());
    long offset = selection.offset();
    long start =
        offset < 0
            ? Math.max(rows.total() + offset, before)
            : before + Math.min(offset, rows.total() - before);
    long end = start + Math.min(selection.limit(), rows.total() - start);
    if (start == 0 && end == rows.total()) {
      return new SelectedRows(rows, start, end, 0, rows.batchCount());
    }
    if (start == end) {
      return new SelectedRows(rows, start, end, 0, 0);
    }
    int first = rows.batchOf(start);
    return new SelectedRows(rows, start, end, first, rows.batchOf(end - 1) + 1 - first);
  }

  boolean isAll() {
    return start == 0 && end == rows.total();
  }

  long count() {
    return end - start;
  }

  /// Returns the selected rows of a batch, or null for all of them.
  ///
  /// @param index at least [#firstBatch]
  @Nullable RowRange slice(int index) {
    long before = rows.before(index);
    long from = Math.max(start, before);
    long to = Math.min(end, rows.before(index + 1));
    return from == before && to == rows.before(index + 1)
        ? null
        : new RowRange(from - before, to - from);
  }

  /// Returns the index of the batch with a row, both counted within the selection.
  int batchOf(long row) {
    return rows.batchOf(start + row) - firstBatch;
  }

  /// Returns the number of selected rows before a batch.
  ///
  /// @param batch the index of the batch within the selection, or the number of batches
  long before(int batch) {
    return Math.clamp(rows.before(firstBatch + batch), start, end) - start;
  }

  /// Returns whether a batch is selected in part.
  boolean slicesBatches() {
    return batchCount > 0
        && (slice(firstBatch) != null || slice(firstBatch + batchCount - 1) != null);
  }

  /// Returns the cumulative rows of the selected batches.
  CumulativeRows selected() {
    if (isAll()) {
      return rows;
    }
    CumulativeRows selected = new CumulativeRows();
    for (int i = firstBatch; i < firstBatch + batchCount; i++) {
      selected.add(Math.min(end, rows.before(i + 1)) - Math.max(start, rows.before(i)));
    }
    return selected;
  }
}
