package dev.quiver.sql.query;

import org.jspecify.annotations.Nullable;

/// The number of rows that a statement has read of its versions. One thread writes, others read.
public final class ReadProgress {

  private volatile @Nullable Rows rows;

  /// The rows of a statement that has a worker.
  ///
  /// @param read the rows of the record batches that were read, each counted once
  /// @param total the rows of all record batches that the statement may need
  public record Rows(long read, long total) {

    /// Returns whether the statement reads any.
    public boolean isCounted() {
      return total > 0;
    }

    /// Returns the part of the counted rows that is read, from 0 to 1.
    public double fraction() {
      return (double) read / total;
    }
  }

  /// Takes note that the statement has a worker.
  ///
  /// @param total the rows of the record batches that the statement may need
  void begin(long total) {
    rows = new Rows(0, total);
  }

  /// @param count the rows of the record batches that were read
  void advance(long count) {
    Rows last = rows;
    if (last != null) {
      rows = new Rows(count, last.total);
    }
  }

  /// Returns the rows of this moment, or null before the statement has a worker.
  public @Nullable Rows rows() {
    return rows;
  }
}
