package dev.quiver.dataset;

import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.catalog.Retention;
import dev.quiver.dataset.catalog.WriteTransaction;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.dataset.ingest.Ingest;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.ingest.Warnings;
import dev.quiver.dataset.manifest.StoreKeys;
import dev.quiver.dataset.quota.Writer;
import dev.quiver.dataset.read.SelectedLayouts;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.stored.VersionCaches;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.storage.BlobStore;
import dev.quiver.validate.Level;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;

/// A body in its canonical form, as the only version of a store that is discarded with its reader
/// and never leaves the local disk.
final class Conversion {

  private static final DatasetName NAME = new DatasetName("converted");

  private Conversion() {}

  static Snapshot open(BlobStore store, DatasetOptions options, ByteSource body, BodyFormat format)
      throws IOException {
    // The data is read immediately.
    DatasetOptions checked = options.withLevel(Level.VALUES);
    try (SpooledBlobs blobs = new SpooledBlobs(store)) {
      Catalog catalog =
          new Catalog(blobs, InstantSource.system(), Duration.ZERO, Retention.DEFAULT);
      try (WriteTransaction transaction =
          catalog.begin(NAME, new WriteCondition.None(), /* key= */ null, Writer.SERVICE)) {
        WrittenFile written =
            Ingest.ingest(
                body, format, UploadOptions.KEEP, blobs, checked, transaction, new Warnings());
        transaction.commit(_ -> written.version());
      }
      // No other reader follows, so the caches are discarded, too.
      return Snapshot.open(
          blobs,
          Catalog.OpenManifest.open(blobs, StoreKeys.manifest(NAME, 1)),
          options.inFlight(),
          new VersionCaches(0),
          new SelectedLayouts(0));
    }
  }
}
