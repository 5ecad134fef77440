package dev.quiver.server.write;

import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.MemoryExhaustion;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.InteropRequest;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.RequestCoding;
import dev.quiver.server.http.RequestDigests;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.log.PartsSource;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.log.ResumableUpload.Outcome;
import dev.quiver.store.log.UploadClaim;
import dev.quiver.store.log.UploadStore;
import dev.quiver.store.log.UploadStore.Stored;
import dev.quiver.store.version.IdempotencyKey;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Stores an upload that has arrived in parts, as if its body had arrived at once.
///
/// The write gets an idempotency key, unless the client has sent one. So a service that is killed
/// between the commit and its response, or two services at a time, store the data once.
@Component
final class UploadCommit {

  private static final Logger LOG = System.getLogger(UploadCommit.class.getName());

  /// The time after its last part within which an upload is stored. The key that keeps it from
  /// being stored twice is remembered for an hour longer.
  private static final Duration STORABLE = Duration.ofHours(23);

  private static final int FIRST_SERVER_ERROR = 500;

  private final UploadStore store;
  private final AcceptedUpload accepted;
  private final Writes writes;
  private final WriteProblems problems;
  private final RequestLimits limits;
  private final InFlightBytes inFlight;
  private final Counter stored;
  private final Counter rejected;

  UploadCommit(
      UploadStore store,
      AcceptedUpload accepted,
      Writes writes,
      WriteProblems problems,
      QuiverProperties properties,
      InFlightBytes inFlight,
      MeterRegistry registry) {
    this.store = store;
    this.accepted = accepted;
    this.writes = writes;
    this.problems = problems;
    this.limits = properties.limits();
    this.inFlight = inFlight;
    this.stored = registry.counter("quiver.uploads.resumable", "end", "stored");
    this.rejected = registry.counter("quiver.uploads.resumable", "end", "rejected");
  }

  /// Checks all of a write that can be checked before its body arrives.
  ///
  /// @throws dev.quiver.server.http.ProblemException if the write would fail
  void check(ResumableUpload.Request first, HttpServletRequest request) throws IOException {
    RequestHead head = FirstRequest.head(first, 0);
    writes.check(write(first, head, request, /* ownKey= */ null));
    RequestCoding.of(head);
    RequestDigests.of(head);
  }

  private static WriteRequest write(
      ResumableUpload.Request first,
      RequestHead head,
      HttpServletRequest request,
      @Nullable IdempotencyKey ownKey) {
    Access access = Access.of(request);
    String dataset = FirstRequest.datasetSegment(first);
    if (dataset == null) {
      return WriteRequest.ofUnnamed(head, access, InteropRequest.dataset(request), ownKey);
    }
    WriteRequest.Kind kind =
        head.method().equals("PUT") ? WriteRequest.Kind.PUT : WriteRequest.Kind.APPEND;
    return WriteRequest.ofDataset(kind, dataset, head, access, ownKey);
  }

  /// Claims a whole upload and stores it. An upload that is rejected is deleted, and so is one
  /// whose parts are damaged; one that failed for another reason can be stored by a further
  /// request.
  ///
  /// @param location the path of the upload if its client does not know it yet, or null. The
  ///   response tells it if the upload remains, or if the client wants to continue it
  /// @return the response
  /// @throws dev.quiver.server.http.ProblemException the failure of the write; 404 if it is too
  ///   late to store it once, 423 if another request stores or deletes it, 409 if one has continued
  ///   it
  Outcome store(
      Stored whole,
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable String location)
      throws IOException {
    ResumableUpload upload = whole.upload();
    Outcome outcome = upload.outcome();
    if (outcome != null && !(upload.isAccepted() && accepted.mayTryAgain(outcome))) {
      recordIn(request, upload);
      return described(upload, outcome, response);
    }
    if (upload.changedAt().isBefore(Instant.now().minus(STORABLE))) {
      store.delete(whole);
      throw UploadProblems.notFound(request.getRequestURI());
    }
    UploadClaim claim = store.claim(whole);
    if (claim == null) {
      throw upload.complete() ? UploadProblems.locked() : UploadProblems.overtaken();
    }
    try (claim) {
      return store(claim, upload.triedAt(), request, response, location);
    }
  }

  private Outcome store(
      UploadClaim claim,
      @Nullable Instant triedAt,
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable String location)
      throws IOException {
    ResumableUpload upload = claim.upload();
    ResumableUpload.Request first = upload.request();
    RequestHead head = FirstRequest.head(first, upload.offset());
    AcceptedUpload.End end = accepted.begin();
    recordIn(request, upload);
    Access.of(request).require(first.method(), FirstRequest.path(first));
    Access.of(request).beginStatement(head);
    Outcome outcome;
    try (PartsSource parts = claim.open()) {
      UploadedBody content = new UploadedBody(parts);
      try (DecodedRequestBody body = DecodedRequestBody.of(head, content, limits, inFlight)) {
        WriteRequest write =
            write(first, head, request, new IdempotencyKey("upload:" + upload.id()));
        if (triedAt != null) {
          writes.requireKnown(write, triedAt);
        }
        outcome = writes.store(write, body, end);
      } catch (IOException | RuntimeException e) {
        Stored now = store.find(upload.id());
        Outcome other = now == null ? null : now.upload().outcome();
        if (now != null && other != null && !now.upload().isAccepted()) {
          // Another service has stored the upload meanwhile.
          return described(now.upload(), other, response);
        }
        MemoryExhaustion.endProcessIfCauseOf(e);
        Problem problem = problems.find(e);
        if (problem == null) {
          throw e;
        }
        if (content.isDamaged() || problem.status() < FIRST_SERVER_ERROR) {
          store.delete(claim.stop());
          rejected.increment();
        } else if (location != null) {
          problem = problem.withHeader("Location", location);
        }
        throw problem.asException();
      }
    }
    if (outcome.status() == HttpServletResponse.SC_ACCEPTED) {
      end.accept(claim.stop(), outcome);
    } else {
      claim.stop();
      end(upload.ended(outcome, Instant.now()));
    }
    if (upload.outcome() == null) {
      stored.increment();
    }
    return described(
        upload,
        location == null || UploadHeaders.complete(request)
            ? outcome
            : WriteResponse.at(location, outcome),
        response);
  }

  /// Lets the audit log tell of the whole upload.
  private static void recordIn(HttpServletRequest request, ResumableUpload upload) {
    ResumableUpload.Request first = upload.request();
    Access.of(request).recordAs(first.method(), FirstRequest.path(first), upload.offset());
  }

  /// Keeps the outcome. The data is stored, whether or not that succeeds: without the outcome, a
  /// further request stores it again, by the same idempotency key, and gets the same response.
  private void end(ResumableUpload ended) {
    try {
      store.end(ended);
    } catch (IOException e) {
      FailureLog.log(LOG, Level.ERROR, "The outcome of an upload was not kept", e);
    }
  }

  private static Outcome described(
      ResumableUpload upload, Outcome outcome, HttpServletResponse response) {
    response.setHeader(UploadHeaders.COMPLETE, "?1");
    response.setHeader(UploadHeaders.OFFSET, Long.toString(upload.offset()));
    return outcome;
  }
}
