package dev.quiver.store;

import dev.quiver.arrow.validate.Level;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.catalog.Writer;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.read.SelectedLayouts;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.Ingest;
import dev.quiver.store.write.UploadOptions;
import dev.quiver.store.write.Warnings;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;

/// A body in its canonical form, as the only version of a store that is discarded with its reader
/// and never leaves the local disk.
final class Conversion {

  private static final DatasetName NAME = new DatasetName("converted");

  private Conversion() {}

  static Snapshot open(BlobStore store, DatasetOptions options, UploadData.Source data)
      throws IOException {
    // The data is read immediately.
    DatasetOptions checked = options.withLevel(Level.VALUES);
    try (SpooledBlobs blobs = new SpooledBlobs(store)) {
      Catalog catalog =
          new Catalog(blobs, InstantSource.system(), Duration.ZERO, Retention.DEFAULT);
      try (WriteTransaction transaction =
          catalog.begin(NAME, new WriteCondition.None(), /* key= */ null, Writer.SERVICE)) {
        WrittenFile written =
            Ingest.ingest(data, UploadOptions.KEEP, blobs, checked, transaction, new Warnings());
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
