package dev.quiver.store.blob;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A volatile store for tests with very many commits, which avoids waiting for a disk. It counts
/// written bytes.
public final class MemoryBlobStore implements BlobStore {

  private final NavigableMap<String, byte[]> blobs = new ConcurrentSkipListMap<>();
  private final AtomicLong writtenByteSize = new AtomicLong();
  private final Path scratchFolder;

  public MemoryBlobStore(Path scratchFolder) {
    this.scratchFolder = scratchFolder;
  }

  /// Returns the bytes written to blobs since the last call.
  public long takeWritten() {
    return writtenByteSize.getAndSet(0);
  }

  @Override
  public BlobUpload begin(String key) {
    BlobKeys.check(key);
    return new Upload(key);
  }

  @Override
  public BlobSpool spool() {
    return new Upload("spool");
  }

  @Override
  public boolean putIfAbsent(String key, MemorySegment content) {
    BlobKeys.check(key);
    writtenByteSize.addAndGet(content.byteSize());
    return blobs.putIfAbsent(key, content.toArray(ValueLayout.JAVA_BYTE)) == null;
  }

  @Override
  public Blob open(String key) throws IOException {
    BlobKeys.check(key);
    byte[] bytes = blobs.get(key);
    if (bytes == null) {
      throw new NoSuchBlobException(key);
    }
    return new StoredBlob(MemorySegment.ofArray(bytes).asReadOnly());
  }

  @Override
  public boolean exists(String key) {
    BlobKeys.check(key);
    return blobs.containsKey(key);
  }

  /// Datasets use the store like a bucket.
  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int limit) {
    BlobKeys.checkPart(prefix);
    List<String> keys = new ArrayList<>();
    String from = after != null && after.compareTo(prefix) > 0 ? after : prefix;
    for (String key : blobs.tailMap(from, !from.equals(after)).keySet()) {
      if (keys.size() == limit || !key.startsWith(prefix)) {
        break;
      }
      keys.add(key);
    }
    return keys;
  }

  @Override
  public boolean delete(String key) {
    BlobKeys.check(key);
    return blobs.remove(key) != null;
  }

  @Override
  public Path scratchFolder() {
    return scratchFolder;
  }

  @Override
  public @Nullable Path localPath(String key) {
    BlobKeys.check(key);
    return null;
  }

  private record StoredBlob(MemorySegment bytes) implements Blob {

    @Override
    public long byteSize() {
      return bytes.byteSize();
    }

    @Override
    public long read(long byteOffset, MemorySegment destination) {
      long count = Math.clamp(bytes.byteSize() - byteOffset, 0, destination.byteSize());
      if (count > 0) {
        MemorySegment.copy(bytes, byteOffset, destination, 0, count);
      }
      return count;
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena arena) {
      return arena
          .allocate(byteSize, 64)
          .copyFrom(bytes.asSlice(byteOffset, byteSize))
          .asReadOnly();
    }

    @Override
    public @Nullable Path localPath() {
      return null;
    }

    @Override
    public void close() {}
  }

  private final class Upload implements BlobUpload {

    private final String key;
    private byte[] bytes = new byte[1024];
    private int length;
    private boolean ended;
    private boolean closed;

    Upload(String key) {
      this.key = key;
    }

    @Override
    public long position() {
      return length;
    }

    @Override
    public void write(MemorySegment source) {
      requireOpen();
      int end = Math.toIntExact(length + source.byteSize());
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
      }
      MemorySegment.copy(source, 0, MemorySegment.ofArray(bytes), length, source.byteSize());
      length = end;
      writtenByteSize.addAndGet(source.byteSize());
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena arena) {
      if (closed) {
        throw new IllegalStateException("The upload is closed");
      }
      Objects.checkFromIndexSize(byteOffset, byteSize, length);
      return new StoredBlob(MemorySegment.ofArray(bytes)).map(byteOffset, byteSize, arena);
    }

    @Override
    public boolean commit() {
      requireOpen();
      ended = true;
      return blobs.putIfAbsent(key, Arrays.copyOf(bytes, length)) == null;
    }

    @Override
    public void close() {
      ended = true;
      closed = true;
    }

    private void requireOpen() {
      if (ended) {
        throw new IllegalStateException("The upload has ended");
      }
    }
  }
}
