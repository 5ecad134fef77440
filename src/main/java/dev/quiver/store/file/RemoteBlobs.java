package dev.quiver.store.file;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.Steps;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Opens blobs of a remote store concurrently, so that a version of many blobs opens about as fast
/// as a version of one.
final class RemoteBlobs {

  private RemoteBlobs() {}

  /// Opens all blobs, or none if one of them fails.
  static Map<String, Blob> open(BlobStore store, Collection<String> keys) throws IOException {
    Map<String, Future<Blob>> opening = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String key : keys) {
        opening.put(key, threads.submit(Steps.carried(() -> store.open(key))));
      }
    }
    Map<String, Blob> blobs = new HashMap<>();
    Throwable failure = null;
    for (Map.Entry<String, Future<Blob>> entry : opening.entrySet()) {
      try {
        blobs.put(entry.getKey(), entry.getValue().get());
      } catch (ExecutionException e) {
        failure = e.getCause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = e;
      }
    }
    if (failure != null) {
      for (Blob blob : blobs.values()) {
        blob.close();
      }
      throw asIOException(failure);
    }
    return blobs;
  }

  /// Returns the failure of a task of another thread, unless it is unchecked.
  static IOException asIOException(@Nullable Throwable failure) {
    return switch (failure) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case null, default -> new IOException(failure);
    };
  }
}
