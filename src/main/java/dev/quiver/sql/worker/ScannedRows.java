package dev.quiver.sql.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/// The rows of the record batches that a statement has read, reported now and then. Shared by the
/// threads of the engine.
final class ScannedRows {

  /// The time between two calls of the listener, by threads that have just read a batch.
  private static final long INTERVAL_NANOS = Duration.ofMillis(250).toNanos();

  private final Listener listener;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong toldAtNanos = new AtomicLong(System.nanoTime());

  /// The batches that no thread has read yet.
  private final AtomicInteger unread = new AtomicInteger();

  ScannedRows(Listener listener) {
    this.listener = listener;
  }

  /// Learns of the rows. Several threads may call it.
  @FunctionalInterface
  interface Listener {

    /// @param count the rows of the batches that were read so far
    void read(long count) throws IOException;
  }

  /// The batches of one version. Each counts once, however often a statement reads it, so that the
  /// count ends at the number of rows of the version.
  final class Batches {

    private final AtomicIntegerArray readBits;

    private Batches(int batchCount) {
      this.readBits = new AtomicIntegerArray((batchCount + Integer.SIZE - 1) / Integer.SIZE);
    }

    /// Counts a batch that was read.
    void add(int batchIndex, long rowCount) {
      int word = batchIndex / Integer.SIZE;
      int bit = 1 << batchIndex;
      if ((readBits.getAndUpdate(word, bits -> bits | bit) & bit) == 0) {
        count.addAndGet(rowCount);
        if (unread.decrementAndGet() == 0) {
          // The statement may go on for long without reading rows to report.
          tell();
        } else {
          tellInTime();
        }
      }
    }
  }

  /// Returns the batches of a version, before any of them is read.
  Batches ofVersion(int batchCount) {
    unread.addAndGet(batchCount);
    return new Batches(batchCount);
  }

  private void tellInTime() {
    long last = toldAtNanos.get();
    long now = System.nanoTime();
    if (now - last >= INTERVAL_NANOS && toldAtNanos.compareAndSet(last, now)) {
      tell();
    }
  }

  /// Reports one count after the other, none less than the one before.
  private synchronized void tell() {
    try {
      listener.read(count.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reports all rows, if any, once no thread reads more of them.
  void tellAll() throws IOException {
    if (count.get() > 0) {
      listener.read(count.get());
    }
  }
}
