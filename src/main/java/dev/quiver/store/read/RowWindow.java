package dev.quiver.store.read;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.transform.RowRange;
import dev.quiver.store.file.CumulativeRows;
import java.lang.foreign.SegmentAllocator;

/// Consecutive rows of a version.
///
/// A window of all rows includes all batches. Any other window omits empty batches, except those
/// between two non-empty ones.
///
/// @param rows the rows of the version
/// @param start the first row
/// @param end the row after the last one
/// @param firstBatch the index of the first batch
/// @param batchCount the number of batches that contain the rows
record RowWindow(CumulativeRows rows, long start, long end, int firstBatch, int batchCount)
    implements SelectedRows {

  static RowWindow of(CumulativeRows rows, long origin, Selection selection) {
    long before = Math.min(origin, rows.total());
    long offset = selection.offset();
    long start =
        offset < 0
            ? Math.max(rows.total() + offset, before)
            : before + Math.min(offset, rows.total() - before);
    return of(rows, start, start + Math.min(selection.limit(), rows.total() - start));
  }

  private static RowWindow of(CumulativeRows rows, long start, long end) {
    if (start == 0 && end == rows.total()) {
      return new RowWindow(rows, start, end, 0, rows.batchCount());
    }
    if (start == end) {
      return new RowWindow(rows, start, end, 0, 0);
    }
    int first = rows.batchOf(start);
    return new RowWindow(rows, start, end, first, rows.batchOf(end - 1) + 1 - first);
  }

  /// Returns the first rows of this window.
  RowWindow first(long count) {
    return of(rows, start, start + count);
  }

  @Override
  public String id() {
    return start == 0 && end == rows.total() ? "" : "rows-%d-%d".formatted(start, end);
  }

  @Override
  public long count() {
    return end - start;
  }

  @Override
  public int storedBatch(int batch) {
    return firstBatch + batch;
  }

  @Override
  public boolean isWhole(int batch) {
    RowRange range = range(batch);
    return range.length() == rows.before(firstBatch + batch + 1) - rows.before(firstBatch + batch);
  }

  @Override
  public RecordBatch of(int batch, RecordBatch stored, SegmentAllocator allocator) {
    return range(batch).of(stored, allocator);
  }

  @Override
  public int batchOf(long row) {
    return rows.batchOf(start + row) - firstBatch;
  }

  @Override
  public long before(int batch) {
    return Math.clamp(rows.before(firstBatch + batch), start, end) - start;
  }

  @Override
  public CumulativeRows cumulative() {
    return isAll() ? rows : SelectedRows.super.cumulative();
  }

  @Override
  public boolean slicesBatches() {
    return batchCount > 0 && !(isWhole(0) && isWhole(batchCount - 1));
  }

  private RowRange range(int batch) {
    long before = rows.before(firstBatch + batch);
    long from = Math.max(start, before);
    return new RowRange(from - before, Math.min(end, rows.before(firstBatch + batch + 1)) - from);
  }
}
