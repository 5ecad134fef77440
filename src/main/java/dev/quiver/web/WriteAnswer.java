package dev.quiver.web;

import dev.quiver.dataset.WriteResult;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Component;

/// Tells what was written.
@Component
final class WriteAnswer {

  private final FindingMetrics metrics;

  WriteAnswer(FindingMetrics metrics) {
    this.metrics = metrics;
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
