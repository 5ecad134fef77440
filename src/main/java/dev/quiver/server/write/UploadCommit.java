package dev.quiver.server.write;

import dev.quiver.server.access.Access;
import dev.quiver.server.access.AuditFilter;
import dev.quiver.server.access.RequestPlace;
import dev.quiver.server.http.IdempotencyKeyHeader;
import dev.quiver.server.http.Problem;
import dev.quiver.store.log.PartsSource;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.log.UploadClaim;
import dev.quiver.store.log.UploadStore;
import dev.quiver.store.log.UploadStore.Stored;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.util.ContentCachingResponseWrapper;

/// Lets the handler of the first request store an upload, as if its body had arrived at once.
///
/// The handler gets an idempotency key, unless the client has sent one. So a service that is killed
/// between the commit and its response, or two services at a time, store the data once.
@Component
final class UploadCommit {

  /// The headers of a response that are kept with it.
  private static final List<String> KEPT =
      List.of(
          "Content-Location",
          "Content-Type",
          "ETag",
          "Last-Modified",
          "Link",
          "Location",
          "Preference-Applied",
          "Quiver-Version",
          "Repr-Digest");

  private static final Logger LOG = System.getLogger(UploadCommit.class.getName());

  /// How long after its last part an upload is stored. The key by which it is stored once is
  /// remembered for an hour longer.
  private static final Duration STORABLE = Duration.ofHours(23);

  private static final int FIRST_ERROR = 400;
  private static final int FIRST_SERVER_ERROR = 500;

  private final UploadStore store;
  private final AcceptedUpload accepted;
  private final ObjectProvider<DispatcherServlet> dispatcher;
  private final Counter stored;
  private final Counter rejected;

  UploadCommit(
      UploadStore store,
      AcceptedUpload accepted,
      ObjectProvider<DispatcherServlet> dispatcher,
      MeterRegistry registry) {
    this.store = store;
    this.accepted = accepted;
    this.dispatcher = dispatcher;
    this.stored = registry.counter("quiver.uploads.resumable", "end", "stored");
    this.rejected = registry.counter("quiver.uploads.resumable", "end", "rejected");
  }

  /// Lets the handler check a request whose body comes later.
  ///
  /// @return false if the response is that of a failure
  boolean check(
      ResumableUpload.Request first, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    UploadedRequest checked =
        new UploadedRequest(request, first, /* id= */ null, 0, destination -> -1);
    UploadCheck.want(request);
    dispatcher.getObject().service(checked, response);
    return UploadCheck.end(request);
  }

  /// Claims a whole upload, stores it, and responds as its handler does. An upload that its handler
  /// rejects is deleted, and so is one whose parts are damaged; one that failed for another reason
  /// can be stored by a further request.
  ///
  /// @param location the path of the upload if its client does not know it yet, or null. The
  ///   response tells it if the upload remains, or if the client wants to continue it
  /// @return the response, which is sent by the caller
  /// @throws dev.quiver.server.http.ProblemException 404 if it is too late to store it once, 423 if
  ///   another request stores or deletes it, 409 if one has continued it
  Answer store(
      Stored whole,
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable String location)
      throws IOException, ServletException {
    ResumableUpload upload = whole.upload();
    ResumableUpload.Outcome outcome = upload.outcome();
    if (outcome != null && !(upload.isAccepted() && accepted.mayTryAgain(outcome))) {
      AuditFilter.recordAs(
          request,
          new UploadedRequest(
              request, upload.request(), upload.id(), upload.offset(), destination -> -1));
      return () -> repeat(upload, outcome, response);
    }
    if (upload.changedAt().isBefore(Instant.now().minus(STORABLE))) {
      store.delete(whole);
      throw Problem.notFound(request.getRequestURI()).asException();
    }
    UploadClaim claim = store.claim(whole);
    if (claim == null) {
      throw upload.complete() ? UploadProblems.locked() : UploadProblems.overtaken();
    }
    ContentCachingResponseWrapper captured = new ContentCachingResponseWrapper(response);
    try (claim) {
      return store(claim, upload.triedAt(), request, response, captured, location);
    }
  }

