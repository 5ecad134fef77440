package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InFlightBytes;
import dev.quiver.arrow.memory.LimitedSource;
import dev.quiver.arrow.memory.Sha256;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.RequestPlace;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.events.WaitingRequests;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.PreferredWait;
import dev.quiver.server.http.RequestId;
import dev.quiver.server.http.RespondAsync;
import dev.quiver.server.transfer.ConnectionWatch;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.sql.execution.Spool;
import dev.quiver.sql.execution.SpooledFile;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.JobPlace;
import dev.quiver.store.log.JobState;
import dev.quiver.store.log.Jobs;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.write.UploadOptions;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Uploads whose clients prefer not to wait: `Prefer: respond-async`. What can be checked at once
/// is checked before the response. The body is received whole, and then a job stores it.
@Component
public final class UploadJobs {

  /// The attribute of a request with a [Runnable] that is called once its job has stored the data,
  /// or another job with the same data would fail as well.
  public static final String END_ATTRIBUTE = UploadJobs.class.getName() + ".end";

  private final Jobs jobs;
  private final Datasets datasets;
  private final ArrowBodies bodies;
  private final JobProblems problems;
  private final Spool spool;
  private final RequestLimits limits;
  private final InFlightBytes inFlight;
  private final WaitingRequests waiting;
  private final AuditLog audit;

  UploadJobs(
      Jobs jobs,
      Datasets datasets,
      ArrowBodies bodies,
      JobProblems problems,
      Queries queries,
      QuiverProperties properties,
      InFlightBytes inFlight,
      WaitingRequests waiting,
      AuditLog audit,
      MeterRegistry registry) {
    this.jobs = jobs;
    this.datasets = datasets;
    this.bodies = bodies;
    this.problems = problems;
    this.spool = queries.spool();
    this.limits = properties.limits();
    this.inFlight = inFlight;
    this.waiting = waiting;
    this.audit = audit;
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

  /// Returns whether a request prefers a job.
  public static boolean arePreferredBy(HttpServletRequest request) {
    return RespondAsync.isPreferredBy(request);
  }

  /// Receives the data of an upload, and queues its job.
  ///
  /// @param responses to an upload that already happened, or ends while its client waits
  public void receive(
      HttpServletRequest request,
      HttpServletResponse response,
      Upload upload,
      UploadFormat format,
      UploadResponses responses)
      throws IOException {
    bodies.requireReadable(format);
    Upload checked = upload.checked(datasets);
    receive(
        request,
        response,
        body -> {
          SpooledFile file = SpooledFile.of(bodies.limited(format, body), spool);
          return new FormUpload.Received(checked, format, file);
        },
        DecodedRequestBody::sha256,
        responses);
  }

  /// Receives a form, and queues its job.
  ///
  /// @param forms returns the form of a body
  /// @param responses to an upload that already happened, or ends while its client waits
  public void receiveForm(
      HttpServletRequest request,
      HttpServletResponse response,
      UploadOptions options,
      @Nullable IdempotencyKey key,
      FormSource forms,
      UploadResponses responses)
      throws IOException {
    receive(
        request,
        response,
        body -> {
          try (FormUpload form = forms.of(body)) {
            return form.receive(options, key, spool);
          }
        },
        // The digest of the body is not that of the data in it.
        _ -> null,
        responses);
  }

  /// The form in a body.
  @FunctionalInterface
  public interface FormSource {

    FormUpload of(ByteSource body);
  }

  /// The way in which the data of a body is received.
  @FunctionalInterface
  private interface Receiver {

    FormUpload.Received receive(ByteSource body) throws IOException;
  }

  /// @param digest returns the SHA-256 of the received data, or null if it is unknown
  private void receive(
      HttpServletRequest request,
      HttpServletResponse response,
      Receiver receiver,
      Function<DecodedRequestBody, @Nullable String> digest,
      UploadResponses responses)
      throws IOException {
    Principal principal = Access.of(request).principal();
    JobPlace place = jobs.takePlace();
    UploadWork work = null;
    try (DecodedRequestBody body = DecodedRequestBody.of(request, limits, inFlight)) {
      FormUpload.Received received =
          receiver.receive(new LimitedSource(body, limits.request(), "bytes in a request"));
      if (isRepeated(request, received)) {
        try (SpooledFile _ = received.data()) {
          responses.repeat(body, received);
          return;
        }
      }
      work =
          new UploadWork(
              datasets,
              bodies,
              problems,
              received.upload(),
              received.format(),
              received.data(),
              digest.apply(body),
              new UploadOutcome(),
              RequestId.of(request),
              principal,
              RequestPlace.takeStatement(request),
              audit,
              onFinal(request));
    } finally {
      if (work == null) {
        place.close();
      }
    }
    Upload upload = Objects.requireNonNull(work).upload();
    DatasetName target = upload.target();
    Job job =
        jobs.submit(
            place, id(upload, target, principal), target == null ? null : target.value(), work);
    PreferredWait wait = waiting.preferred(request);
    UploadOutcome.Written written =
        work.outcome()
            .await(
                Duration.ofSeconds(wait.seconds()),
                () -> !ConnectionWatch.isClosedByClient(request));
    if (written != null) {
      response.setHeader("Preference-Applied", "wait=" + wait.seconds());
      responses.send(written.result(), written.document());
      return;
    }
    job = Objects.requireNonNullElse(wait.seconds() == 0 ? null : jobs.find(job.id()), job);
    response.setHeader("Location", JobDocument.path(job.id()));
    response.setHeader("Preference-Applied", RespondAsync.NAME);
    response.setHeader("Retry-After", JobsController.REFRESH_SECONDS);
    Json.write(response, HttpServletResponse.SC_ACCEPTED, JobDocument.of(job));
  }

  private static Runnable onFinal(HttpServletRequest request) {
    return request.getAttribute(END_ATTRIBUTE) instanceof Runnable wanted ? wanted : () -> {};
  }

  /// Returns whether an upload already happened; otherwise checks its data.
  private boolean isRepeated(HttpServletRequest request, FormUpload.Received received)
      throws IOException {
    try {
      if (received.upload().isRepeated(datasets)) {
        return true;
      }
      bodies.check(request, received.format(), received.data());
      return false;
    } catch (IOException | RuntimeException | Error e) {
      try (SpooledFile _ = received.data()) {
        throw e;
      }
    }
  }

  /// Returns the id of a job. It is that of the first request of the principal with the same
  /// idempotency key.
  private String id(Upload upload, @Nullable DatasetName target, Principal principal) {
    IdempotencyKey key = upload.key();
    return key == null || target == null
        ? jobs.newId()
        : new IdempotencyKey(Sha256.hex(key.hash() + "/" + target.value() + "/" + principal.id()))
            .hash();
  }
}
