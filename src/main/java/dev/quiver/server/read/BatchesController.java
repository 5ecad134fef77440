package dev.quiver.server.read;

import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.text.JsonNumbers;
import dev.quiver.formats.Format;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.Responder;
import dev.quiver.store.Datasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// The record batches of a version: their locations, and selected ones as a stream.
@RestController
@RequestMapping(Paths.DATASET + "/batches")
final class BatchesController {

  private static final int DEFAULT_COUNT = 1000;
  private static final int MAXIMUM_COUNT = 10_000;

  private final Datasets datasets;
  private final Responder responder;

  BatchesController(Datasets datasets, Responder responder) {
    this.datasets = datasets;
    this.responder = responder;
  }

  @GetMapping
  void index(@PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    long from = ParameterParser.number(request, "from", 0, 0, Long.MAX_VALUE);
    int count = (int) ParameterParser.number(request, "count", DEFAULT_COUNT, 1, MAXIMUM_COUNT);
    boolean statistics = ParameterParser.flag(request, "statistics");
    JsonNumbers numbers =
        ParameterParser.choice(request, "numbers", JsonNumbers.class, JsonNumbers.NUMBER);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      VersionRepresentations versions = new VersionRepresentations(reference, snapshot);
      TagVariant variant =
          statistics
              ? TagVariant.document(
                  "statistics", from, count, numbers.name().toLowerCase(Locale.ROOT))
              : TagVariant.of("index", from, count);
      BatchDescriptions descriptions = new BatchDescriptions(snapshot, statistics ? numbers : null);
      responder.send(
          request,
          response,
          versions.document(variant, () -> index(snapshot, from, count, descriptions)));
    }
  }

  private static Documents.BatchIndex index(
      Snapshot snapshot, long from, int count, BatchDescriptions descriptions) throws IOException {
    VersionSummary summary = snapshot.summary();
    String pinned = DatasetPath.pinned(summary);
    List<Documents.Batch> batches = descriptions.batches(from, count);
    boolean more = from < summary.file().batches() - batches.size();
    String next =
        more
            ? "%s/batches?from=%d&count=%d%s"
                .formatted(pinned, from + batches.size(), count, descriptions.parameters())
            : null;
    return new Documents.BatchIndex(
        summary.name().value(),
        summary.version(),
        EntityTag.of(summary.id()).toString(),
        pinned + Format.FILE.suffix(),
        pinned + Format.STREAM.suffix(),
        summary.file().rows(),
        summary.file().byteSize(),
        Documents.ExtentJson.of(snapshot.schemaMessage()),
        snapshot.dictionaries().entrySet().stream()
            .map(entry -> Documents.DictionaryExtent.of(entry.getKey(), entry.getValue()))
            .toList(),
        Documents.ExtentJson.of(snapshot.footerRange()),
        batches,
        next);
  }

  @GetMapping("/{range}")
  void batches(
      @PathVariable String dataset,
      @PathVariable String range,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      BatchRange batches = BatchRange.parse(range, snapshot.summary().file().batches());
      if (batches == null) {
        throw noSuchBatches(range, snapshot.summary());
      }
      RequestedCodec codec = ParameterParser.codec(request);
      responder.send(
          request,
          response,
          new VersionRepresentations(reference, snapshot)
              .batches(batches.from(), batches.to(), codec));
    }
  }

  private static ProblemException noSuchBatches(String range, VersionSummary summary) {
    String expected =
        summary.file().batches() == 0
            ? "no batch, since the version has none,"
            : "a batch or range of batches from 0 to %d".formatted(summary.file().batches() - 1);
    return Problem.of(
            ProblemType.NOT_FOUND,
            "Expected %s but found %s at %s@%d"
                .formatted(expected, range, summary.name(), summary.version()))
        .withHint(
            "%s/batches lists the batches."
                .formatted(PublicPath.prefix() + DatasetPath.pinned(summary)))
        .asException();
  }
}
