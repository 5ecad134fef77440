package dev.quiver.server.read;

import dev.quiver.formats.Format;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.Negotiation;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.LayoutDocument;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.SchemaDocument;
import dev.quiver.server.resource.SummaryDocument;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.Responder;
import dev.quiver.store.Datasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
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
      List.of(Json.MEDIA_TYPE, Format.STREAM.mediaType());

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
            versions.document(TagVariant.document("summary"), () -> SummaryDocument.of(snapshot)));
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
              ? versions.document(TagVariant.document("schema"), () -> SchemaDocument.of(snapshot))
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
