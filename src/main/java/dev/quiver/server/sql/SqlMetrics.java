package dev.quiver.server.sql;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.transfer.ResponseAbortedException;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.WorkerPools;
import dev.quiver.sql.query.Conditions;
import dev.quiver.sql.query.ForeignFiles;
import dev.quiver.sql.query.ParquetFiles;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.blob.Spool;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// Records statements by their outcome, and the workers that run them.
@Component
final class SqlMetrics {

  private static final String ABORTED = "aborted";

  private final MeterRegistry registry;

  SqlMetrics(
      MeterRegistry registry,
      WorkerPools pools,
      Queries queries,
      ForeignFiles files,
      ParquetFiles parquetFiles,
      Conditions conditions,
      Spool spool) {
    this.registry = registry;
    Gauge.builder("quiver.sql.running", pools, WorkerPools::runningCount).register(registry);
    Gauge.builder("quiver.sql.waiting", pools, WorkerPools::waitingCount).register(registry);
    Gauge.builder("quiver.files.reading", files, ForeignFiles::readCount).register(registry);
    Gauge.builder("quiver.sql.spooled", spool, Spool::taken).baseUnit("bytes").register(registry);
    Gauge.builder("quiver.files.waiting", files, ForeignFiles::waitingCount).register(registry);
    Gauge.builder("quiver.sql.workers", pools, WorkerPools::aliveCount).register(registry);
    Gauge.builder("quiver.sql.workers.memory", pools, WorkerPools::memoryByteSize)
        .baseUnit("bytes")
        .register(registry);
    FunctionCounter.builder("quiver.sql.workers.killed", pools, WorkerPools::killedCount)
        .register(registry);
    FunctionCounter.builder("quiver.sql.workers.failed", pools, WorkerPools::failedStartCount)
        .register(registry);
    Gauge.builder("quiver.spool.maximum", spool, Spool::maximum)
        .baseUnit("bytes")
        .register(registry);
    Gauge.builder("quiver.spool.kept.files", spool, known -> known.kept().count())
        .register(registry);
    FunctionCounter.builder("quiver.spool.evictions", spool, known -> known.kept().evictionCount())
        .register(registry);
    FunctionCounter.builder("quiver.parquet.written", parquetFiles, ParquetFiles::writtenCount)
        .register(registry);
    FunctionCounter.builder("quiver.sql.workers.started", pools, WorkerPools::startedCount)
        .register(registry);
    FunctionCounter.builder("quiver.sql.workers.ended", pools, WorkerPools::endedCount)
        .register(registry);
    FunctionCounter.builder("quiver.sql.batches.read", queries, Queries::readBatchCount)
        .register(registry);
    FunctionCounter.builder("quiver.sql.batches.skipped", queries, Queries::skippedBatchCount)
        .register(registry);
    FunctionCounter.builder("quiver.where.batches.read", conditions, Conditions::readBatchCount)
        .register(registry);
    FunctionCounter.builder(
            "quiver.where.batches.skipped", conditions, Conditions::skippedBatchCount)
        .register(registry);
  }

  /// The handling of a request with a statement.
  @FunctionalInterface
  interface Handling {
    void run() throws IOException;
  }

  /// Handles a request, and counts its statement.
  void record(Handling handling) throws IOException {
    long start = System.nanoTime();
    String outcome = "complete";
    try {
      handling.run();
    } catch (IOException | RuntimeException | Error e) {
      outcome = hasLost(e) ? ABORTED : outcome(e);
      throw e;
    } finally {
      registry
          .timer("quiver.sql.statements", "outcome", outcome)
          .record(Duration.ofNanos(System.nanoTime() - start));
    }
  }

  /// Returns whether a result could not be sent since its client has left. The statement may fail
  /// as well while its rows are sent, with the same exception.
  private static boolean hasLost(Throwable failure) {
    return failure instanceof ResponseAbortedException && Cancellation.current().isRequested();
  }

  private static String outcome(Throwable failure) {
    return switch (failure) {
      case SqlException.Invalid _, SqlException.Value _, ProblemException _ -> "invalid";
      case SqlException.Timeout _ -> "timeout";
      case SqlException.TooLarge _ -> "memory";
      case SqlException.WorkerLost _ -> "lost";
      case CancelledException _ -> ABORTED;
      default -> "failed";
    };
  }
}
