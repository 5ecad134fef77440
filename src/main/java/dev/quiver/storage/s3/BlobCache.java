package dev.quiver.storage.s3;

import dev.quiver.storage.filesystem.FolderSpool;
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

/// Files of immutable blobs, of which those least recently used make room for others.
///
/// A blob that is open is not removed; what then finds no room is not kept. An
/// [LruCache][dev.quiver.memory.LruCache] cannot pin entries, nor let them grow chunk by chunk.
final class BlobCache {

  private static final Logger LOG = System.getLogger(BlobCache.class.getName());

  /// What the name and the place of a file take in memory is bounded by how many there are.
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

  /// Takes over the whole blobs that are there, the most recently written ones first.
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

  /// Whether a blob is kept when there is room.
  boolean isWanted(Identity identity) {
    return identity.byteSize() > 0 && identity.byteSize() <= maximumByteSize;
  }

  /// What is kept now.
  synchronized long byteSize() {
    return byteSize;
  }

  Bucket bucket() {
    return bucket;
  }

  /// The file of a blob, which stays until it is released as often.
  synchronized CachedFile acquire(String key, Identity identity) {
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

  /// Forgets a file that somebody else removed. Those who still have it keep nothing more in it.
  synchronized void lose(CachedFile file) {
    if (files.remove(file.name(), file)) {
      remove(file);
    }
  }

  /// Makes room for bytes of a file.
  ///
  /// @return false when there is none, or the file is not kept any more
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

  /// Takes back what was reserved and not filled.
  synchronized void unreserve(CachedFile file, long count) {
    if (files.get(file.name()) == file) {
      byteSize -= count;
      file.heldByteSize -= count;
    }
  }

  /// Keeps the bytes of a blob that are on the disk already.
  void add(String key, Identity identity, FolderSpool spool) {
    String name = identity.fileName(key);
    Path path = folder.whole().resolve(name);
    CachedFile file = CachedFile.whole(name, path, identity.byteSize());
    try {
      spool.complete(true);
      link(file, path, spool.path());
    } catch (IOException e) {
      LOG.log(Level.WARNING, "A blob is not kept on the local disk: " + key, e);
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

  /// The whole blob's file; null when it is not there.
  synchronized @Nullable Path path(String key, Identity identity) {
    CachedFile file = files.get(identity.fileName(key));
    return file == null ? null : file.wholePath();
  }

  private void remove(CachedFile file) {
    byteSize -= file.heldByteSize;
    file.heldByteSize = 0;
    try {
      file.delete();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "A file of the cache cannot be removed: " + file.name(), e);
    }
  }
}
