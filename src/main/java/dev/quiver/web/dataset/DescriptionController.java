package dev.quiver.web.dataset;

import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.web.http.MediaTypes;
import dev.quiver.web.http.Negotiation;
import dev.quiver.web.http.TagVariant;
import dev.quiver.web.problem.Json;
import dev.quiver.web.representation.VersionRepresentations;
import dev.quiver.web.request.ParameterParser;
import dev.quiver.web.resource.DatasetPath;
import dev.quiver.web.resource.LayoutDocument;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.resource.SchemaDocument;
import dev.quiver.web.resource.SummaryDocument;
import dev.quiver.web.resource.VersionHeaders;
import dev.quiver.web.response.Representation;
import dev.quiver.web.response.Responder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Descriptions of a version without its rows: a summary, the schema, and the layout of its file.
@RestController
final class DescriptionController {

  private static final List<String> SCHEMA_OFFERS =
      List.of(Json.MEDIA_TYPE, MediaTypes.ARROW_STREAM);

  private static final int DEFAULT_LAYOUT_COUNT = 100;
  private static final int MAXIMUM_LAYOUT_COUNT = 10_000;

  private final Datasets datasets;
  private final Responder responder;

  DescriptionController(Datasets datasets, Responder responder) {
    this.datasets = datasets;
    this.responder = responder;
  }

  /// One description of an open version.
  @FunctionalInterface
  private interface Description {

    Representation of(VersionRepresentations versions, Snapshot snapshot) throws IOException;
  }

  @GetMapping(Paths.DATASET + "/summary")
  void summary(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    send(
        dataset,
        request,
        response,
        (versions, snapshot) ->
            versions.document(TagVariant.of("summary"), () -> SummaryDocument.of(snapshot)));
  }

  /// Sends the schema as JSON or as a stream without batches.
  @GetMapping(Paths.DATASET + "/schema")
  void schema(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    send(
        dataset,
        request,
        response,
        (versions, snapshot) -> {
          String offer = Negotiation.choose(request, response, SCHEMA_OFFERS, Function.identity());
          return offer.equals(Json.MEDIA_TYPE)
              ? versions.document(TagVariant.of("schema"), () -> SchemaDocument.of(snapshot))
              : versions.schemaStream();
        });
  }

  /// Sends the positions of messages and their buffers.
  @GetMapping(Paths.DATASET + "/layout")
  void layout(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long from = ParameterParser.number(request, "from", 0, 0, Long.MAX_VALUE);
    int count =
        (int)
            ParameterParser.number(request, "count", DEFAULT_LAYOUT_COUNT, 1, MAXIMUM_LAYOUT_COUNT);
    send(
        dataset,
        request,
        response,
        (versions, snapshot) ->
            versions.document(
                TagVariant.of("layout", from, count),
                () -> LayoutDocument.of(snapshot, from, count)));
  }

  private void send(
      String dataset,
      HttpServletRequest request,
      HttpServletResponse response,
      Description description)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      VersionRepresentations versions = new VersionRepresentations(reference, snapshot);
      responder.send(request, response, description.of(versions, snapshot));
    }
  }
}
