package dev.quiver.store.file;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.OverloadedException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Turns to build a version with many record batches, one at a time in a process: building one
/// takes several times the memory of its footer, and each append builds all of it.
public final class LargeVersions {

  /// The number of record batches from which a version is large.
  public static final int BATCH_COUNT = 10_000;

  private static final Limit LIMIT =
      new Limit("of %d record batches or more".formatted(BATCH_COUNT), 1);

  /// How long a write waits, with a thread, a connection and its upload. Building a version takes
  /// seconds, unless it rewrites data or the store is slow.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Semaphore TURNS = new Semaphore(1, /* fair= */ true);

  private LargeVersions() {}

  /// The permission to build a version, until it is closed.
  public interface Turn extends AutoCloseable {

    /// The permission to build a version that is not large.
    Turn UNLIMITED = () -> {};

    @Override
    void close();
  }

  /// Waits until a version may be built.
  ///
  /// @param batchCount the number of its record batches
  /// @throws OverloadedException if other versions take more than a minute
  public static Turn await(long batchCount) throws InterruptedIOException {
    return await(batchCount, PATIENCE);
  }

  /// Waits until a version may be built.
  ///
  /// @param batchCount the number of its record batches
  /// @throws OverloadedException if other versions take longer than `patience`
  public static Turn await(long batchCount, Duration patience) throws InterruptedIOException {
    if (batchCount < BATCH_COUNT) {
      return Turn.UNLIMITED;
    }
    try {
      if (!TURNS.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new OverloadedException(LIMIT, "versions built at a time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    return TURNS::release;
  }
}
