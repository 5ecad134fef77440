package dev.quiver.store.blob;

import dev.quiver.arrow.memory.Limit;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A store with a maximum size for its blobs, unfinished uploads and spools together.
///
/// It does not see concurrent writes of other processes to the same store.
public final class LimitedBlobStore implements BlobStore {

  /// A folder with very many others may be read for each page.
  private static final int PAGE_SIZE = 10_000;

  /// The size of the file of an upload without rows and of its manifest, about.
  private static final int SMALL_UPLOAD_BYTE_SIZE = 4 << 10;

  private final BlobStore store;
  private final Limit limit;
  private final AtomicLong byteSize = new AtomicLong();

  private LimitedBlobStore(BlobStore store, Limit limit) {
    this.store = store;
    this.limit = limit;
  }

  /// Returns a limited store, after adding up the existing blobs.
  public static LimitedBlobStore of(BlobStore store, Limit limit) throws IOException {
    LimitedBlobStore limited = new LimitedBlobStore(store, limit);
    String after = null;
    SequencedMap<String, Long> page;
    do {
      page = store.byteSizes("", after, PAGE_SIZE);
      page.values().forEach(limited.byteSize::addAndGet);
      after = page.isEmpty() ? null : page.lastEntry().getKey();
    } while (page.size() == PAGE_SIZE);
    return limited;
  }

  @Override
  public BlobUpload begin(String key) throws IOException {
    return new CountedUpload(store.begin(key));
  }

  @Override
  public BlobSpool spool() throws IOException {
    return new CountedSpool<>(store.spool());
  }

  /// Puts the blob even beyond the limit.
  @Override
  public boolean putReserved(String key, MemorySegment content) throws IOException {
    boolean put = store.putReserved(key, content);
    if (put) {
      byteSize.addAndGet(content.byteSize());
    }
    return put;
  }

  @Override
  public boolean hasSpace() throws IOException {
    return byteSize.get() + SMALL_UPLOAD_BYTE_SIZE <= limit.maximum() && store.hasSpace();
  }

  @Override
  public boolean isReachable() {
    return store.isReachable();
  }

  @Override
  public long cachedByteSize() {
    return store.cachedByteSize();
  }

  /// A linked file counts in full: once its original is replaced, only the store holds it.
  @Override
  public boolean link(String key, Path file) throws IOException {
    long linkedByteSize = Files.size(file);
    long total = byteSize.addAndGet(linkedByteSize);
    boolean linked = false;
    try {
      if (total > limit.maximum()) {
        throw new StorageFullException(limit, total);
      }
      linked = store.link(key, file);
      return linked;
    } finally {
      byteSize.addAndGet(linked ? 0 : -linkedByteSize);
    }
  }

  @Override
  public Blob open(String key) throws IOException {
    return store.open(key);
  }

  @Override
  public Blob openInStore(String key) throws IOException {
    return store.openInStore(key);
  }

  @Override
  public boolean exists(String key) throws IOException {
    return store.exists(key);
  }

  @Override
  public @Nullable Object identity(String key) throws IOException {
    return store.identity(key);
  }

  @Override
  public long byteSize(String key) throws IOException {
    return store.byteSize(key);
  }

  @Override
  public boolean isRemote() {
    return store.isRemote();
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int count) throws IOException {
    return store.list(prefix, after, count);
  }

  @Override
  public List<String> listFolders(String prefix, @Nullable String after, int count)
      throws IOException {
    return store.listFolders(prefix, after, count);
  }

  @Override
  public SequencedMap<String, Long> byteSizes(String prefix, @Nullable String after, int count)
      throws IOException {
    return store.byteSizes(prefix, after, count);
  }

  @Override
  public boolean delete(String key) throws IOException {
    long freed = store.byteSize(key);
    boolean deleted = store.delete(key);
    if (deleted) {
      byteSize.addAndGet(-freed);
    }
    return deleted;
  }

  @Override
  public Path scratchFolder() {
    return store.scratchFolder();
  }

  @Override
  public @Nullable Path localPath(String key) {
    return store.localPath(key);
  }

  private class CountedSpool<S extends BlobSpool> implements BlobSpool {

    final S spool;
    long takenByteSize;

    CountedSpool(S spool) {
      this.spool = spool;
    }

    @Override
    public long position() {
      return spool.position();
    }

    @Override
    public void write(MemorySegment source) throws IOException {
      long total = byteSize.addAndGet(source.byteSize());
      takenByteSize += source.byteSize();
      if (total > limit.maximum()) {
        throw new StorageFullException(limit, total);
      }
      spool.write(source);
    }

    @Override
    public MemorySegment map(long byteOffset, long count, Arena arena) throws IOException {
      return spool.map(byteOffset, count, arena);
    }

    @Override
    public void close() throws IOException {
      spool.close();
      byteSize.addAndGet(-takenByteSize);
      takenByteSize = 0;
    }
  }

  private final class CountedUpload extends CountedSpool<BlobUpload> implements BlobUpload {

    CountedUpload(BlobUpload upload) {
      super(upload);
    }

    @Override
    public boolean commit() throws IOException {
      boolean committed = spool.commit();
      if (committed) {
        takenByteSize = 0;
      }
      return committed;
    }
  }
}
