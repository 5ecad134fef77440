package dev.quiver.sql.query;

import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.sql.execution.WorkerPoolOptions;
import java.io.IOException;

/// The turns of evaluations over the rows of a version: conditions and statistics. There are as
/// many at a time as workers.
///
/// Their permits are apart from those for the workers that some of them need as well: nothing that
/// has a worker waits for one of these. Shared by threads.
public final class EvaluationTurns {

  private final WorkerPoolOptions options;
  private final int count;
  private final Admission admission;

  public EvaluationTurns(WorkerPoolOptions options) {
    this.options = options;
    this.count = Math.toIntExact(options.workers().maximum());
    this.admission =
        new Admission(rejection("evaluate"), count, options.queue().maximum(), options.patience());
  }

  /// Runs an evaluation in its turn.
  ///
  /// @param what the evaluation, as a verb and its object
  /// @throws OverloadedException if too many evaluations wait, or wait for too long
  /// @throws CancelledException if no request wants the result anymore
  <V> V run(String what, LruCache.Loader<V> evaluation) throws IOException {
    try (Permit _ = admission.enter(rejection(what))) {
      return evaluation.load();
    }
  }

  private String rejection(String what) {
    return "Expected a turn to %s but found all %d taken (%s)"
        .formatted(what, count, options.workers().name());
  }

  static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException(e);
  }
}
