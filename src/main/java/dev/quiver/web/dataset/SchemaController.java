package dev.quiver.web.dataset;

import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.web.http.MediaTypes;
import dev.quiver.web.http.Negotiation;
import dev.quiver.web.http.TagVariant;
import dev.quiver.web.problem.Json;
import dev.quiver.web.representation.VersionRepresentations;
import dev.quiver.web.resource.DatasetPath;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.resource.SchemaDocument;
import dev.quiver.web.resource.VersionHeaders;
import dev.quiver.web.response.Responder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The schema of a version, as JSON or as a stream without batches.
@RestController
final class SchemaController {

  private static final List<String> OFFERS = List.of(Json.MEDIA_TYPE, MediaTypes.ARROW_STREAM);

  private final Datasets datasets;
  private final Responder responder;

  SchemaController(Datasets datasets, Responder responder) {
    this.datasets = datasets;
    this.responder = responder;
  }

  @GetMapping(Paths.DATASET + "/schema")
  void schema(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      VersionRepresentations versions = new VersionRepresentations(reference, snapshot);
      String offer = Negotiation.choose(request, response, OFFERS, Function.identity());
      responder.send(
          request,
          response,
          offer.equals(Json.MEDIA_TYPE)
              ? versions.document(TagVariant.of("schema"), () -> SchemaDocument.of(snapshot))
              : versions.schemaStream());
    }
  }
}
