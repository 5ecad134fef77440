package dev.quiver.store;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.DelegatingBlob;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store with faults at any moment of its work, as caused by a broken disk, by a network, or by a
/// process that is killed or pauses.
public class UnreliableStore implements BlobStore {

  /// An operation of a store.
  public enum Operation {
    BEGIN,
    WRITE,
    MAP,
    COMMIT,
    PUT,
    DELETE,
    LIST,
    EXISTS,
    OPEN,
    READ;

    /// Returns whether the operation needs space.
    boolean writes() {
      return switch (this) {
        case BEGIN, WRITE, COMMIT, PUT -> true;
        case MAP, DELETE, LIST, EXISTS, OPEN, READ -> false;
      };
    }
  }

  /// A point in the work of a store: before an operation takes effect, or after it but before the
  /// response. An operation that changes nothing has no moment after it.
  public record Moment(Operation operation, boolean after, String key) {

    @Override
    public String toString() {
      return (after ? "after " : "before ") + operation + " " + key;
    }
  }

  /// An action at each moment. If it throws an exception, the operation fails with it.
  public interface Fault {
    void at(Moment moment) throws IOException;
  }

  /// An action during an operation.
  public interface Interruption {
    void run() throws IOException;
  }

  private final BlobStore store;
  private volatile Fault fault = _ -> {};
  private boolean losesResponse;
  private boolean losesRequest;
  private @Nullable Interruption beforeRetry;

  public UnreliableStore(BlobStore store) {
    this.store = store;
  }

  /// Sets the fault of all later moments.
  public void setFault(Fault next) {
    fault = next;
  }

  void loseNextResponse() {
    losesResponse = true;
  }

  void loseNextRequest() {
    losesRequest = true;
  }

  void beforeTheNextRetry(Interruption interruption) {
    beforeRetry = interruption;
  }

  @Override
  public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
    reach(Operation.PUT, false, key);
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
    if (losesResponse) {
      losesResponse = false;
      throw new IOException("timeout");
    }
    reach(Operation.PUT, true, key);
    return put;
  }

  @Override
  public BlobUpload begin(String key) throws IOException {
    reach(Operation.BEGIN, false, key);
    return new Upload(key, store.begin(key));
  }

  @Override
  public BlobSpool spool() throws IOException {
    reach(Operation.BEGIN, false, "a spool");
    return new LocalSpool("a spool", store.spool());
  }

  @Override
  public Blob open(String key) throws IOException {
    reach(Operation.OPEN, false, key);
    return new OpenBlob(key, store.open(key));
  }

  @Override
  public boolean exists(String key) throws IOException {
    reach(Operation.EXISTS, false, key);
    return store.exists(key);
  }

  @Override
  public boolean isReachable() {
    return store.isReachable();
  }

  @Override
  public boolean isRemote() {
    return store.isRemote();
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int limit) throws IOException {
    reach(Operation.LIST, false, prefix);
    return store.list(prefix, after, limit);
  }

  @Override
  public List<String> listFolders(String prefix, @Nullable String after, int limit)
      throws IOException {
    reach(Operation.LIST, false, prefix);
    return store.listFolders(prefix, after, limit);
  }

  @Override
  public boolean delete(String key) throws IOException {
    reach(Operation.DELETE, false, key);
    boolean deleted = store.delete(key);
    reach(Operation.DELETE, true, key);
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

  private void reach(Operation operation, boolean after, String key) throws IOException {
    fault.at(new Moment(operation, after, key));
  }

  private class LocalSpool implements BlobSpool {

    private final String key;
    private final BlobSpool spool;

    LocalSpool(String key, BlobSpool spool) {
      this.key = key;
      this.spool = spool;
    }

    @Override
    public long position() {
      return spool.position();
    }

    @Override
    public void write(MemorySegment source) throws IOException {
      reach(Operation.WRITE, false, key);
      spool.write(source);
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
      reach(Operation.MAP, false, key);
      return spool.map(byteOffset, byteSize, arena);
    }

    @Override
    public void close() throws IOException {
      spool.close();
    }
  }

  private final class Upload extends LocalSpool implements BlobUpload {

    private final String key;
    private final BlobUpload upload;

    Upload(String key, BlobUpload upload) {
      super(key, upload);
      this.key = key;
      this.upload = upload;
    }

    @Override
    public boolean commit() throws IOException {
      reach(Operation.COMMIT, false, key);
      boolean committed = upload.commit();
      reach(Operation.COMMIT, true, key);
      return committed;
    }
  }

  private final class OpenBlob extends DelegatingBlob {

    private final String key;

    OpenBlob(String key, Blob blob) {
      super(blob);
      this.key = key;
    }

    @Override
    public long read(long byteOffset, MemorySegment destination) throws IOException {
      reach(Operation.READ, false, key);
      return super.read(byteOffset, destination);
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
      reach(Operation.READ, false, key);
      return super.map(byteOffset, byteSize, arena);
    }
  }
}
