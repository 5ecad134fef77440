package dev.quiver.dataset.file;

import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/// Turns to build a version with many record batches, one at a time in a process: building one
/// takes several times the memory of its footer, and each append builds all of it.
public final class LargeVersions {

  /// The number of record batches from which a version is large.
  public static final int BATCH_COUNT = 10_000;

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
  public static Turn await(long batchCount) throws InterruptedIOException {
    if (batchCount < BATCH_COUNT) {
      return Turn.UNLIMITED;
    }
    try {
      TURNS.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    return TURNS::release;
  }
}
