package dev.quiver.server.write;

import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.FileReport;
import dev.quiver.server.http.CacheControl;
import dev.quiver.server.http.Json;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.log.ResumableUpload.Outcome;
import dev.quiver.store.version.WriteResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The response to a write, as a value that is sent, or kept with an upload and sent again.
final class WriteResponse {

  private static final String APPLIED = "Preference-Applied";

  private WriteResponse() {}

  /// Returns the response to a write that is done, without an `ETag` header: RFC 9110 §9.3.4 allows
  /// one only if the bytes are stored as received.
  ///
  /// A retry may get the result of an earlier write by another principal. It shows only the sources
  /// that this one may read.
  ///
  /// @param inferred the schema of a file of another format or of a result, or null
  /// @param report what there is to tell of the file
  /// @param isVerbose whether the response has all members of the version
  static Outcome of(
      WriteResult result,
      Permissions permissions,
      @Nullable Schema inferred,
      FileReport report,
      boolean isVerbose) {
    WriteResult visible = result.withLineage(permissions.visible(result.lineage()));
    return of(visible, document(visible, inferred, report, isVerbose));
  }

  /// Returns the document of a write that is done.
  ///
  /// @param visible the result, with nothing that the principal may not read
  /// @param inferred the schema of a file of another format or of a result, or null
  /// @param report what there is to tell of the file
  /// @param isVerbose whether it has all members of the version
  static Object document(
      WriteResult visible, @Nullable Schema inferred, FileReport report, boolean isVerbose) {
    Documents.Version version = Documents.Version.of(visible, inferred, report);
    return isVerbose ? version : Documents.Written.of(version);
  }

  /// Returns the response to a write that is done.
  ///
  /// @param document describes the version, with nothing that the principal may not read
  /// @param preferences those that were applied
  static Outcome of(WriteResult result, Object document, String... preferences) {
    List<ResumableUpload.Header> headers = new ArrayList<>();
    headers.add(header(VersionHeaders.VERSION, Long.toString(result.summary().version())));
    headers.add(header("Location", DatasetPath.of(result.summary().name())));
    headers.add(header("Link", VersionHeaders.link(result.summary())));
    addApplied(headers, preferences);
    int status = result.created() ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_OK;
    return outcome(status, headers, document);
  }

  /// Returns the response to a write that a job does.
  ///
  /// @param preferences those that were applied
  static Outcome of(Job job, String... preferences) {
    List<ResumableUpload.Header> headers = new ArrayList<>();
    headers.add(header("Location", JobDocument.path(job.id())));
    addApplied(headers, preferences);
    headers.add(header("Retry-After", JobsController.REFRESH_SECONDS));
    return outcome(HttpServletResponse.SC_ACCEPTED, headers, JobDocument.of(job));
  }

  private static void addApplied(List<ResumableUpload.Header> headers, String... preferences) {
    for (String preference : preferences) {
      headers.add(header(APPLIED, preference));
    }
  }

  private static Outcome outcome(
      int status, List<ResumableUpload.Header> headers, Object document) {
    headers.add(header("Content-Type", Json.MEDIA_TYPE));
    return new Outcome(status, headers, new String(Json.render(document), StandardCharsets.UTF_8));
  }

  private static ResumableUpload.Header header(String name, String value) {
    return new ResumableUpload.Header(name, value);
  }

  /// Returns a response that tells another location.
  static Outcome at(String location, Outcome outcome) {
    List<ResumableUpload.Header> headers = new ArrayList<>(outcome.headers());
    headers.removeIf(header -> header.name().equals("Location"));
    headers.add(header("Location", location));
    return new Outcome(outcome.status(), headers, outcome.body());
  }

  /// Sends a response, which caches must revalidate before each use.
  static void send(HttpServletResponse response, Outcome outcome) throws IOException {
    response.setStatus(outcome.status());
    outcome.headers().forEach(header -> response.addHeader(header.name(), header.value()));
    CacheControl.set(response, CacheControl.REVALIDATE);
    byte[] body = outcome.body().getBytes(StandardCharsets.UTF_8);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /// Sends a response even if the body is still arriving: a retry with the same idempotency key
  /// gets the result without its body being read.
  static void send(
      HttpServletRequest request,
      HttpServletResponse response,
      DecodedRequestBody body,
      Outcome outcome)
      throws IOException {
    body.leaveRest(request, response);
    send(response, outcome);
    body.discardRest(response);
  }
}
