package dev.quiver.server.transfer;

import dev.quiver.server.config.RequestLimits;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Checks whether a transfer is fast enough. The thread of the transfer asks after each step, and
/// the [ConnectionWatch] asks while that thread waits.
///
/// With only an idle timeout, a client that sends a byte per minute could hold a thread, a
/// connection and a blob indefinitely. The rate counts only the time spent waiting for the client,
/// since computation and syncs are not its fault. It covers a window, which begins anew once it was
/// fast enough: an average of the whole would let a fast start pay for hours of waiting.
public final class TransferRateGuard {

  private final RequestLimits limits;
  private final boolean isUpload;
  private final LongSupplier nanoTime;
  private final long start;
  private long byteCount;
  private long windowByteCount;

  /// The time spent waiting in the window, without the present wait.
  private long windowNanos;

  private boolean waiting;
  private long waitStart;

  /// The bytes that the client may accept in the present wait before it ends.
  private long offeredByteCount;

  private @Nullable String violation;

  private TransferRateGuard(RequestLimits limits, boolean isUpload, LongSupplier nanoTime) {
    this.limits = limits;
    this.isUpload = isUpload;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /// Returns the guard of a request body, which begins now.
  public static TransferRateGuard ofUpload(RequestLimits limits, HttpServletRequest request) {
    TransferRateGuard guard = ofUpload(limits, System::nanoTime);
    Exchange.of(request).watchUpload(guard);
    return guard;
  }

  public static TransferRateGuard ofUpload(RequestLimits limits, LongSupplier nanoTime) {
    return new TransferRateGuard(limits, /* isUpload= */ true, nanoTime);
  }

  /// Returns the guard of a response body, which begins now.
  public static TransferRateGuard ofDownload(RequestLimits limits, HttpServletRequest request) {
    TransferRateGuard guard = ofDownload(limits, System::nanoTime);
    Exchange.of(request).watchDownload(guard);
    return guard;
  }

  public static TransferRateGuard ofDownload(RequestLimits limits, LongSupplier nanoTime) {
    return new TransferRateGuard(limits, /* isUpload= */ false, nanoTime);
  }

  /// Returns the time since the start.
  public Duration elapsed() {
    return Duration.ofNanos(nanoTime.getAsLong() - start);
  }

  /// Returns how long the client may accept or send nothing.
  public long idleMillis() {
    return TimeUnit.SECONDS.toMillis(limits.idleSeconds());
  }

  /// Starts a wait for the client that ends as soon as any byte is moved.
  public void startWaiting() {
    startWaiting(0);
  }

  /// Starts a wait for the client that may end only when all bytes offered are accepted.
  public synchronized void startWaiting(long offered) {
    waiting = true;
    waitStart = nanoTime.getAsLong();
    offeredByteCount = offered;
  }

  /// Ends a wait for the client.
  public synchronized void endWaiting() {
    windowNanos += nanoTime.getAsLong() - waitStart;
    waiting = false;
    offeredByteCount = 0;
  }

  synchronized boolean isWaiting() {
    return waiting;
  }

  /// Counts bytes that were moved.
  public synchronized void count(long moved) {
    byteCount += moved;
    windowByteCount += moved;
  }

  /// Returns the number of bytes moved since the start.
  synchronized long byteCount() {
    return byteCount;
  }

  /// Returns the violation of the limits, or null if the transfer is fast enough. A violation is
  /// final.
  public synchronized @Nullable String violation() {
    if (violation == null) {
      violation = found();
    }
    return violation;
  }

  private @Nullable String found() {
    long now = nanoTime.getAsLong();
    long waitNanos = waiting ? now - waitStart : 0;
    if (isUpload && TimeUnit.NANOSECONDS.toSeconds(now - start) > limits.uploadSeconds()) {
      return "Expected a body within %d s (quiver.limits.upload-seconds) but found it unfinished"
              .formatted(limits.uploadSeconds())
          + at();
    }
    if (isUpload && TimeUnit.NANOSECONDS.toSeconds(waitNanos) > limits.idleSeconds()) {
      return "Expected more of the body within %d s (quiver.limits.idle-seconds) but found none"
              .formatted(limits.idleSeconds())
          + at();
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(windowNanos + waitNanos);
    long minimum = limits.minimumBytesPerSecond();
    if (minimum == 0 || seconds <= limits.idleSeconds() + offeredByteCount / minimum) {
      return null;
    }
    if (windowByteCount / seconds < minimum) {
      return "Expected at least %d bytes per second (quiver.limits.minimum-bytes-per-second) but found %d"
              .formatted(minimum, windowByteCount / seconds)
          + at();
    }
    windowByteCount = 0;
    windowNanos = -waitNanos;
    return null;
  }

  private String at() {
    return " at byte offset " + byteCount;
  }
}
