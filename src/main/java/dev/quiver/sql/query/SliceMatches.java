package dev.quiver.sql.query;

import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;

/// The matches of a version, gathered in the order of its rows, slice by slice.
final class SliceMatches {

  /// The matches of some rows of a batch.
  ///
  /// @param from the first row of the slice in the batch, a multiple of 64
  /// @param bits a bit for each row; further bits are zero
  /// @param isLast whether the batch has no further slice
  record Slice(long from, long[] bits, boolean isLast) {}

  private final Snapshot snapshot;
  private final RowMatches among;
  private final RowMatches.Builder found = new RowMatches.Builder();
  private int index;
  private long[] bits = {};

  /// @param among the rows that may match, of all batches with slices
  SliceMatches(Snapshot snapshot, RowMatches among) {
    this.snapshot = snapshot;
    this.among = among;
  }

  /// Returns the approximate number of bytes that the matches so far take.
  long heapByteSize() {
    return found.heapByteSize();
  }

  RowMatches build(String id) {
    return found.build(id);
  }

  /// Adds the next slice.
  void add(Slice slice) throws IOException {
    if (slice.from == 0) {
      bits = new long[words(rowCount())];
    }
    System.arraycopy(slice.bits, 0, bits, (int) (slice.from >>> 6), slice.bits.length);
    if (slice.isLast) {
      finish();
    }
  }

  /// Adds all rows of the next batch.
  void addAll() throws IOException {
    if (start() >= snapshot.firstRow()) {
      found.add(among.batch(index), rowCount());
      index++;
      return;
    }
    bits = new long[words(rowCount())];
    for (long row = 0; row < rowCount(); row++) {
      bits[(int) (row >>> 6)] |= 1L << row;
    }
    finish();
  }

  private void finish() throws IOException {
    for (long row = snapshot.firstRow() - start() - 1; row >= 0; row--) {
      bits[(int) (row >>> 6)] &= ~(1L << row);
    }
    long[] candidates = among.bits(index);
    for (int word = 0; candidates.length > 0 && word < bits.length; word++) {
      bits[word] &= word < candidates.length ? candidates[word] : 0;
    }
    found.add(among.batch(index), bits, rowCount());
    index++;
  }

  private long start() throws IOException {
    return snapshot.rowsBefore(among.batch(index));
  }

  private long rowCount() throws IOException {
    return EvaluationLimits.rows(snapshot, among.batch(index));
  }

  private static int words(long rowCount) {
    return Math.toIntExact(Math.ceilDiv(rowCount, (long) Long.SIZE));
  }
}
