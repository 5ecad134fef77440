package dev.quiver.store.read;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.transform.TakenRows;
import dev.quiver.store.file.CumulativeRows;
import java.lang.foreign.SegmentAllocator;
import org.jspecify.annotations.Nullable;

/// Consecutive ones of the rows that match a condition, or some of them that are spread evenly.
///
/// Only batches that have such rows are part of the selection.
///
/// @param rows the rows of the version
/// @param matches the matching rows
/// @param start the first match of the window
/// @param end the match after the last one of the window
/// @param firstBatch the first batch with a row of the window, among those with matches
/// @param batchCount the number of batches with rows of the window
record MatchingRows(
    CumulativeRows rows, RowMatches matches, long start, long end, int firstBatch, int batchCount)
    implements SelectedRows {

  /// Returns the window of a selection, which counts matches.
  static MatchingRows of(CumulativeRows rows, RowMatches matches, Selection selection) {
    long total = matches.count();
    long offset = selection.offset();
    long start = offset < 0 ? Math.max(total + offset, 0) : Math.min(offset, total);
    long end = start + Math.min(selection.limit(), total - start);
    Integer sample = selection.sample();
    if (sample != null && sample == 0) {
      end = start;
    } else if (sample != null && sample < end - start) {
      RowMatches sampled = matches.sample(start, end, sample);
      return new MatchingRows(rows, sampled, 0, sample, 0, sampled.batchCount());
    }
    if (start == end) {
      return new MatchingRows(rows, matches, start, end, 0, 0);
    }
    int first = matches.batchOf(start);
    return new MatchingRows(rows, matches, start, end, first, matches.batchOf(end - 1) + 1 - first);
  }

  @Override
  public String id() {
    return start == 0 && end == matches.count()
        ? matches.id()
        : "%s-rows-%d-%d".formatted(matches.id(), start, end);
  }

  @Override
  public long count() {
    return end - start;
  }

  @Override
  public int storedBatch(int batch) {
    return matches.batch(firstBatch + batch);
  }

  @Override
  public boolean isWhole(int batch) {
    int stored = storedBatch(batch);
    return before(batch + 1) - before(batch) == rows.before(stored + 1) - rows.before(stored);
  }

  @Override
  public RecordBatch of(int batch, RecordBatch stored, SegmentAllocator allocator) {
    return taken(batch, allocator).of(stored, allocator);
  }

  @Override
  public @Nullable RecordBatch sizesOf(int batch, RecordBatch stored, SegmentAllocator allocator) {
    return taken(batch, allocator).sizesOf(stored);
  }

  private TakenRows taken(int batch, SegmentAllocator allocator) {
    int index = firstBatch + batch;
    long first = matches.before(index);
    SlotRanges taken = new SlotRanges(allocator);
    matches.addTo(
        taken,
        index,
        Math.max(start, first) - first,
        Math.min(end, matches.before(index + 1)) - first);
    return new TakenRows(taken);
  }

  @Override
  public int batchOf(long row) {
    return matches.batchOf(start + row) - firstBatch;
  }

  @Override
  public long before(int batch) {
    return Math.clamp(matches.before(firstBatch + batch), start, end) - start;
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
