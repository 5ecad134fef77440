package dev.quiver.store;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.NoSuchBlobException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Blobs in spools of a store: private, on the local disk, and lost in a crash.
///
/// Each blob can be opened once, and closing it discards it. Closing this store discards the rest.
/// Used by one thread.
final class SpooledBlobs implements BlobStore, AutoCloseable {

  private final BlobStore store;
  private final NavigableMap<String, BlobSpool> spools = new TreeMap<>();

  /// @param store the store that provides the spools
  SpooledBlobs(BlobStore store) {
    this.store = store;
  }

  @Override
  public BlobUpload begin(String key) throws IOException {
    return new Upload(key, store.spool());
  }

  @Override
  public BlobSpool spool() throws IOException {
    return store.spool();
  }

  @Override
  public Blob open(String key) throws IOException {
    BlobSpool spool = spools.remove(key);
    if (spool == null) {
      throw new NoSuchBlobException(key);
    }
    return new OpenSpool(spool);
  }

  @Override
  public boolean exists(String key) {
    return spools.containsKey(key);
  }

  @Override
  public boolean isRemote() {
    return false;
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int limit) {
    return spools.navigableKeySet().stream()
        .filter(key -> key.startsWith(prefix) && (after == null || key.compareTo(after) > 0))
        .limit(limit)
        .toList();
  }

  @Override
  public boolean delete(String key) throws IOException {
    BlobSpool spool = spools.remove(key);
    if (spool != null) {
      spool.close();
    }
    return spool != null;
  }

  @Override
  public Path scratchFolder() {
    return store.scratchFolder();
  }

  @Override
  public @Nullable Path localPath(String key) {
    return null;
  }

  @Override
  public void close() throws IOException {
    while (!spools.isEmpty()) {
      delete(spools.firstKey());
    }
  }

  private final class Upload implements BlobUpload {

    private final String key;
    private final BlobSpool spool;
    private boolean committed;

    Upload(String key, BlobSpool spool) {
      this.key = key;
      this.spool = spool;
    }

    @Override
    public long position() {
      return spool.position();
    }

    @Override
    public void write(MemorySegment source) throws IOException {
      spool.write(source);
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
      return spool.map(byteOffset, byteSize, arena);
    }

    @Override
    public boolean commit() {
      committed = spools.putIfAbsent(key, spool) == null;
      return committed;
    }

    @Override
    public void close() throws IOException {
      if (!committed) {
        spool.close();
      }
    }
  }

  private static final class OpenSpool implements Blob {

    private final BlobSpool spool;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment content;

    OpenSpool(BlobSpool spool) throws IOException {
      this.spool = spool;
      this.content = spool.map(0, spool.position(), arena);
    }

    @Override
    public long byteSize() {
      return content.byteSize();
    }

    @Override
    public long read(long byteOffset, MemorySegment destination) {
      long remaining = Math.max(0, content.byteSize() - byteOffset);
      long count = Math.min(remaining, destination.byteSize());
      if (count > 0) {
        MemorySegment.copy(content, byteOffset, destination, 0, count);
      }
      return count;
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena mapArena) throws IOException {
      Objects.checkFromIndexSize(byteOffset, byteSize, content.byteSize());
      return spool.map(byteOffset, byteSize, mapArena);
    }

    @Override
    public @Nullable Path localPath() {
      return null;
    }

    @Override
    public void close() throws IOException {
      arena.close();
      spool.close();
    }
  }
}
