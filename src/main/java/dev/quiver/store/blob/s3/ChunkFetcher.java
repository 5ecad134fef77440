package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.Steps;
import dev.quiver.store.blob.StoreRequests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// A fetcher of chunks into their files: several at once, and each only once for all callers.
final class ChunkFetcher {

  private static final Logger LOG = System.getLogger(ChunkFetcher.class.getName());
  private static final int MAXIMUM_REQUESTS = 32;

  private final BlobCache cache;
  private final StoreRequests observer;
  private final Semaphore requests = new Semaphore(MAXIMUM_REQUESTS);
  private final Map<Chunk, CompletableFuture<Boolean>> inProgress = new ConcurrentHashMap<>();

  /// True once a failure of the disk was logged, since one warning is enough.
  private volatile boolean warned;

  ChunkFetcher(BlobCache cache, StoreRequests observer) {
    this.cache = cache;
    this.observer = observer;
  }

  /// Takes note of chunks that a read found in the file.
  void found(int count) {
    observer.cached(count, 0);
  }

  /// Waits until chunks are in the file.
  ///
  /// @param file an open file
  /// @return false if they do not fit
  boolean fetch(String key, BlobIdentity identity, CachedFile file, int first, int last)
      throws IOException {
    List<CompletableFuture<Boolean>> awaited = new ArrayList<>();
    for (int chunk = first; chunk <= last; chunk++) {
      if (!file.has(chunk)) {
        awaited.add(start(key, identity, file, chunk, chunk == last));
      }
    }
    observer.cached(last - first + 1 - awaited.size(), awaited.size());
    boolean present = true;
    for (CompletableFuture<Boolean> fetched : awaited) {
      present &= await(fetched);
    }
    return present;
  }

  /// Starts to fetch chunks that are likely to be requested next.
  void fetchAhead(String key, BlobIdentity identity, CachedFile file, int first, int last) {
    for (int chunk = first; chunk <= last; chunk++) {
      if (!file.has(chunk)) {
        start(key, identity, file, chunk, false);
      }
    }
  }

  /// @param here whether to fetch in the calling thread, unless another thread already does
  private CompletableFuture<Boolean> start(
      String key, BlobIdentity identity, CachedFile file, int number, boolean here) {
    Chunk chunk = new Chunk(file, number);
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> others = inProgress.putIfAbsent(chunk, mine);
    if (others != null) {
      return others;
    }
    cache.acquire(file);
    Runnable fetch = () -> run(key, identity, chunk, mine);
    if (here) {
      fetch.run();
    } else {
      Thread.startVirtualThread(Steps.carried(fetch));
    }
    return mine;
  }

  private void run(
      String key, BlobIdentity identity, Chunk chunk, CompletableFuture<Boolean> result) {
    Boolean present = null;
    Throwable failure = null;
    try {
      present = chunk.file().has(chunk.number()) || load(key, identity, chunk);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      inProgress.remove(chunk);
      cache.release(chunk.file());
    }
    if (failure == null) {
      result.complete(present);
    } else {
      result.completeExceptionally(failure);
    }
  }

  private boolean load(String key, BlobIdentity identity, Chunk chunk) throws IOException {
    CachedFile file = chunk.file();
    long byteSize = file.chunkByteSize(chunk.number());
    if (!cache.reserve(file, byteSize)) {
      return false;
    }
    boolean filled = false;
    boolean lost = false;
    requests.acquireUninterruptibly();
    try {
      fill(key, identity, chunk);
      filled = true;
      warned = false;
    } catch (UncheckedIOException e) {
      lost = e.getCause() instanceof NoSuchFileException;
      if (!warned) {
        LOG.log(
            Level.WARNING,
            "Data read from the store is not cached on the local disk: " + e.getMessage());
        warned = true;
      }
    } finally {
      requests.release();
      if (!filled) {
        cache.unreserve(file, byteSize);
      }
      if (lost) {
        cache.lose(file);
      }
    }
    return filled;
  }

  /// @throws UncheckedIOException if the disk fails, which is not a failure of the store
  private void fill(String key, BlobIdentity identity, Chunk chunk) throws IOException {
    CachedFile file = chunk.file();
    long start = chunk.number() * CachedFile.CHUNK_BYTE_SIZE;
    long byteSize = file.chunkByteSize(chunk.number());
    try (LocalChunk local = new LocalChunk(file, start)) {
      cache.bucket().ranges().read(key, identity, start, byteSize, local);
      local.add(chunk.number());
    }
  }

  private static boolean await(CompletableFuture<Boolean> fetched) throws IOException {
    try {
      return fetched.join();
    } catch (CompletionException e) {
      @Nullable Throwable cause = e.getCause();
      switch (cause) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case null, default -> throw e;
      }
    }
  }

  private record Chunk(CachedFile file, int number) {}
}
