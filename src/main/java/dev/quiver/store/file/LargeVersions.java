package dev.quiver.store.file;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.OverloadedException;
import java.io.InterruptedIOException;
import java.time.Duration;

/// Turns to build a version with many record batches, one at a time in a process: building one
/// takes several times the memory of its footer, and each append builds all of it.
public final class LargeVersions {

  /// The number of record batches from which a version is large.
  public static final int BATCH_COUNT = 10_000;

  private static final Limit LIMIT =
      new Limit("of %d record batches or more".formatted(BATCH_COUNT), 1);

  /// The time that a write waits, with a thread, a connection and its upload. A version takes
  /// seconds to build, unless it rewrites data or the store is slow.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Admission TURNS =
      new Admission(
          OverloadedException.sentence(LIMIT, "versions built at a time"),
          /* permits= */ 1,
          Long.MAX_VALUE,
          PATIENCE);

  private LargeVersions() {}

  /// Waits until a version may be built. That goes on for a client that has left: it may have ended
  /// its sending alone, and what it sent is to be stored.
  ///
  /// @param batchCount the number of record batches of the version
  /// @throws OverloadedException if other versions take more than a minute
  public static Permit await(long batchCount) throws InterruptedIOException {
    return batchCount < BATCH_COUNT ? Permit.UNLIMITED : Cancellation.NEVER.call(TURNS::enter);
  }
}
