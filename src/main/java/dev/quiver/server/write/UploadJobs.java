package dev.quiver.server.write;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.PreferredWait;
import dev.quiver.server.http.RespondAsync;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.JobState;
import dev.quiver.store.log.Jobs;
import dev.quiver.store.log.ResumableUpload.Outcome;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.IdempotencyKey;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The jobs of writes whose clients prefer not to wait: `Prefer: respond-async`, and of those that
/// may rewrite a large dataset. The data has been received whole, and checked as far as that takes
/// no time.
@Component
final class UploadJobs {

  /// The bytes of a dataset that a request rewrites. More are left to a job.
  static final long REWRITTEN_BYTE_SIZE_MAXIMUM = 64L << 20;

  private static final Duration UNLIMITED = Duration.ofDays(1000);

  private final Jobs jobs;
  private final Datasets datasets;
  private final ArrowBodies bodies;
  private final WriteProblems problems;
  private final UploadMetrics metrics;
  private final AuditLog audit;
  private final long maximumWaitSeconds;

  UploadJobs(
      Jobs jobs,
      Datasets datasets,
      ArrowBodies bodies,
      WriteProblems problems,
      UploadMetrics metrics,
      QuiverProperties properties,
      AuditLog audit,
      MeterRegistry registry) {
    this.jobs = jobs;
    this.datasets = datasets;
    this.bodies = bodies;
    this.problems = problems;
    this.metrics = metrics;
    this.audit = audit;
    this.maximumWaitSeconds = properties.limits().waitSeconds();
    Gauge.builder("quiver.jobs.running", jobs, Jobs::runningCount).register(registry);
    Gauge.builder("quiver.jobs.queued", jobs, Jobs::queuedCount).register(registry);
    for (JobState end : JobState.values()) {
      if (end.isEnd()) {
        FunctionCounter.builder("quiver.jobs.ended", jobs, known -> known.endedCount(end))
            .tag("state", end.word())
            .register(registry);
      }
    }
  }

  /// Takes a place for a job.
  ///
  /// @throws dev.quiver.arrow.parallel.OverloadedException if too many jobs are queued
  Permit takePlace() throws IOException {
    return jobs.takePlace();
  }

  /// Returns the work of a job.
  ///
  /// @param sha256 the digest of the data, which was verified, or null if unknown
  /// @param onFinal called once the job has ended, if another attempt would have the same result
  UploadWork work(Writes.Received received, @Nullable String sha256, Runnable onFinal) {
    return new UploadWork(
        datasets,
        bodies,
        problems,
        metrics,
        received.write(),
        received.format(),
        received.data(),
        received.data().byteSize(),
        sha256,
        new UploadOutcome(),
        received.write().access().requestId(),
        received.write().access().takeStatement(),
        audit,
        onFinal);
  }

  /// Queues a job, and waits for its end as long as the client does, or until the job rewrites what
  /// is stored if the client does not say.
  ///
  /// @return the response to the write, or that tells the job
  Outcome submit(Permit place, UploadWork work) throws IOException {
    WriteRequest write = work.write();
    DatasetName target = write.target();
    String targetName = target == null ? null : target.value();
    Job job = jobs.submit(place, id(write, target), targetName, work);
    PreferredWait wait = write.job();
    if (wait == null) {
      UploadOutcome.Written written = work.outcome().await(UNLIMITED);
      return written == null
          ? WriteResponse.of(latest(job))
          : WriteResponse.of(written.result(), written.document());
    }
    long seconds = Math.min(wait.seconds(), maximumWaitSeconds);
    UploadOutcome.Written written = work.outcome().await(Duration.ofSeconds(seconds));
    if (written != null) {
      return WriteResponse.of(written.result(), written.document(), "wait=" + seconds);
    }
    return WriteResponse.of(seconds == 0 ? job : latest(job), RespondAsync.NAME);
  }

  private Job latest(Job job) throws IOException {
    Job latest = jobs.find(job.id());
    return latest == null ? job : latest;
  }

  /// Returns the id of a job. It is that of the first request of the principal with the same
  /// idempotency key.
  private String id(WriteRequest write, @Nullable DatasetName target) {
    IdempotencyKey key = write.key();
    Principal principal = write.access().principal();
    return key == null || target == null
        ? jobs.newId()
        : new IdempotencyKey(Sha256.hex(key.hash() + "/" + target.value() + "/" + principal.id()))
            .hash();
  }
}
