package dev.quiver.web.dataset;

import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.web.http.TagVariant;
import dev.quiver.web.representation.VersionRepresentations;
import dev.quiver.web.request.Parameters;
import dev.quiver.web.resource.DatasetPath;
import dev.quiver.web.resource.LayoutDocument;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.resource.VersionHeaders;
import dev.quiver.web.response.Responder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The layout of a version's file, down to each buffer.
@RestController
final class LayoutController {

  private static final int DEFAULT_COUNT = 100;
  private static final int MAXIMUM_COUNT = 10_000;

  private final Datasets datasets;
  private final Responder responder;

  LayoutController(Datasets datasets, Responder responder) {
    this.datasets = datasets;
    this.responder = responder;
  }

  @GetMapping(Paths.DATASET + "/layout")
  void layout(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    long from = Parameters.number(request, "from", 0, 0, Long.MAX_VALUE);
    int count = (int) Parameters.number(request, "count", DEFAULT_COUNT, 1, MAXIMUM_COUNT);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      responder.send(
          request,
          response,
          new VersionRepresentations(reference, snapshot)
              .document(
                  TagVariant.of("layout", from, count),
                  () -> LayoutDocument.of(snapshot, from, count)));
    }
  }
}
