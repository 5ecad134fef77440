package dev.quiver.store.file;

import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.store.blob.Steps;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.BlobStatistics;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// The statistics of a version's record batches, read from the sidecars of the blobs that hold
/// them. Each sidecar is read at most once while a version is open.
public final class StoredStatistics {

  /// The sidecars that are read at a time: half of the connections to a bucket.
  private static final int CONCURRENT_COUNT = 128;

  private final SnapshotBytes bytes;
  private final LruCache<String, BlobStatistics> cache;
  private final Map<String, BlobStatistics> read = new LinkedHashMap<>();

  StoredStatistics(SnapshotBytes bytes, LruCache<String, BlobStatistics> cache) {
    this.bytes = bytes;
    this.cache = cache;
  }

  /// Returns the statistics of a record batch, or null if unknown.
  @Nullable BatchStatistics of(Block block) throws IOException {
    BlobExtent start = start(block);
    if (!bytes.hasSidecar(start.key())) {
      return null;
    }
    BlobStatistics statistics = read.get(start.key());
    if (statistics == null) {
      statistics = load(start.key());
      read.put(start.key(), statistics);
    }
    return statistics.of(start.byteOffset());
  }

  /// Reads the sidecars of several batches, concurrently from a remote store.
  ///
  /// @param check runs before each read, and throws if no further one is wanted
  void prefetch(List<Block> blocks, Runnable check) throws IOException {
    if (!bytes.isRemote()) {
      return;
    }
    SequencedMap<String, Future<BlobStatistics>> loading = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Block block : blocks) {
        String key = start(block).key();
        if (bytes.hasSidecar(key) && !read.containsKey(key) && !loading.containsKey(key)) {
          if (loading.size() == CONCURRENT_COUNT) {
            finishFirst(loading);
          }
          check.run();
          loading.put(key, threads.submit(Steps.carried(() -> load(key))));
        }
      }
      while (!loading.isEmpty()) {
        finishFirst(loading);
      }
    }
  }

  private void finishFirst(SequencedMap<String, Future<BlobStatistics>> loading)
      throws IOException {
    Map.Entry<String, Future<BlobStatistics>> first = loading.firstEntry();
    try {
      read.put(first.getKey(), first.getValue().get());
      loading.remove(first.getKey());
    } catch (ExecutionException e) {
      throw RemoteBlobs.asIOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private BlobStatistics load(String key) throws IOException {
    return cache.get(
        key, /* heavy= */ false, () -> bytes.readStatistics(key), BlobStatistics::heldByteSize);
  }

  private BlobExtent start(Block block) {
    return bytes.extents(block.offset(), 1).getFirst();
  }
}
