package dev.quiver.web;

import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.Snapshot;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The schema of a version, as JSON or as a stream without batches.
@RestController
final class SchemaController {

  private static final List<String> OFFERS = List.of(Json.MEDIA_TYPE, ArrowMediaTypes.STREAM);

  private final Datasets datasets;
  private final Responder responder;

  SchemaController(Datasets datasets, Responder responder) {
    this.datasets = datasets;
    this.responder = responder;
  }

  @GetMapping("/datasets/{dataset}/schema")
  void schema(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    try (Snapshot snapshot = datasets.open(reference)) {
      VaryHeader.add(response, "Accept");
      Versions versions = new Versions(reference, snapshot);
      boolean asJson = Negotiation.choose(request, OFFERS, offer -> offer).equals(Json.MEDIA_TYPE);
      responder.send(
          request,
          response,
          asJson
              ? versions.document("schema", () -> SchemaDocument.of(snapshot))
              : versions.schemaStream());
    }
  }
}
