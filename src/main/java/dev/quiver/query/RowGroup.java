package dev.quiver.query;

import dev.quiver.dataset.read.RowMatches;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.worker.protocol.StoredTable.Numbering;
import java.io.IOException;
import java.util.Arrays;

/// Consecutive batches of a version, with a bit for each row.
final class RowGroup {

  private final int firstBatch;

  /// The first row of each batch, then the row after the last one.
  private final long[] starts;

  private final long[][] bits;

  /// The batch with the row marked last. Rows come in runs.
  private int current;

  private RowGroup(int firstBatch, long[] starts) {
    this.firstBatch = firstBatch;
    this.starts = starts;
    this.bits = new long[starts.length - 1][];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = new long[Math.toIntExact(Math.ceilDiv(rowCount(i), (long) Long.SIZE))];
    }
  }

  /// @param to the batch after the last one
  static RowGroup of(Snapshot snapshot, int from, int to) throws IOException {
    long[] starts = new long[to - from + 1];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = snapshot.rowsBefore(from + i);
    }
    return new RowGroup(from, starts);
  }

  private long rowCount(int batch) {
    return starts[batch + 1] - starts[batch];
  }

  /// @param name the name of the column with the numbers of the rows
  /// @param columns the indices of the columns that are needed
  Numbering numbering(String name, int[] columns) {
    int[] batches = new int[bits.length];
    Arrays.setAll(batches, i -> firstBatch + i);
    return new Numbering(name, columns, batches, Arrays.copyOf(starts, bits.length));
  }

  /// Marks a row.
  ///
  /// @param row its number in the version
  /// @throws IllegalArgumentException if the group does not have the row
  void mark(long row) {
    if (row < starts[current] || row >= starts[current + 1]) {
      current = batchOf(row);
    }
    long offset = row - starts[current];
    bits[current][(int) (offset >>> 6)] |= 1L << offset;
  }

  /// Returns the batch with a row: the last one that starts at it or before, since empty batches
  /// start where the next one does.
  private int batchOf(long row) {
    if (row < starts[0] || row >= starts[bits.length]) {
      throw new IllegalArgumentException(
          "Expected a row from %d to %d but found %d"
              .formatted(starts[0], starts[bits.length] - 1, row));
    }
    int low = 0;
    int high = bits.length - 1;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (starts[middle] <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// Adds the marked rows of all batches.
  void addTo(RowMatches.Builder matches) {
    for (int i = 0; i < bits.length; i++) {
      matches.add(firstBatch + i, bits[i], rowCount(i));
    }
  }
}
