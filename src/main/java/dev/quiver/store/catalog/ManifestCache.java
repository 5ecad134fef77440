package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.Manifest;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An LRU cache of manifests, for stores that can cheaply check whether a key still has the blob
/// that was read. A manifest whose blob is gone is never returned.
final class ManifestCache {

  private static final long MAXIMUM_BYTE_SIZE = 8 << 20;

  private final BlobStore store;
  private final LruCache<String, Entry> manifests = new LruCache<>(MAXIMUM_BYTE_SIZE);

  ManifestCache(BlobStore store) {
    this.store = store;
  }

  /// Returns the manifest of a key, or null if it is not cached or if its blob has changed or is
  /// gone.
  @Nullable Manifest get(String key) throws IOException {
    Entry entry = manifests.get(key);
    return entry != null && Objects.equals(entry.identity(), store.identity(key))
        ? entry.manifest()
        : null;
  }

  /// Opens the manifest of a key, and caches it.
  ///
  /// @throws NoSuchBlobException if the key has no blob
  Catalog.OpenManifest open(String key) throws IOException {
    // The identity is read first: if another blob is opened, the cached identity does not match the
    // key's.
    Object identity = store.identity(key);
    Catalog.OpenManifest open = Catalog.OpenManifest.open(store, key);
    if (identity != null) {
      manifests.put(key, new Entry(open.manifest(), identity), open.manifest().heapByteSize());
    }
    return open;
  }

  /// Returns the manifest of a key, or null if the key has no blob.
  Catalog.@Nullable OpenManifest openIfPresent(String key) throws IOException {
    Manifest manifest = get(key);
    if (manifest != null) {
      return new Catalog.OpenManifest(key, null, manifest);
    }
    try {
      return open(key);
    } catch (NoSuchBlobException e) {
      return null;
    }
  }

  private record Entry(Manifest manifest, Object identity) {}
}
