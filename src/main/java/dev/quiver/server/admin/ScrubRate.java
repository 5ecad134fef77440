package dev.quiver.server.admin;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/// A rate that reads do not exceed on average. Used by one thread.
final class ScrubRate {

  /// The longest wait at a time, after which the end of the task is noticed.
  private static final long NANOS_MAXIMUM = TimeUnit.MILLISECONDS.toNanos(100);

  private final long bytesPerSecond;
  private final Cancellation cancellation = Cancellation.current();
  private long next = System.nanoTime();

  ScrubRate(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /// Waits until bytes may be read.
  ///
  /// @throws CancelledException if the task is to end
  void await(long byteSize) throws IOException {
    long now = System.nanoTime();
    // Time in which nothing was read is not made up for.
    next = Math.max(next, now);
    while (next - now > 0) {
      cancellation.throwIfRequested();
      try {
        TimeUnit.NANOSECONDS.sleep(Math.min(next - now, NANOS_MAXIMUM));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
      now = System.nanoTime();
    }
    cancellation.throwIfRequested();
    next += (long) (1e9 * byteSize / bytesPerSecond);
  }
}
