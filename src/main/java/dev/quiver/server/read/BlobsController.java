package dev.quiver.server.read;

import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
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
      VersionHeaders.set(request, response, reference, snapshot.summary());
      VersionRepresentations versions = new VersionRepresentations(reference, snapshot);
      responder.send(
          request, response, versions.document(TagVariant.of("blobs"), () -> blobs(snapshot)));
    }
  }

  private static Documents.Blobs blobs(Snapshot snapshot) throws IOException {
    VersionSummary summary = snapshot.summary();
    return new Documents.Blobs(
        summary.name().value(),
        summary.version(),
        EntityTag.of(summary.id()).toString(),
        summary.file().byteSize(),
        snapshot.blobByteSizes().entrySet().stream()
            .map(blob -> new Documents.Blob(blob.getKey(), blob.getValue()))
            .toList(),
        snapshot.extents().stream().map(Documents.BlobExtent::of).toList());
  }
}
