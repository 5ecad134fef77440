package dev.quiver.sql.query;

import dev.quiver.arrow.memory.LruCache;
import dev.quiver.arrow.memory.OverloadedException;
import dev.quiver.arrow.parallel.PermitQueue;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.WorkerPoolOptions;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/// The turns of evaluations over the rows of a version: conditions and statistics. There are as
/// many at a time as workers.
///
/// Their permits are apart from those for the workers that some of them need as well: nothing that
/// has a worker waits for one of these. Shared by threads.
final class EvaluationTurns {

  private final WorkerPoolOptions options;
  private final PermitQueue permits;

  EvaluationTurns(WorkerPoolOptions options) {
    this.options = options;
    this.permits = new PermitQueue(count());
  }

  private int count() {
    return Math.toIntExact(options.workers().maximum());
  }

  /// Runs an evaluation in its turn.
  ///
  /// @param what the evaluation, as a verb and its object
  /// @param wanted returns whether any request still wants the result
  /// @throws OverloadedException if too many evaluations wait, or wait for too long
  <V> V run(String what, BooleanSupplier wanted, LruCache.Loader<V> evaluation) throws IOException {
    try {
      if (!permits.acquire(options.queue().maximum(), options.patience(), wanted)) {
        throw rejection(what, wanted);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    try {
      return evaluation.load();
    } finally {
      permits.release();
    }
  }

  private RuntimeException rejection(String what, BooleanSupplier wanted) {
    return wanted.getAsBoolean()
        ? new OverloadedException(
            "Expected a turn to %s but found all %d taken (%s)"
                .formatted(what, count(), options.workers().name()))
        : new SqlException.Cancelled();
  }

  static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException(e);
  }
}
