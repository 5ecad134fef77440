package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.ComparedParts;
import dev.quiver.store.blob.folder.FolderBlob;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A blob that is read from its local file, after fetching the requested bytes.
final class CachedBlob implements Blob {

  /// The number of chunks to fetch ahead of sequential reads.
  private static final int CHUNKS_AHEAD = 4;

  private final String key;
  private final BlobIdentity identity;
  private final BlobCache cache;
  private final ChunkFetcher fetcher;
  private volatile CachedFile file;
  private final RemoteBlob remote;
  private @Nullable FolderBlob local;
  private boolean closed;
  private volatile int lastChunk = Integer.MIN_VALUE;

  /// @param remote the source of bytes that do not fit in the cache
  CachedBlob(
      String key, BlobIdentity identity, BlobCache cache, ChunkFetcher fetcher, RemoteBlob remote) {
    this.key = key;
    this.identity = identity;
    this.cache = cache;
    this.fetcher = fetcher;
    this.remote = remote;
    this.file = cache.acquire(key, identity);
  }

  @Override
  public long byteSize() {
    return identity.byteSize();
  }

  @Override
  public long read(long byteOffset, MemorySegment destination) throws IOException {
    long byteSize = Math.min(destination.byteSize(), identity.byteSize() - byteOffset);
    if (byteSize <= 0) {
      return 0;
    }
    MemorySegment filled = destination.asSlice(0, byteSize);
    FolderBlob present = isPresent(byteOffset, byteSize) ? local() : null;
    return present == null ? remote.read(byteOffset, filled) : present.read(byteOffset, filled);
  }

  @Override
  public long transferTo(long byteOffset, long byteSize, WritableByteChannel target)
      throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, identity.byteSize());
    FolderBlob present = byteSize > 0 && isPresent(byteOffset, byteSize) ? local() : null;
    return present == null ? -1 : present.transferTo(byteOffset, byteSize, target);
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, identity.byteSize());
    FolderBlob present = byteSize > 0 && isPresent(byteOffset, byteSize) ? local() : null;
    return present == null
        ? remote.map(byteOffset, byteSize, arena)
        : present.map(byteOffset, byteSize, arena);
  }

  /// Replaces the local file, for all later readers, too. Present ones keep what they opened.
  @Override
  public synchronized boolean refetch() throws IOException {
    if (closed) {
      throw new IllegalStateException("The blob is closed");
    }
    cache.lose(file);
    cache.release(file);
    try (FolderBlob _ = local) {
      local = null;
      lastChunk = Integer.MIN_VALUE;
      file = cache.acquire(key, identity);
    }
    return true;
  }

  @Override
  public ComparedParts comparedParts() {
    return file.compared();
  }

  private boolean isPresent(long byteOffset, long byteSize) throws IOException {
    CachedFile file = this.file;
    int first = (int) (byteOffset / CachedFile.CHUNK_BYTE_SIZE);
    int last = (int) ((byteOffset + byteSize - 1) / CachedFile.CHUNK_BYTE_SIZE);
    if (file.isWhole()) {
      fetcher.found(last - first + 1);
      return true;
    }
    if (first == lastChunk + 1 || first == lastChunk && last > first) {
      int end = Math.min(last + CHUNKS_AHEAD, file.chunkCount() - 1);
      fetcher.fetchAhead(key, identity, file, last + 1, end);
    }
    lastChunk = last;
    return fetcher.fetch(key, identity, file, first, last);
  }

  /// Returns the local file, or null if it was deleted externally.
  private synchronized @Nullable FolderBlob local() throws IOException {
    if (closed) {
      throw new IllegalStateException("The blob is closed");
    }
    FolderBlob open = local;
    if (open == null) {
      try {
        open = file.open();
      } catch (NoSuchFileException e) {
        cache.lose(file);
        return null;
      }
      local = open;
    }
    return open;
  }

  @Override
  public @Nullable Path localPath() {
    return file.wholePath();
  }

  @Override
  public @Nullable Path localPath(long byteOffset, long byteSize) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, identity.byteSize());
    FolderBlob present = isPresent(byteOffset, byteSize) ? local() : null;
    return present == null ? null : file.path();
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    cache.release(file);
    try (remote) {
      if (local != null) {
        local.close();
      }
    }
  }
}
