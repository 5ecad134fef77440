package dev.quiver.web.connector;

import dev.quiver.config.QuiverProperties;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Checks whether a transfer is fast enough. The caller ends one that is not.
///
/// With only an idle timeout, a client that sends a byte per minute could hold a thread, a
/// connection and a blob indefinitely. The rate counts only the time spent waiting for the client,
/// since computation and syncs are not its fault.
public final class TransferRateGuard {

  private final QuiverProperties.RequestLimits limits;
  private final LongSupplier nanoTime;
  private final long start;
  private long waitStart;
  private long waitedNanos;

  public TransferRateGuard(QuiverProperties.RequestLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  public static TransferRateGuard start(QuiverProperties.RequestLimits limits) {
    return new TransferRateGuard(limits, System::nanoTime);
  }

  /// Returns the time since the start.
  public Duration elapsed() {
    return Duration.ofNanos(nanoTime.getAsLong() - start);
  }

  /// Returns how long the client may accept or send nothing.
  public long idleMillis() {
    return TimeUnit.SECONDS.toMillis(limits.idleSeconds());
  }

  /// Starts a wait for the client, before a read or a write.
  public void startWaiting() {
    waitStart = nanoTime.getAsLong();
  }

  /// Ends a wait for the client.
  public void endWaiting() {
    waitedNanos += nanoTime.getAsLong() - waitStart;
  }

  /// Returns the violation of an upload after `byteCount` bytes, or null if it is fast enough.
  public @Nullable String uploadViolation(long byteCount) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - start);
    return seconds > limits.uploadSeconds()
        ? "Expected a body within %d s (quiver.limits.upload-seconds) but found it unfinished"
                .formatted(limits.uploadSeconds())
            + at(byteCount)
        : rateViolation(byteCount);
  }

  /// Returns the violation of the minimum rate after `byteCount` bytes, or null if it is fast
  /// enough.
  public @Nullable String rateViolation(long byteCount) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(waitedNanos);
    return seconds > limits.idleSeconds() && byteCount / seconds < limits.minimumBytesPerSecond()
        ? "Expected at least %d bytes per second (quiver.limits.minimum-bytes-per-second) but found %d"
                .formatted(limits.minimumBytesPerSecond(), byteCount / seconds)
            + at(byteCount)
        : null;
  }

  private static String at(long byteCount) {
    return " at byte offset " + byteCount;
  }
}
