package dev.quiver.store.file;

import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.Damage;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.Sidecar;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The blobs of one version, each open once, whose reads are checked. The checksums of a blob come
/// from its sidecar, and checksums of the file's end in the manifest's blob from the manifest.
final class CheckedBlobs implements AutoCloseable {

  private final BlobStore store;
  private final LruCache<String, BlockChecksums> cache;
  private final String version;
  private final String manifestKey;
  private final BlockChecksums tail;
  private final Map<String, CheckedBlob> blobs = new LinkedHashMap<>();
  private final BlockBuffer buffer = new BlockBuffer();

  /// The keys of the blobs with a sidecar.
  private final Set<String> described = new HashSet<>();

  /// @param cache the checksums of blobs, by their keys
  CheckedBlobs(BlobStore store, Catalog.OpenManifest open, LruCache<String, BlockChecksums> cache) {
    Manifest manifest = open.manifest();
    this.store = store;
    this.cache = cache;
    this.version = manifest.summary().reference().toString();
    this.manifestKey = open.key();
    this.tail = tail(manifest);
    for (int i = 0; i < manifest.extents().size(); i++) {
      if (manifest.checksums().extent(i).hasSidecar()) {
        described.add(manifest.extents().get(i).key());
      }
    }
    Blob blob = open.blob();
    if (blob != null) {
      blobs.put(open.key(), checked(open.key(), blob));
    }
  }

  private static BlockChecksums tail(Manifest manifest) {
    Integer checksum = manifest.tailChecksum();
    if (checksum == null || manifest.tailByteSize() == 0) {
      return BlockChecksums.NONE;
    }
    BlockChecksums.Builder tail = new BlockChecksums.Builder();
    tail.add(manifest.tailOffset(), Math.toIntExact(manifest.tailByteSize()), checksum);
    return tail.build();
  }

  /// Returns the version, such as `cities@3`.
  String version() {
    return version;
  }

  /// Returns whether a blob has a sidecar.
  boolean hasSidecar(String key) {
    return described.contains(key);
  }

  /// Opens blobs that are not open yet, and loads their checksums, so that deleting them does not
  /// disturb readers. A remote store is asked for all of them at once.
  void open(List<BlobExtent> extents) throws IOException {
    if (store.isRemote()) {
      Set<String> closed = new LinkedHashSet<>();
      for (BlobExtent extent : extents) {
        if (!blobs.containsKey(extent.key())) {
          closed.add(extent.key());
        }
        if (described.contains(extent.key()) && cache.get(extent.key()) == null) {
          closed.add(StoreKeys.sidecar(extent.key()));
        }
      }
      for (Map.Entry<String, Blob> opened : RemoteBlobs.open(store, closed).entrySet()) {
        if (StoreKeys.isSidecar(opened.getKey())) {
          // The local cache has it now.
          opened.getValue().close();
        } else {
          blobs.put(opened.getKey(), checked(opened.getKey(), opened.getValue()));
        }
      }
    }
    for (BlobExtent extent : extents) {
      CheckedBlob blob = get(extent);
      if (described.contains(extent.key())) {
        blob.load();
      }
    }
  }

  /// Returns the blob of an extent.
  CheckedBlob get(BlobExtent extent) throws IOException {
    CheckedBlob blob = blobs.get(extent.key());
    if (blob == null) {
      blob = checked(extent.key(), store.open(extent.key()));
      blobs.put(extent.key(), blob);
    }
    requireWithin(extent, blob);
    return blob;
  }

  private CheckedBlob checked(String key, Blob blob) {
    return new CheckedBlob(blob, key, version, () -> checksums(key), buffer);
  }

  private BlockChecksums checksums(String key) throws IOException {
    if (key.equals(manifestKey)) {
      return tail;
    }
    return cache.get(key, /* heavy= */ false, () -> load(key), BlockChecksums::heapByteSize);
  }

  private BlockChecksums load(String key) throws IOException {
    try {
      return sidecar(key, _ -> {}).checksums();
    } catch (NoSuchBlobException e) {
      if (described.contains(key)) {
        throw e;
      }
      // Data of before has none until the scrubber adds them.
      return BlockChecksums.NONE;
    }
  }

  /// Reads the sidecar of a blob.
  ///
  /// @param opened receives its size before it is read
  /// @throws DamagedBlobException if it is broken, so that the blob cannot be checked
  Sidecar sidecar(String key, LongConsumer opened) throws IOException {
    return Sidecar.read(store, key, version, opened);
  }

  private void requireWithin(BlobExtent extent, Blob blob) throws DamagedBlobException {
    if (extent.byteOffset() < 0
        || extent.byteSize() < 0
        || extent.byteOffset() > blob.byteSize() - extent.byteSize()) {
      throw Damage.PROCESS.found(version, extent.key(), blob.byteSize());
    }
  }

  @Override
  public void close() throws IOException {
    buffer.release();
    @Nullable IOException first = null;
    for (Blob blob : blobs.values()) {
      try {
        blob.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
