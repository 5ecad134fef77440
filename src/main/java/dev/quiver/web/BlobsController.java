package dev.quiver.web;

import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.stored.BlobRange;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.web.http.TagVariant;
import dev.quiver.web.representation.VersionRepresentations;
import dev.quiver.web.resource.DatasetPath;
import dev.quiver.web.resource.Documents;
import dev.quiver.web.resource.Paths;
import dev.quiver.web.resource.VersionTag;
import dev.quiver.web.response.Responder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The blobs of a version, for clients that read the store directly.
@RestController
final class BlobsController {

  private final Datasets datasets;
  private final Responder responder;

  BlobsController(Datasets datasets, Responder responder) {
    this.datasets = datasets;
    this.responder = responder;
  }

  @GetMapping(Paths.DATASET + "/blobs")
  void blobs(@PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionRepresentations versions = new VersionRepresentations(reference, snapshot);
      ByteRange file = snapshot.file();
      List<BlobRange> pieces = snapshot.pieces(file.byteOffset(), file.byteSize());
      responder.send(
          request,
          response,
          versions.document(TagVariant.of("blobs"), () -> blobs(snapshot, pieces)));
    }
  }

  private static Documents.Blobs blobs(Snapshot snapshot, List<BlobRange> pieces) {
    VersionSummary summary = snapshot.summary();
    List<BlobExtent> extents = snapshot.extents();
    Map<String, Long> byteSizes = new LinkedHashMap<>();
    for (int i = 0; i < extents.size(); i++) {
      byteSizes.put(extents.get(i).key(), pieces.get(i).blob().byteSize());
    }
    return new Documents.Blobs(
        summary.name().value(),
        summary.version(),
        VersionTag.of(summary).toString(),
        summary.file().byteSize(),
        byteSizes.entrySet().stream()
            .map(blob -> new Documents.Blob(blob.getKey(), blob.getValue()))
            .toList(),
        extents.stream().map(Documents.BlobExtent::of).toList());
  }
}
