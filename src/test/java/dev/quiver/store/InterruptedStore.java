package dev.quiver.store;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store that runs an action before one of its operations, as if its process paused there for
/// hours.
public final class InterruptedStore extends UnreliableStore {

  private int operations;
  private int lists;
  private int opens;
  private int interrupted = -1;
  private Interruption interruption = () -> {};

  public InterruptedStore(BlobStore store) {
    super(store);
  }

  /// Runs `action` before the operation of this index, counted from now.
  public void interrupt(int operation, Interruption action) {
    operations = 0;
    interrupted = operation;
    interruption = action;
  }

  /// Resets all counts.
  public void resetCounts() {
    operations = 0;
    lists = 0;
    opens = 0;
    interrupted = -1;
  }

  public boolean wasInterrupted() {
    return operations > interrupted;
  }

  public int lists() {
    return lists;
  }

  public int opens() {
    return opens;
  }

  private void operate() throws IOException {
    if (operations++ == interrupted) {
      interruption.run();
    }
  }

  @Override
  public BlobUpload begin(String key) throws IOException {
    operate();
    return super.begin(key);
  }

  @Override
  public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
    operate();
    return super.putIfAbsent(key, content);
  }

  @Override
  public Blob open(String key) throws IOException {
    operate();
    opens++;
    return super.open(key);
  }

  @Override
  public boolean exists(String key) throws IOException {
    operate();
    return super.exists(key);
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int limit) throws IOException {
    operate();
    lists++;
    return super.list(prefix, after, limit);
  }

  @Override
  public boolean delete(String key) throws IOException {
    operate();
    return super.delete(key);
  }
}
