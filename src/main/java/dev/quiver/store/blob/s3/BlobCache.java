package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.folder.FolderSpool;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A cache of immutable blobs in files. The least recently used files make room for others.
///
/// Open blobs are never evicted, so a blob without room is not cached. An
/// `LruCache`[dev.quiver.arrow.parallel.LruCache] can neither pin entries nor let them grow chunk
/// by chunk.
final class BlobCache {

  private static final Logger LOG = System.getLogger(BlobCache.class.getName());

  /// The maximum number of files, which bounds the memory for their names and positions.
  private static final int MAXIMUM_FILES = 100_000;

  private final Bucket bucket;
  private final CacheFolder folder;
  private final long maximumByteSize;
  private final Map<String, CachedFile> files = new LinkedHashMap<>(16, 0.75f, true);
  private long byteSize;
  private long partialCount;

  private BlobCache(Bucket bucket, CacheFolder folder, long maximumByteSize) {
    this.bucket = bucket;
    this.folder = folder;
    this.maximumByteSize = maximumByteSize;
  }

  /// Opens the cache and takes over existing complete blobs, the most recently written ones first.
  static BlobCache open(Bucket bucket, CacheFolder folder, long maximumByteSize)
      throws IOException {
    BlobCache cache = new BlobCache(bucket, folder, maximumByteSize);
    List<Path> found;
    try (Stream<Path> paths = Files.list(folder.whole())) {
      found = paths.sorted(Comparator.comparing(path -> path.toFile().lastModified())).toList();
    }
    for (Path path : found) {
      String name = path.getFileName().toString();
      CachedFile file = CachedFile.whole(name, path, Files.size(path));
      cache.files.put(name, file);
      if (!cache.reserve(file, file.byteSize())) {
        cache.files.remove(name);
        Files.delete(path);
      }
    }
    return cache;
  }

  long maximumByteSize() {
    return maximumByteSize;
  }

  /// Returns whether a blob would be cached if there were room.
  boolean isWanted(BlobIdentity identity) {
    return identity.byteSize() > 0 && identity.byteSize() <= maximumByteSize;
  }

  /// Returns the size of the cached bytes.
  synchronized long byteSize() {
    return byteSize;
  }

  Bucket bucket() {
    return bucket;
  }

  /// Returns the file of a blob, which is kept until it is released as often as acquired.
  synchronized CachedFile acquire(String key, BlobIdentity identity) {
    String name = identity.fileName(key);
    CachedFile file =
        files.computeIfAbsent(
            name,
            absent ->
                CachedFile.partial(
                    absent,
                    folder.partial().resolve(absent + "-" + partialCount++),
                    folder.whole().resolve(absent),
                    identity.byteSize()));
    file.opened++;
    return file;
  }

  synchronized void acquire(CachedFile file) {
    file.opened++;
  }

  synchronized void release(CachedFile file) {
    file.opened--;
    boolean kept = file.heldByteSize > 0 && files.size() <= MAXIMUM_FILES;
    if (file.opened == 0 && !kept && files.remove(file.name(), file)) {
      remove(file);
    }
  }

  /// Drops a file that was deleted externally. Its current users cache nothing more in it.
  synchronized void lose(CachedFile file) {
    if (files.remove(file.name(), file)) {
      remove(file);
    }
  }

  /// Makes room for bytes of a file.
  ///
  /// @return false if the bytes do not fit, or the file is no longer cached
  synchronized boolean reserve(CachedFile file, long count) {
    if (count > maximumByteSize || files.get(file.name()) != file) {
      return false;
    }
    Iterator<CachedFile> eldest = files.values().iterator();
    while (byteSize > maximumByteSize - count && eldest.hasNext()) {
      CachedFile candidate = eldest.next();
      if (candidate.opened == 0 && candidate != file) {
        remove(candidate);
        eldest.remove();
      }
    }
    if (byteSize > maximumByteSize - count) {
      return false;
    }
    byteSize += count;
    file.heldByteSize += count;
    return true;
  }

  /// Returns reserved but unused bytes.
  synchronized void unreserve(CachedFile file, long count) {
    if (files.get(file.name()) == file) {
      byteSize -= count;
      file.heldByteSize -= count;
    }
  }

  /// Caches the bytes of a blob that are already on disk.
  void add(String key, BlobIdentity identity, FolderSpool spool) {
    String name = identity.fileName(key);
    Path path = folder.whole().resolve(name);
    CachedFile file = CachedFile.whole(name, path, identity.byteSize());
    try {
      spool.complete(true);
      link(file, path, spool.path());
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Blob not cached on the local disk: " + key, e);
    }
  }

  private synchronized void link(CachedFile file, Path path, Path source) throws IOException {
    if (files.putIfAbsent(file.name(), file) != null) {
      return;
    }
    boolean linked = false;
    try {
      if (reserve(file, file.byteSize())) {
        Files.createLink(path, source);
        linked = true;
      }
    } finally {
      if (!linked) {
        lose(file);
      }
    }
  }

  /// Returns the file of a completely cached blob, or null if absent.
  synchronized @Nullable Path path(String key, BlobIdentity identity) {
    CachedFile file = files.get(identity.fileName(key));
    return file == null ? null : file.wholePath();
  }

  private void remove(CachedFile file) {
    byteSize -= file.heldByteSize;
    file.heldByteSize = 0;
    try {
      file.delete();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Cannot delete a file of the cache: " + file.name(), e);
    }
  }
}
