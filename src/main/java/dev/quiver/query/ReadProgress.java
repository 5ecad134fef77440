package dev.quiver.query;

import org.jspecify.annotations.Nullable;

/// How many rows a statement has read of the versions that it reads. One thread writes, others
/// read.
public final class ReadProgress {

  private static final long UNKNOWN = -1;

  private volatile long rowsRead = UNKNOWN;
  private volatile long rowsTotal = UNKNOWN;
  private volatile boolean begun;

  /// Takes note that the statement has a worker, and starts to count, unless nothing is to be read.
  ///
  /// @param total the rows of the record batches that the statement may need
  void begin(long total) {
    if (total > 0) {
      rowsTotal = total;
      rowsRead = 0;
    }
    begun = true;
  }

  /// @param count the rows of the record batches that were read
  void advance(long count) {
    rowsRead = count;
  }

  /// Returns whether the statement has got a worker that runs it.
  public boolean hasBegun() {
    return begun;
  }

  /// Returns the part of the rows that is read, from 0 to 1, or null like those read.
  public @Nullable Double fraction() {
    Long read = rowsRead();
    Long total = rowsTotal();
    return read == null || total == null ? null : (double) read / total;
  }

  /// Returns the rows of the record batches that were read, each counted once; null before the
  /// statement runs, or if it reads none.
  public @Nullable Long rowsRead() {
    return known(rowsRead);
  }

  /// Returns the rows of all record batches that the statement may need, or null like those read.
  public @Nullable Long rowsTotal() {
    return known(rowsTotal);
  }

  private static @Nullable Long known(long count) {
    return count == UNKNOWN ? null : count;
  }
}
