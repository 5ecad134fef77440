package dev.quiver.store.blob;

import dev.quiver.arrow.parallel.TaskFailures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Requests to a store that do not depend on each other, most of which run concurrently only if the
/// store is remote. Shared by threads.
public final class ConcurrentRequests {

  private final boolean isConcurrent;
  private final Semaphore running;

  /// Requests that run one after another if the store is local.
  ///
  /// @param maximum the number of requests that all callers together run at once
  public ConcurrentRequests(BlobStore store, int maximum) {
    this(store.isRemote(), maximum);
  }

  private ConcurrentRequests(boolean isConcurrent, int maximum) {
    this.isConcurrent = isConcurrent;
    this.running = new Semaphore(maximum);
  }

  /// Runs at most this many requests at once; for a local store, one per processor.
  public static ConcurrentRequests evenToFiles(BlobStore store, int maximum) {
    int processors = Runtime.getRuntime().availableProcessors();
    return new ConcurrentRequests(true, store.isRemote() ? maximum : processors);
  }

  /// A request about one of several things.
  @FunctionalInterface
  public interface Request<K, T extends @Nullable Object> {

    T run(K key) throws IOException;
  }

  /// Runs a request for each key. All have ended when this returns or throws.
  ///
  /// @return the results in the order of the keys
  /// @throws IOException the first failure in that order
  public <K, T extends @Nullable Object> List<T> forEach(Collection<K> keys, Request<K, T> request)
      throws IOException {
    List<T> results = new ArrayList<>(keys.size());
    if (!isConcurrent || keys.size() < 2) {
      for (K key : keys) {
        results.add(request.run(key));
      }
      return results;
    }
    List<Future<T>> started = new ArrayList<>(keys.size());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (K key : keys) {
        running.acquireUninterruptibly();
        started.add(
            threads.submit(
                Steps.carried(() -> {
                  try {
                    return request.run(key);
                  } finally {
                    running.release();
                  }
                })));
      }
    }
    for (Future<T> each : started) {
      results.add(result(each));
    }
    return results;
  }

  private static <T extends @Nullable Object> T result(Future<T> ended) throws IOException {
    try {
      return ended.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } catch (ExecutionException e) {
      throw TaskFailures.rethrown(e);
    }
  }
}