  /// A response that is still to be sent, once a client that tries again finds no claim.
  @FunctionalInterface
  interface Answer {

    void send() throws IOException;
  }

  /// @param captured gets the response of the handler
  private Answer store(
      UploadClaim claim,
      @Nullable Instant triedAt,
      HttpServletRequest request,
      HttpServletResponse response,
      ContentCachingResponseWrapper captured,
      @Nullable String location)
      throws IOException, ServletException {
    ResumableUpload upload = claim.upload();
    ResponseHeaders before = new ResponseHeaders(response);
    UploadedRequest uploaded;
    AcceptedUpload.End end = accepted.begin(request);
    try (PartsSource content = claim.open()) {
      uploaded =
          new UploadedRequest(request, upload.request(), upload.id(), upload.offset(), content);
      AuditFilter.recordAs(request, uploaded);
      uploaded.setAttribute(IdempotencyKeyHeader.TRIED_ATTRIBUTE, triedAt);
      Access.require(uploaded);
      RequestPlace.beginStatement(uploaded);
      dispatcher.getObject().service(uploaded, captured);
    }
    int status = captured.getStatus();
    if (status < FIRST_ERROR) {
      ResumableUpload.Outcome outcome = outcome(captured);
      if (status == HttpServletResponse.SC_ACCEPTED) {
        end.accept(claim.stop(), outcome);
      } else {
        claim.stop();
        end(upload.ended(outcome, Instant.now()));
      }
      if (upload.outcome() == null) {
        stored.increment();
      }
      describe(upload, response);
      if (location != null && !UploadHeaders.complete(request)) {
        response.setHeader("Location", location);
      }
      return captured::copyBodyToResponse;
    }
    // Another service may have stored the upload meanwhile.
    Stored now = store.find(upload.id());
    ResumableUpload.Outcome other = now == null ? null : now.upload().outcome();
    if (now != null && other != null && !now.upload().isAccepted()) {
      return () -> {
        captured.resetBuffer();
        before.restore(response);
        repeat(now.upload(), other, response);
      };
    }
    if (uploaded.isDamaged() || status < FIRST_SERVER_ERROR) {
      store.delete(claim.stop());
      rejected.increment();
    } else if (location != null) {
      response.setHeader("Location", location);
    }
    return captured::copyBodyToResponse;
  }

  /// Keeps the outcome. The data is stored, whether or not that succeeds: without the outcome, a
  /// further request stores it again, by the same idempotency key, and gets the same response.
  private void end(ResumableUpload ended) {
    try {
      store.end(ended);
    } catch (IOException e) {
      LOG.log(Level.ERROR, "The outcome of an upload was not kept", e);
    }
  }

  private static ResumableUpload.Outcome outcome(ContentCachingResponseWrapper response) {
    List<ResumableUpload.Header> headers = new ArrayList<>();
    for (String name : KEPT) {
      for (String value : response.getHeaders(name)) {
        headers.add(new ResumableUpload.Header(name, value));
      }
    }
    return new ResumableUpload.Outcome(
        response.getStatus(),
        headers,
        new String(response.getContentAsByteArray(), StandardCharsets.UTF_8));
  }

  private static void repeat(
      ResumableUpload upload, ResumableUpload.Outcome outcome, HttpServletResponse response)
      throws IOException {
    response.setStatus(outcome.status());
    outcome.headers().forEach(header -> response.addHeader(header.name(), header.value()));
    describe(upload, response);
    byte[] body = outcome.body().getBytes(StandardCharsets.UTF_8);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private static void describe(ResumableUpload upload, HttpServletResponse response) {
    response.setHeader(UploadHeaders.COMPLETE, "?1");
    response.setHeader(UploadHeaders.OFFSET, Long.toString(upload.offset()));
  }
}
