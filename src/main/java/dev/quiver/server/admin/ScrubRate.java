package dev.quiver.server.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// A rate that reads do not exceed on average. Used by one thread.
final class ScrubRate {

  /// The longest wait at a time, after which the end of the task is noticed.
  private static final long NANOS_MAXIMUM = TimeUnit.MILLISECONDS.toNanos(100);

  private final long bytesPerSecond;
  private final BooleanSupplier shouldContinue;
  private long next = System.nanoTime();

  ScrubRate(long bytesPerSecond, BooleanSupplier shouldContinue) {
    this.bytesPerSecond = bytesPerSecond;
    this.shouldContinue = shouldContinue;
  }

  /// Waits until bytes may be read.
  ///
  /// @throws InterruptedIOException if the task is to end
  void await(long byteSize) throws IOException {
    long now = System.nanoTime();
    // Time in which nothing was read is not made up for.
    next = Math.max(next, now);
    while (next - now > 0) {
      requireWanted();
      try {
        TimeUnit.NANOSECONDS.sleep(Math.min(next - now, NANOS_MAXIMUM));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
      now = System.nanoTime();
    }
    requireWanted();
    next += (long) (1e9 * byteSize / bytesPerSecond);
  }

  private void requireWanted() throws InterruptedIOException {
    if (!shouldContinue.getAsBoolean()) {
      throw new InterruptedIOException("The task is to end");
    }
  }
}
