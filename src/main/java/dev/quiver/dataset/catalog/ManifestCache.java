package dev.quiver.dataset.catalog;

import dev.quiver.memory.LruCache;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The manifests read last, of a store that tells cheaply whether a key still has the blob that was
/// read: nothing is taken for there that is not.
final class ManifestCache {

  private static final long MAXIMUM_BYTE_SIZE = 8 << 20;

  /// How much larger a manifest is as objects, roughly.
  private static final long OBJECTS_FACTOR = 4;

  private final BlobStore store;
  private final LruCache<String, Known> manifests = new LruCache<>(MAXIMUM_BYTE_SIZE);

  ManifestCache(BlobStore store) {
    this.store = store;
  }

  /// The manifest of a key, when it is known and still there.
  @Nullable Manifest get(String key) throws IOException {
    Known known = manifests.get(key);
    return known != null && Objects.equals(known.identity(), store.identity(key))
        ? known.manifest()
        : null;
  }

  /// Opens the manifest of a key, and keeps what it says.
  ///
  /// @throws dev.quiver.storage.NoSuchBlobException when there is none
  Catalog.OpenManifest open(String key) throws IOException {
    // Asked for first: should another blob be read, this is not what the key will have.
    Object identity = store.identity(key);
    Catalog.OpenManifest open = Catalog.OpenManifest.open(store, key);
    if (identity != null) {
      long byteSize = OBJECTS_FACTOR * open.manifest().tailOffset();
      manifests.put(key, new Known(open.manifest(), identity), byteSize);
    }
    return open;
  }

  private record Known(Manifest manifest, Object identity) {}
}
