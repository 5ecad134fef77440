package dev.quiver.web;

import dev.quiver.dataset.version.WriteResult;
import dev.quiver.web.problem.Json;
import dev.quiver.web.problem.RequestDrain;
import dev.quiver.web.request.DecodedRequestBody;
import dev.quiver.web.resource.DatasetPath;
import dev.quiver.web.resource.Documents;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Component;

/// Tells what was written.
@Component
final class WriteResponse {

  private final FindingMetrics metrics;

  WriteResponse(FindingMetrics metrics) {
    this.metrics = metrics;
  }

  /// Tells it to who may still be sending: what was written before, under the same idempotency key,
  /// is told without the body.
  void send(
      HttpServletRequest request,
      HttpServletResponse response,
      DecodedRequestBody body,
      WriteResult result)
      throws IOException {
    boolean unread = RequestDrain.closeAfterResponse(request, response);
    send(response, result);
    if (unread) {
      response.flushBuffer();
      body.skipRest();
    }
  }

  /// There is no entity tag in the header: RFC 9110 §9.3.4 allows one only when the bytes were
  /// stored as they came.
  void send(HttpServletResponse response, WriteResult result) throws IOException {
    metrics.count(result.findings());
    boolean created = result.created();
    response.setHeader("Location", DatasetPath.of(result.summary().name()));
    Json.write(
        response,
        created ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_OK,
        Documents.Version.of(result));
  }
}
