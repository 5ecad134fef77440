package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Checks a version that a paused writer has put. The pause was so long that other processes may
/// have deleted the version before it, or data that no version had named.
final class StaleCommitCheck {

  private final BlobStore store;
  private final Retention retention;
  private final Manifest put;
  private final Set<String> newData;

  /// @param put the version that was put
  /// @param newData the blobs that no earlier version named
  StaleCommitCheck(BlobStore store, Retention retention, Manifest put, Set<String> newData) {
    this.store = store;
    this.retention = retention;
    this.put = put;
    this.newData = newData;
  }

  /// Returns whether the version is the latest, or later ones build on it. If neither holds, or if
  /// the data of the latest version may have been deleted, the version is deleted again.
  ///
  /// Neither holds if other processes meanwhile committed this version number and later ones, and
  /// deleted this one since. No reader would ever see the version then.
  ///
  /// @param now when the version was put, or later
  /// @throws IOException if its data may have been deleted, or if the version was deleted
  ///   meanwhile, so that its fate is unknown
  boolean stillValid(Instant now) throws IOException {
    boolean isValid;
    try {
      isValid = isNewest() || isBuiltOn();
    } catch (IOException e) {
      // The version was put, so the failed check is worth a retry.
      isValid = isNewest() || isBuiltOn();
    }
    if (isValid) {
      requireFreshData(now);
    } else if (!store.delete(key())) {
      throw new IOException(
          "Expected version %d but found it deleted before its commit was confirmed at %s"
              .formatted(put.summary().version(), put.summary().name().value()));
    }
    return isValid;
  }

  private boolean isNewest() throws IOException {
    return StoreKeys.listManifests(store, StoreKeys.manifests(put.summary().name()), null, 1)
        .equals(List.of(key()));
  }

  private boolean isBuiltOn() throws IOException {
    String next = StoreKeys.manifest(put.summary().name(), put.summary().version() + 1);
    try (Catalog.OpenManifest open = Catalog.OpenManifest.open(store, next)) {
      return put.summary().commitId().equals(open.manifest().parentCommitId());
    } catch (NoSuchBlobException e) {
      return false;
    }
  }

  /// Requires the data to be young enough that it still exists. From now on, a collector finds it
  /// named.
  private void requireFreshData(Instant now) throws IOException {
    try {
      retention.requireCommittable(newData, now);
    } catch (IOException e) {
      if (isNewest()) {
        store.delete(key());
      }
      throw e;
    }
  }

  private String key() {
    return StoreKeys.manifest(put.summary().name(), put.summary().version());
  }
}
