package dev.quiver.store.read;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.transform.TakenRows;
import dev.quiver.store.file.CumulativeRows;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;

/// Rows that are spread evenly over a window: the i-th of n is the row ⌊i · rows / n⌋ of the
/// window.
///
/// Only batches with such rows are part of the selection, each with these rows alone. At most one
/// batch has to be in memory.
final class SampledRows implements SelectedRows {

  private final CumulativeRows rows;
  private final RowWindow window;
  private final int count;

  /// The indices in the version of the batches that have selected rows.
  private int[] batches = new int[16];

  /// The number of selected rows before each batch.
  private int[] before = new int[16];

  private int batchCount;

  private SampledRows(CumulativeRows rows, RowWindow window, int count) {
    this.rows = rows;
    this.window = window;
    this.count = count;
  }

  /// @param count positive, and less than the window has
  static SampledRows of(CumulativeRows rows, RowWindow window, int count) {
    SampledRows sampled = new SampledRows(rows, window, count);
    for (int i = 0; i < count; i = sampled.firstFrom(rows.before(sampled.lastBatch() + 1))) {
      sampled.add(rows.batchOf(sampled.row(i)), i);
    }
    return sampled;
  }

  private void add(int batch, int rowsBefore) {
    if (batchCount == batches.length) {
      batches = Arrays.copyOf(batches, 2 * batchCount);
      before = Arrays.copyOf(before, 2 * batchCount);
    }
    batches[batchCount] = batch;
    before[batchCount] = rowsBefore;
    batchCount++;
  }

  private int lastBatch() {
    return batches[batchCount - 1];
  }

  /// Returns the row of the version that is the i-th selected one.
  private long row(int i) {
    // Each factor is less than 2³¹, so that no product overflows.
    return window.start() + i * (window.count() / count) + i * (window.count() % count) / count;
  }

  /// Returns the index of the first selected row that is at least a row of the version, or their
  /// number if absent.
  private int firstFrom(long row) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (row(middle) < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public String id() {
    return "rows-%d-%d-sample-%d".formatted(window.start(), window.end(), count);
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public int batchCount() {
    return batchCount;
  }

  @Override
  public int storedBatch(int batch) {
    return batches[batch];
  }

  @Override
  public boolean isWhole(int batch) {
    int stored = batches[batch];
    return before(batch + 1) - before(batch) == rows.before(stored + 1) - rows.before(stored);
  }

  @Override
  public RecordBatch of(int batch, RecordBatch stored, SegmentAllocator allocator) {
    long first = rows.before(batches[batch]);
    SlotRanges taken = new SlotRanges(allocator);
    for (int i = before[batch]; i < before(batch + 1); i++) {
      taken.add(row(i) - first, 1);
    }
    return new TakenRows(taken).of(stored, allocator);
  }

  @Override
  public int batchOf(long row) {
    int found = Arrays.binarySearch(before, 0, batchCount, (int) row);
    return found < 0 ? -found - 2 : found;
  }

  @Override
  public long before(int batch) {
    return batch == batchCount ? count : before[batch];
  }

  @Override
  public boolean slicesBatches() {
    for (int i = 0; i < batchCount; i++) {
      if (!isWhole(i)) {
        return true;
      }
    }
    return false;
  }
}
