package dev.quiver.server.write;

import dev.quiver.arrow.type.Schema;
import dev.quiver.server.access.Access;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.RequestDrain;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.store.version.WriteResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Sends the result of a write.
@Component
final class WriteResponse {

  private final FindingMetrics metrics;

  WriteResponse(FindingMetrics metrics) {
    this.metrics = metrics;
  }

  /// Sends the result even if the body is still arriving: a retry with the same idempotency key
  /// gets the result without its body being read.
  void send(
      HttpServletRequest request,
      HttpServletResponse response,
      DecodedRequestBody body,
      WriteResult result,
      ArrowBody data)
      throws IOException {
    boolean unread = RequestDrain.closeAfterResponse(request, response);
    send(request, response, result, data.inferredSchema(), data.warnings());
    if (unread) {
      response.flushBuffer();
      body.drain();
    }
  }

  /// Sends the result of a write without data.
  void send(HttpServletRequest request, HttpServletResponse response, WriteResult result)
      throws IOException {
    send(request, response, result, /* inferred= */ null, List.of());
  }

  /// Sends the result without an `ETag` header: RFC 9110 §9.3.4 allows one only if the bytes are
  /// stored as received.
  ///
  /// A retry may get the result of an earlier write by another principal, whose sources this one
  /// may not read.
  private void send(
      HttpServletRequest request,
      HttpServletResponse response,
      WriteResult result,
      @Nullable Schema inferred,
      List<String> losses)
      throws IOException {
    WriteResult visible = result.withLineage(Access.permissions(request).visible(result.lineage()));
    send(response, result, Documents.Version.of(visible, inferred, losses));
  }

  /// Sends the result with its document, which has nothing that the principal may not read.
  void send(HttpServletResponse response, WriteResult result, Documents.Version document)
      throws IOException {
    metrics.count(result.findings());
    boolean created = result.created();
    VersionHeaders.setVersion(response, result.summary());
    response.setHeader("Location", DatasetPath.of(result.summary().name()));
    Json.write(
        response, created ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_OK, document);
  }
}
