package dev.quiver.store;

import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.file.StoredVersion;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.read.SelectedLayouts;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.Damage;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.VersionSummary;
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

  /// Returns the latest version as a file that is appended to it needs it, or null if it does not
  /// exist.
  @Nullable AppendedDataset appended(DatasetName name) throws IOException {
    try (Snapshot latest = open(new DatasetReference(name, null), null, Duration.ZERO)) {
      return new AppendedDataset(latest.schema(), latest.fileParameters());
    } catch (DatasetNotFoundException | DatasetGoneException e) {
      return null;
    }
  }

  /// Returns the schema of a version that is open, and stays so, or null if its data is damaged or
  /// lost.
  @Nullable Schema schema(Catalog.OpenManifest version) throws IOException {
    try (SnapshotBytes bytes = SnapshotBytes.openLazily(store, version, caches)) {
      return StoredVersion.of(version.summary(), bytes, caches).schema();
    } catch (DamagedBlobException e) {
      return null;
    } catch (NoSuchBlobException e) {
      if (store.exists(version.key())) {
        return null;
      }
      throw e;
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
