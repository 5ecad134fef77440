package dev.quiver.sql.query;

import dev.quiver.sql.worker.StoredTable.Numbering;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.util.Arrays;

/// Some batches of a version with candidates: the rows that a condition is still evaluated for. Has
/// a bit for each row that matches.
final class CandidateRows {

  /// The size above which candidates are not sent to a worker.
  private static final int WORDS_MAXIMUM = 1 << 20;

  private static final long[] ALL = {};

  private final int[] batches;

  /// The first row of each batch.
  private final long[] starts;

  private final long[] rowCounts;

  /// A bit for each candidate of each batch; empty if all its rows are.
  private final long[][] candidates;

  private final long[][] bits;

  /// The batch with the row marked last. Rows come in runs.
  private int current;

  private CandidateRows(int count) {
    this.batches = new int[count];
    this.starts = new long[count];
    this.rowCounts = new long[count];
    this.candidates = new long[count][];
    this.bits = new long[count][];
  }

  /// @param from the first batch among those with candidates
  /// @param to the batch after the last one
  static CandidateRows of(Snapshot snapshot, RowMatches candidates, int from, int to)
      throws IOException {
    CandidateRows group = new CandidateRows(to - from);
    for (int i = 0; i < to - from; i++) {
      int batch = candidates.batch(from + i);
      group.batches[i] = batch;
      group.starts[i] = snapshot.rowsBefore(batch);
      group.rowCounts[i] = snapshot.rowsBefore(batch + 1) - group.starts[i];
      group.candidates[i] = candidates.bits(from + i);
      group.bits[i] = new long[Math.toIntExact(Math.ceilDiv(group.rowCounts[i], (long) Long.SIZE))];
    }
    return group;
  }

  /// Returns the indices of the batches in the version.
  int[] batches() {
    return batches;
  }

  /// @param name the name of the column with the numbers of the rows
  /// @param columns the indices of the columns that are needed
  Numbering numbering(String name, int[] columns) {
    long[][] sent = candidates.clone();
    Arrays.setAll(sent, i -> sent[i].length > WORDS_MAXIMUM ? ALL : sent[i]);
    return new Numbering(name, columns, starts, sent);
  }

  /// Marks a row.
  ///
  /// @param row its number in the version
  /// @throws IllegalArgumentException if the group does not have the row
  void mark(long row) {
    if (!isIn(current, row)) {
      int found = Arrays.binarySearch(starts, row);
      current = found < 0 ? -found - 2 : found;
    }
    if (!isIn(current, row)) {
      throw new IllegalArgumentException("Expected a row of the group but found " + row);
    }
    long offset = row - starts[current];
    bits[current][(int) (offset >>> 6)] |= 1L << offset;
  }

  private boolean isIn(int batch, long row) {
    return batch >= 0
        && batch < starts.length
        && row >= starts[batch]
        && row < starts[batch] + rowCounts[batch];
  }

  /// Adds the marked rows of all batches.
  void addTo(RowMatches.Builder matches) {
    for (int i = 0; i < batches.length; i++) {
      for (int word = 0; candidates[i].length > 0 && word < bits[i].length; word++) {
        bits[i][word] &= word < candidates[i].length ? candidates[i][word] : 0;
      }
      matches.add(batches[i], bits[i], rowCounts[i]);
    }
  }
}
