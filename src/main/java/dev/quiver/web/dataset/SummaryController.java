package dev.quiver.web.dataset;

import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.web.http.TagVariant;
import dev.quiver.web.representation.VersionRepresentations;
import dev.quiver.web.resource.DatasetPath;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.resource.SummaryDocument;
import dev.quiver.web.resource.VersionHeaders;
import dev.quiver.web.response.Responder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// A version in one small document.
@RestController
final class SummaryController {

  private final Datasets datasets;
  private final Responder responder;

  SummaryController(Datasets datasets, Responder responder) {
    this.datasets = datasets;
    this.responder = responder;
  }

  @GetMapping(Paths.DATASET + "/summary")
  void summary(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      responder.send(
          request,
          response,
          new VersionRepresentations(reference, snapshot)
              .document(TagVariant.of("summary"), () -> SummaryDocument.of(snapshot)));
    }
  }
}
