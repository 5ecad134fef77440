package dev.quiver.web.upload;

import dev.quiver.upload.PartsSource;
import dev.quiver.upload.ResumableUpload;
import dev.quiver.upload.UploadStore;
import dev.quiver.upload.UploadStore.Stored;
import dev.quiver.web.access.Access;
import dev.quiver.web.access.RequestPlace;
import dev.quiver.web.filter.AuditFilter;
import dev.quiver.web.request.UploadCheck;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  private static final int FIRST_ERROR = 400;
  private static final int FIRST_SERVER_ERROR = 500;

  private final UploadStore store;
  private final ObjectProvider<DispatcherServlet> dispatcher;
  private final Counter stored;
  private final Counter refused;

  UploadCommit(
      UploadStore store, ObjectProvider<DispatcherServlet> dispatcher, MeterRegistry registry) {
    this.store = store;
    this.dispatcher = dispatcher;
    this.stored = registry.counter("quiver.uploads.resumable", "end", "stored");
    this.refused = registry.counter("quiver.uploads.resumable", "end", "refused");
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

  /// Stores a whole upload, and responds as its handler does. An upload that its handler refuses is
  /// deleted, and so is one whose parts are damaged; one that failed for another reason can be
  /// stored by a further request.
  void store(Stored whole, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    ResumableUpload upload = whole.upload();
    ResumableUpload.Outcome known = upload.outcome();
    if (known != null) {
      repeat(upload, known, response);
      return;
    }
    ContentCachingResponseWrapper captured = new ContentCachingResponseWrapper(response);
    boolean damaged;
    try (PartsSource content = store.open(upload)) {
      UploadedRequest uploaded =
          new UploadedRequest(request, upload.request(), upload.id(), upload.offset(), content);
      AuditFilter.recordAs(request, uploaded);
      Access.require(uploaded);
      RequestPlace.beginStatement(uploaded);
      dispatcher.getObject().service(uploaded, captured);
      damaged = uploaded.isDamaged();
    }
    int status = captured.getStatus();
    if (status < FIRST_ERROR) {
      store.end(upload.ended(outcome(captured), Instant.now()));
      stored.increment();
      describe(upload, response);
    } else if (status < FIRST_SERVER_ERROR || damaged) {
      store.delete(whole);
      refused.increment();
    }
    captured.copyBodyToResponse();
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
