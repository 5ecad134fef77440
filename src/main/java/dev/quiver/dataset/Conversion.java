package dev.quiver.dataset;

import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.catalog.ManifestFormat;
import dev.quiver.dataset.catalog.StoreKeys;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.dataset.ingest.Ingest;
import dev.quiver.dataset.ingest.StagedUpload;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.read.LayoutCache;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.stored.BatchIndexCache;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.Ulid;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.storage.BlobStore;
import dev.quiver.validate.Level;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.List;

/// A body in its canonical form that no version names, and that is gone with its reader: it never
/// leaves the local disk.
final class Conversion {

  private static final DatasetName NAME = new DatasetName("converted");

  private Conversion() {}

  static Snapshot open(BlobStore store, DatasetOptions options, ByteSource body, BodyFormat format)
      throws IOException {
    String data = StoreKeys.newData(NAME);
    String manifest = data + ".manifest";
    try (SpooledBlobs blobs = new SpooledBlobs(store)) {
      WrittenFile written = take(blobs, options, data, body, format);
      VersionSummary summary =
          VersionSummary.of(
              NAME, 1, Ulid.next(), VersionKind.UPLOAD, 1, Instant.now(), written.file(), null);
      MemorySegment content =
          ManifestFormat.write(summary, null, List.of(), written.extents(), written.tail());
      blobs.putIfAbsent(manifest, content);
      // Nobody reads it again, so that what is remembered of it goes with it.
      return Snapshot.open(
          blobs,
          Catalog.OpenManifest.open(blobs, manifest),
          new BatchIndexCache(0),
          new LayoutCache(0));
    }
  }

  private static WrittenFile take(
      BlobStore blobs, DatasetOptions options, String key, ByteSource body, BodyFormat format)
      throws IOException {
    // It is read at once.
    DatasetOptions checked = options.withLevel(Level.VALUES);
    try (StagedUpload staged =
        Ingest.stage(blobs, checked, UploadOptions.KEEP, key, body, format)) {
      staged.upload().commit();
      return staged.written();
    }
  }
}
