package dev.quiver.dataset;

import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.BlobUpload;
import dev.quiver.storage.Spool;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store whose puts may fail before or after they happen, as those over a network do.
class UnreliableStore implements BlobStore {

  /// What happens meanwhile.
  interface Interruption {
    void run() throws IOException;
  }

  private final BlobStore store;
  private boolean losesAnswer;
  private boolean losesRequest;
  private @Nullable Interruption beforeRetry;

  UnreliableStore(BlobStore store) {
    this.store = store;
  }

  void loseNextAnswer() {
    losesAnswer = true;
  }

  void loseNextRequest() {
    losesRequest = true;
  }

  void beforeTheNextRetry(Interruption interruption) {
    beforeRetry = interruption;
  }

  @Override
  public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
    if (losesRequest) {
      losesRequest = false;
      throw new IOException("timeout");
    }
    Interruption interruption = beforeRetry;
    if (interruption != null) {
      beforeRetry = null;
      interruption.run();
    }
    boolean put = store.putIfAbsent(key, content);
    if (losesAnswer) {
      losesAnswer = false;
      throw new IOException("timeout");
    }
    return put;
  }

  @Override
  public BlobUpload begin(String key) throws IOException {
    return store.begin(key);
  }

  @Override
  public Spool spool() throws IOException {
    return store.spool();
  }

  @Override
  public Blob open(String key) throws IOException {
    return store.open(key);
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int limit) throws IOException {
    return store.list(prefix, after, limit);
  }

  @Override
  public boolean delete(String key) throws IOException {
    return store.delete(key);
  }

  @Override
  public Path scratchFolder() {
    return store.scratchFolder();
  }

  @Override
  public @Nullable Path localPath(String key) {
    return store.localPath(key);
  }
}
