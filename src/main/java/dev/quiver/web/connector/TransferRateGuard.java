package dev.quiver.web.connector;

import dev.quiver.config.QuiverProperties;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Whether a transfer goes on fast enough.
///
/// A timeout on silence alone would let a client that sends one byte a minute hold a thread, a
/// connection and a blob for ever. Only the time spent waiting for the other side counts for its
/// rate: what this side computes or syncs in between is not the client's doing.
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

  /// How long it takes so far.
  public Duration elapsed() {
    return Duration.ofNanos(nanoTime.getAsLong() - start);
  }

  /// How long the other side may take or send nothing.
  public long idleMillis() {
    return TimeUnit.SECONDS.toMillis(limits.idleSeconds());
  }

  /// Notes that the other side has its turn: before a read of what it sends, or a write to it.
  public void startWaiting() {
    waitStart = nanoTime.getAsLong();
  }

  /// Notes that its turn is over.
  public void endWaiting() {
    waitedNanos += nanoTime.getAsLong() - waitStart;
  }

  /// What is wrong after `byteCount` bytes of an upload, or null when nothing is.
  public @Nullable String uploadViolation(long byteCount) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - start);
    return seconds > limits.uploadSeconds()
        ? "Expected a body within %d s (quiver.limits.upload-seconds) but found it unfinished"
                .formatted(limits.uploadSeconds())
            + at(byteCount)
        : rateViolation(byteCount);
  }

  /// What is wrong with the rate after `byteCount` bytes, or null when nothing is.
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
