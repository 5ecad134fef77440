package dev.quiver.server.write;

import dev.quiver.arrow.ipc.Framing;
import dev.quiver.formats.FileReport;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.LogContext;
import dev.quiver.server.http.Problem;
import dev.quiver.sql.query.ReadProgress;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.SpooledFile;
import dev.quiver.store.log.AuditEvent;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.log.JobMonitor;
import dev.quiver.store.log.JobProgress;
import dev.quiver.store.log.JobResult;
import dev.quiver.store.log.JobWork;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.UploadObserver;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// An upload whose body was received.
///
/// @param body closed with this
/// @param byteSize of the body, which is unknown once it is closed
/// @param sha256 the digest of the body, which was verified, or null if unknown
/// @param outcome told the end
/// @param requestId the id of the request that brought the body
/// @param statement ends the statement among those of the principal
/// @param audit told of the end
/// @param onFinal called once the end is written, if it is one that another attempt would have too
record UploadWork(
    Datasets datasets,
    ArrowBodies bodies,
    WriteProblems problems,
    UploadMetrics metrics,
    WriteRequest write,
    UploadFormat.Data format,
    SpooledFile body,
    long byteSize,
    @Nullable String sha256,
    UploadOutcome outcome,
    String requestId,
    Runnable statement,
    AuditLog audit,
    Runnable onFinal)
    implements JobWork {

  private static final int FIRST_SERVER_ERROR = 500;

  private Principal origin() {
    return write.access().principal();
  }

  @Override
  public String principal() {
    return origin().id();
  }

  @Override
  public JobResult run(JobMonitor monitor) throws IOException {
    LogContext.begin(requestId);
    try {
      return store(monitor);
    } finally {
      LogContext.end();
    }
  }

  private JobResult store(JobMonitor monitor) throws IOException {
    AtomicLong rowsRead = new AtomicLong();
    try (SpooledFile.Content content = body.open();
        ArrowBody data = bodies.of(body, content, format, origin())) {
      write.prepare(datasets, data);
      if (format instanceof UploadFormat.Sql) {
        // It may read for long before it has its first row.
        ReadProgress progress = data.progress();
        monitor.measureBy(() -> ofStatement(progress));
      }
      boolean arrow = data.isArrow();
      boolean inOrder = arrow && !isFile();
      if (!(format instanceof UploadFormat.Sql)) {
        Long rowsTotal = data.rowCount();
        monitor.measureBy(() ->
            inOrder && byteSize > 0
                ? new JobProgress((double) content.position() / byteSize, rowsRead.get(), null)
                : ofFile(rowsRead.get(), rowsTotal));
      }
      UploadOptions options =
          data.described(write.options(), () -> sha256)
              .observedBy(observer(monitor, rowsRead, this::rewrite));
      WriteResult written = write.write(datasets, data, options);
      WriteResult result = written.withLineage(origin().permissions().visible(written.lineage()));
      FileReport report = data.report();
      Object document =
          WriteResponse.document(result, data.inferredSchema(), report, write.reply().isVerbose());
      metrics.count(result, report);
      outcome.store(new UploadOutcome.Written(result, document));
      record(result.summary().name(), result.summary().version(), /* status= */ null);
      return new JobResult(result.summary().reference(), Json.members(document));
    }
  }

  /// Tells the audit log of the end.
  ///
  /// @param version the version that was stored, or null
  /// @param status that of the problem, or null
  private void record(
      @Nullable DatasetName dataset, @Nullable Long version, @Nullable Integer status) {
    audit.write(
        new AuditEvent(
            Instant.now(),
            requestId,
            origin().id(),
            /* client= */ null,
            "job",
            dataset == null ? null : dataset.value(),
            version,
            byteSize,
            status));
  }

  /// @param rowsTotal the rows that the file says to have, which may be wrong; null if unknown
  private static JobProgress ofFile(long rowsRead, @Nullable Long rowsTotal) {
    Double fraction =
        rowsTotal == null || rowsTotal == 0 ? null : Math.min(1.0, (double) rowsRead / rowsTotal);
    return new JobProgress(fraction, rowsRead, rowsTotal);
  }

  private static JobProgress ofStatement(ReadProgress progress) {
    ReadProgress.Rows rows = progress.rows();
    return rows == null || !rows.isCounted()
        ? JobProgress.UNKNOWN
        : new JobProgress(rows.fraction(), rows.read(), rows.total());
  }

  /// Returns whether the body is an Arrow file, which is received again before its rows are read.
  private boolean isFile() throws IOException {
    MemorySegment start = MemorySegment.ofArray(new byte[Framing.PREFIX_BYTE_SIZE]);
    try (SpooledFile.Content content = body.open()) {
      return content.readFully(start) == start.byteSize() && Framing.isMagic(start, 0);
    }
  }

  /// Lets a client that expressed no preference go, as the rewrite of a large dataset takes long.
  private void rewrite() {
    if (write.job() == null) {
      outcome.end();
    }
  }

  private static UploadObserver observer(
      JobMonitor monitor, AtomicLong rowsRead, Runnable rewrite) {
    return new UploadObserver() {
      @Override
      public void read(long rows) {
        monitor.requireWanted();
        rowsRead.addAndGet(rows);
      }

      @Override
      public void beginRewrite() {
        rewrite.run();
      }

      @Override
      public void beginCommit() throws IOException {
        monitor.beginCommit();
      }
    };
  }

  @Override
  public Map<String, Object> problem(Throwable failure) {
    Problem problem = problems.of(failure, requestId);
    record(write.target(), /* version= */ null, problem.status());
    outcome.fail(problem.asException(), problem.status() < FIRST_SERVER_ERROR);
    return problem.document();
  }

  @Override
  public void stopped() {
    record(write.target(), /* version= */ null, /* status= */ null);
  }

  @Override
  public void close() {
    outcome.end();
    statement.run();
    try (body) {
      if (outcome.isFinal()) {
        onFinal.run();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
