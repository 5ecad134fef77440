package dev.quiver.dataset;

import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.integrity.Damage;
import dev.quiver.dataset.manifest.Manifest;
import dev.quiver.dataset.read.SelectedLayouts;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.stored.VersionCaches;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Opens versions for reading, and caches what their readers share.
final class Snapshots {

  private final BlobStore store;
  private final Catalog catalog;
  private final InFlightBytes inFlight;
  private final VersionCaches caches;

  private final SelectedLayouts layouts =
      new SelectedLayouts(Runtime.getRuntime().maxMemory() / 16);

  Snapshots(BlobStore store, Catalog catalog, InFlightBytes inFlight, VersionCaches caches) {
    this.store = store;
    this.catalog = catalog;
    this.inFlight = inFlight;
    this.caches = caches;
  }

  /// Opens a version, or the latest one if it is deleted before all its blobs are open.
  ///
  /// @param since an earlier version whose rows are left out, or null for all rows
  /// @param staleness how stale the latest version may be, unless more is configured
  Snapshot open(DatasetReference reference, @Nullable Long since, Duration staleness)
      throws IOException {
    VersionSummary broken = null;
    while (true) {
      Catalog.OpenManifest open = catalog.open(reference, since == null ? 0 : since, staleness);
      try {
        Snapshot snapshot = Snapshot.open(store, open, inFlight, caches, layouts);
        return since == null ? snapshot : startingSince(since, snapshot, open.manifest());
      } catch (NoSuchBlobException e) {
        // Manifests are deleted before their data. If the store itself still has this one, some of
        // its data is lost.
        if (store.exists(open.key()) && open.summary().equals(broken)) {
          throw Damage.PROCESS.found(open.summary().reference().toString(), e.key(), 0, e);
        }
        broken = open.summary();
      }
    }
  }

  private Snapshot startingSince(long since, Snapshot snapshot, Manifest manifest)
      throws IOException {
    try {
      return snapshot.startingAt(catalog.rowsSince(manifest, since));
    } catch (IOException | RuntimeException e) {
      snapshot.close();
      throw e;
    }
  }
}
