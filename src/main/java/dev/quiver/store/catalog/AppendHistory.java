package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.DatasetReplacedException;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The versions before one, as far as only appends and compactions lie between: the rows of such a
/// version are the first rows of all later ones.
///
/// The existing versions of a name are contiguous up to the latest, so those between two existing
/// ones exist.
final class AppendHistory {

  private static final int PAGE = 1000;

  private final BlobStore store;
  private final ManifestCache cache;
  private final Manifest latest;
  private final DatasetName name;

  /// @param latest the last version of the history
  AppendHistory(BlobStore store, ManifestCache cache, Manifest latest) {
    this.store = store;
    this.cache = cache;
    this.latest = latest;
    this.name = latest.summary().name();
  }

  /// Returns the number of rows of a version.
  ///
  /// @throws DatasetNotFoundException if the version is later than the last one
  /// @throws DatasetReplacedException if a later version replaced the rows
  /// @throws DatasetGoneException if the version has expired
  long rows(long version) throws IOException {
    long last = latest.summary().version();
    if (version > last) {
      throw DatasetNotFoundException.beyond(name, last, version);
    }
    long replacement = Math.max(latest.summary().firstVersion(), replacementAfter(version));
    if (replacement > version) {
      throw new DatasetReplacedException(name, version, replacement);
    }
    Manifest manifest = version == last ? latest : manifest(version);
    if (manifest == null) {
      throw DatasetGoneException.expired(new DatasetReference(name, version), oldest());
    }
    return manifest.summary().file().rows();
  }

  /// Returns the last version that replaced the rows, if it is later than `version`; otherwise any
  /// earlier one, or 0.
  private long replacementAfter(long version) throws IOException {
    Manifest manifest = latest;
    // An earlier release did not write the number into its manifests.
    while (manifest != null && manifest.lastReplacement() == 0) {
      VersionSummary summary = manifest.summary();
      if (summary.kind() == VersionKind.UPLOAD) {
        return summary.version();
      }
      manifest = summary.version() > version + 1 ? manifest(summary.version() - 1) : null;
    }
    return manifest == null ? 0 : manifest.lastReplacement();
  }

  /// Returns the manifest of a version, or null if it has expired.
  private @Nullable Manifest manifest(long version) throws IOException {
    String key = StoreKeys.manifest(name, version);
    Manifest cached = cache.get(key);
    if (cached != null) {
      return cached;
    }
    try (Catalog.OpenManifest open = cache.open(key)) {
      return open.manifest();
    } catch (NoSuchBlobException e) {
      return null;
    }
  }

  private long oldest() throws IOException {
    String oldest = null;
    List<String> keys;
    do {
      keys = StoreKeys.listManifests(store, StoreKeys.manifests(name), oldest, PAGE);
      oldest = keys.isEmpty() ? oldest : keys.getLast();
    } while (keys.size() == PAGE);
    long first = latest.summary().firstVersion();
    return oldest == null ? first : Math.max(first, StoreKeys.version(oldest));
  }
}
