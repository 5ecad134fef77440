package dev.quiver.server.transfer;

import dev.quiver.arrow.parallel.Cancellation;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// The rate at which bodies are sent to one principal, over all of its requests. Shared by threads.
///
/// Bytes count before they are sent, and are sent once the time of those before them has passed. Of
/// the time that was not used, a second counts. A wait blocks the thread of the request, as that
/// for a slow client does.
public final class Pace {

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// The time after which a waiting response looks whether its client is still there.
  private static final long PROBE_NANOS = SECOND_NANOS;

  private final long bytesPerSecond;
  private final LongSupplier nanoTime;
  private final Sleep sleep;

  /// The end of the time of all bytes until now.
  private long paidAt;

  /// A wait for some nanoseconds.
  @FunctionalInterface
  interface Sleep {
    void sleep(long nanos) throws InterruptedException;
  }

  public Pace(long bytesPerSecond) {
    this(bytesPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  Pace(long bytesPerSecond, LongSupplier nanoTime, Sleep sleep) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoTime = nanoTime;
    this.sleep = sleep;
    this.paidAt = nanoTime.getAsLong();
  }

  /// Returns the most bytes to send at once, the bytes of a second.
  long stepByteSize() {
    return bytesPerSecond;
  }

  /// Returns whether nothing is due anymore.
  public synchronized boolean isAtRest() {
    return paidAt - nanoTime.getAsLong() <= 0;
  }

  /// Counts bytes, and waits until they may be sent. Looks once a second whether the client is
  /// gone.
  ///
  /// @throws IOException if the client is gone, or the thread is interrupted; the bytes do not
  ///   count
  void take(long byteSize) throws IOException {
    Cancellation cancellation = Cancellation.current();
    long start = start(byteSize);
    boolean taken = false;
    try {
      for (long wait = start - nanoTime.getAsLong();
          wait > 0;
          wait = start - nanoTime.getAsLong()) {
        sleep.sleep(Math.min(wait, PROBE_NANOS));
        if (cancellation.isRequested()) {
          throw new EOFException("Expected a client that waits but found a closed connection");
        }
      }
      taken = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Expected to wait for the rate but was interrupted");
    } finally {
      if (!taken) {
        giveBack(byteSize);
      }
    }
  }

  /// Returns when bytes may be sent, which take their time from then on.
  private synchronized long start(long byteSize) {
    long idleSince = nanoTime.getAsLong() - SECOND_NANOS;
    long start = paidAt - idleSince > 0 ? paidAt : idleSince;
    paidAt = start + nanos(byteSize);
    return start;
  }

  /// Gives back bytes that were not sent.
  void giveBack(long byteSize) {
    if (byteSize == 0) {
      return;
    }
    synchronized (this) {
      paidAt -= nanos(byteSize);
    }
  }

  private long nanos(long byteSize) {
    return (long) ((double) SECOND_NANOS * byteSize / bytesPerSecond);
  }
}
