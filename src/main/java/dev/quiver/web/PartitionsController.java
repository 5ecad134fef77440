package dev.quiver.web;

import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.ipc.Framing;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Footer;
import dev.quiver.web.filter.PublicUrls;
import dev.quiver.web.http.TagVariant;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import dev.quiver.web.representation.VersionRepresentations;
import dev.quiver.web.request.Parameters;
import dev.quiver.web.resource.DatasetPath;
import dev.quiver.web.resource.Documents;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.resource.StoredFormat;
import dev.quiver.web.resource.VersionHeaders;
import dev.quiver.web.response.Representation;
import dev.quiver.web.response.Responder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// A version as several streams for parallel readers, possibly from several hosts.
@RestController
final class PartitionsController {

  private static final int DEFAULT_COUNT = 8;
  private static final int MAXIMUM_COUNT = 10_000;

  private final Datasets datasets;
  private final Responder responder;
  private final PublicUrls publicUrls;

  PartitionsController(Datasets datasets, Responder responder, PublicUrls publicUrls) {
    this.datasets = datasets;
    this.responder = responder;
    this.publicUrls = publicUrls;
  }

  @GetMapping(Paths.DATASET + "/partitions")
  void partitions(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    int count = (int) Parameters.number(request, "count", DEFAULT_COUNT, 1, MAXIMUM_COUNT);
    List<String> urls = publicUrls.of(request);
    if (urls.isEmpty()) {
      throw noPublicUrl();
    }
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      // The document depends on the URLs, too.
      TagVariant variant = TagVariant.of("partitions", count, "%08x".formatted(urls.hashCode()));
      Representation document =
          new VersionRepresentations(reference, snapshot)
              .document(variant, () -> partitions(snapshot, count, urls));
      responder.send(request, response, document.revalidated());
    }
  }

  private static Documents.Partitions partitions(Snapshot snapshot, int count, List<String> urls)
      throws IOException {
    Footer footer = snapshot.footer();
    List<Block> batches = footer.recordBatches();
    long commonByteSize =
        snapshot.schemaMessage().byteSize()
            + BatchRange.byteSize(footer.dictionaries())
            + Framing.PREFIX_BYTE_SIZE;
    String pinned = DatasetPath.pinned(snapshot.summary());
    List<Documents.ArrowStreamFile> files = new ArrayList<>();
    for (BatchRange range : BatchRange.divide(batches, count)) {
      files.add(
          Documents.ArrowStreamFile.of(
              urls.get(files.size() % urls.size()),
              pinned + "/batches/" + range.pathSegment(),
              snapshot.rows(range.from(), range.to()),
              range.to() - range.from() + 1,
              commonByteSize + snapshot.batchRange(range.from(), range.to()).byteSize()));
    }
    if (files.isEmpty()) {
      // Without batches, one stream still has the schema.
      files.add(
          Documents.ArrowStreamFile.of(
              urls.getFirst(),
              pinned + StoredFormat.STREAM.suffix(),
              0,
              0,
              snapshot.stream().byteSize()));
    }
    return new Documents.Partitions(files);
  }

  private static ProblemException noPublicUrl() {
    return Problem.of(
            ProblemType.NOT_IMPLEMENTED,
            "Expected a URL for clients but found none at quiver.public-urls, which is required"
                + " unless the service listens on loopback")
        .asException();
  }
}
