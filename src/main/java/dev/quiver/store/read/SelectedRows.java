package dev.quiver.store.read;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.store.file.CumulativeRows;
import java.lang.foreign.SegmentAllocator;
import org.jspecify.annotations.Nullable;

/// Some rows of a version in their order, and the batches that contain them.
///
/// Batch indices and rows count within the selection.
sealed interface SelectedRows permits RowWindow, SampledRows, MatchingRows {

  /// Returns the rows of a selection, which may reach beyond the first and the last row.
  ///
  /// @param origin the row at which the selection starts to count
  static SelectedRows of(CumulativeRows rows, long origin, Selection selection) {
    RowMatches matches = selection.matches();
    RowNumbers numbers = selection.numbers();
    if (numbers != null) {
      matches = matches == null ? numbers.of(rows, origin) : numbers.of(matches);
    }
    if (matches != null) {
      return MatchingRows.of(rows, matches, selection);
    }
    RowWindow window = RowWindow.of(rows, origin, selection);
    Integer sample = selection.sample();
    return sample == null || sample >= window.count()
        ? window
        : sample == 0 ? window.first(0) : SampledRows.of(rows, window, sample);
  }

  /// Returns a short text that identifies these rows; empty for all.
  String id();

  /// Returns the number of rows.
  long count();

  int batchCount();

  /// Returns the index in the version of a batch.
  int storedBatch(int batch);

  /// Returns whether all rows of a batch are selected.
  boolean isWhole(int batch);

  /// Returns the selected rows of a batch.
  ///
  /// @param stored the batch with all its rows
  /// @param allocator for copies
  RecordBatch of(int batch, RecordBatch stored, SegmentAllocator allocator);

  /// Returns a batch whose buffers have the sizes of the buffers of [#of], and undefined content,
  /// or null if they take as long to find as the rows.
  ///
  /// @param stored the batch with all its rows
  /// @param allocator for what this takes, but not for values
  default @Nullable RecordBatch sizesOf(int batch, RecordBatch stored, SegmentAllocator allocator) {
    return null;
  }

  /// Returns the index of the batch with a row.
  int batchOf(long row);

  /// Returns the number of rows before a batch.
  ///
  /// @param batch the index of the batch, or the number of batches
  long before(int batch);

  /// Returns the cumulative rows of the batches.
  default CumulativeRows cumulative() {
    CumulativeRows cumulative = new CumulativeRows();
    for (int i = 0; i < batchCount(); i++) {
      cumulative.add(before(i + 1) - before(i));
    }
    return cumulative;
  }

  /// Returns whether all rows of the version are selected.
  default boolean isAll() {
    return id().isEmpty();
  }

  /// Returns whether a batch is selected in part.
  boolean slicesBatches();
}
