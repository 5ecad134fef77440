package dev.quiver.server.write;

import dev.quiver.arrow.memory.LimitedSource;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.formats.FileReport;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import dev.quiver.store.log.ResumableUpload.Outcome;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.time.Instant;
import org.springframework.stereotype.Component;

/// Stores the data of writes. The outcome is the new version, or a job that goes on.
@Component
final class Writes {

  private final Datasets datasets;
  private final UploadJobs jobs;
  private final UploadMetrics metrics;
  private final RequestLimits limits;
  private final ArrowBodies bodies;
  private final Spool spool;

  Writes(
      Datasets datasets,
      UploadJobs jobs,
      UploadMetrics metrics,
      QuiverProperties properties,
      ArrowBodies bodies,
      Spool spool) {
    this.datasets = datasets;
    this.jobs = jobs;
    this.metrics = metrics;
    this.limits = properties.limits();
    this.bodies = bodies;
    this.spool = spool;
  }

  /// Checks everything about a write that does not need its body.
  void check(WriteRequest write) throws IOException {
    write.checked(datasets);
  }

  /// Rejects a write that may have been stored and forgotten, since it could be stored twice.
  ///
  /// @param since when a service first tried to store it
  void requireKnown(WriteRequest write, Instant since) throws IOException {
    DatasetName target = write.target();
    if (target != null && !write.isRepeated(datasets) && datasets.mayHaveForgotten(target, since)) {
      throw Problem.of(
              ProblemType.CONFLICT,
              "Expected an upload whose outcome is known but found one that may have been stored"
                  + " before %s was deleted or written many times".formatted(target))
          .withHint(
              "Look into %s/datasets/%s/versions, and begin the upload again if it is not there."
                  .formatted(PublicPath.prefix(), target))
          .asException();
    }
  }

  /// Stores the data of a body.
  ///
  /// @param onFinal called once a job has ended, if another attempt would have the same result
  /// @return the response
  Outcome store(WriteRequest write, DecodedRequestBody body, Runnable onFinal) throws IOException {
    Principal principal = write.access().principal();
    boolean isJob = write.job() != null || mayRewrite(write);
    if (isJob && !write.isRepeated(datasets)) {
      return queue(write, body, onFinal);
    }
    return switch (write.format()) {
      case UploadFormat.Data format -> {
        try (ArrowBody data = bodies.of(body, format, principal)) {
          yield store(write, data, body::sha256);
        }
      }
      case UploadFormat.Form form -> {
        // The digest of the body is not that of the data in it.
        try (FormUpload upload = new FormUpload(write, form, body, limits.form(), datasets);
            ArrowBody data = bodies.of(upload.content(), upload.format(), principal)) {
          yield store(upload.write(), data, () -> null);
        }
      }
    };
  }

  /// Returns whether an append may rewrite so much that no client should wait for it.
  private boolean mayRewrite(WriteRequest write) throws IOException {
    return write.mayAddColumns()
        && datasets.byteSize(write.name()) > UploadJobs.REWRITTEN_BYTE_SIZE_MAXIMUM;
  }

  private Outcome store(WriteRequest write, ArrowBody data, UploadOptions.BodyDigest digest)
      throws IOException {
    write.prepare(datasets, data);
    WriteResult written = write.write(datasets, data, data.described(write.options(), digest));
    FileReport report = data.report();
    metrics.count(written, report);
    return WriteResponse.of(
        written,
        write.access().principal().permissions(),
        data.inferredSchema(),
        report,
        write.reply().isVerbose());
  }

  /// Receives the whole body, then lets a job store it.
  private Outcome queue(WriteRequest write, DecodedRequestBody body, Runnable onFinal)
      throws IOException {
    if (write.format() instanceof UploadFormat.Data format) {
      bodies.requireReadable(format);
    }
    WriteRequest checked = write.checked(datasets);
    Permit place = jobs.takePlace();
    UploadWork work = null;
    try {
      Received received = receive(checked, body);
      if (isRepeated(received)) {
        try (SpooledFile data = received.data();
            SpooledFile.Content content = data.open();
            ArrowBody unread = bodies.of(content, received.format(), write.access().principal())) {
          return store(received.write(), unread, () -> null);
        }
      }
      work =
          jobs.work(
              received,
              write.format() instanceof UploadFormat.Form ? null : body.sha256(),
              onFinal);
    } finally {
      if (work == null) {
        place.close();
      }
    }
    return jobs.submit(place, work);
  }

  /// A write whose data was fully received.
  ///
  /// @param data closed by the receiver
  record Received(WriteRequest write, UploadFormat.Data format, SpooledFile data) {}

  private Received receive(WriteRequest write, DecodedRequestBody body) throws IOException {
    LimitedSource limited = new LimitedSource(body, limits.request(), "bytes in a request");
    return switch (write.format()) {
      case UploadFormat.Data format ->
          new Received(write, format, SpooledFile.of(bodies.limited(format, limited), spool));
      case UploadFormat.Form form ->
          FormUpload.receive(write, form, limited, limits.form(), bodies, spool, datasets);
    };
  }

  /// Returns whether a write already happened; otherwise checks its data.
  private boolean isRepeated(Received received) throws IOException {
    try {
      if (received.write().isRepeated(datasets)) {
        return true;
      }
      bodies.check(received.format(), received.data(), received.write().access().principal());
      return false;
    } catch (IOException | RuntimeException | Error e) {
      try (SpooledFile _ = received.data()) {
        throw e;
      }
    }
  }
}
