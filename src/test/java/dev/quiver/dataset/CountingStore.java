package dev.quiver.dataset;

import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store that counts the data bytes read, without manifests, and the ranges mapped at a time.
public final class CountingStore extends UnreliableStore {

  private final List<MemorySegment> maps = new ArrayList<>();
  private long byteSize;
  private long maximumMaps;

  public CountingStore(BlobStore store) {
    super(store);
  }

  /// Returns the number of bytes read or mapped since the last call.
  public long take() {
    long taken = byteSize;
    byteSize = 0;
    return taken;
  }

  /// Returns the maximum number of ranges mapped at a time.
  long maximumMaps() {
    return maximumMaps;
  }

  @Override
  public Blob open(String key) throws IOException {
    Blob blob = super.open(key);
    return key.startsWith("data/") ? new CountedBlob(blob) : blob;
  }

  private final class CountedBlob implements Blob {
    private final Blob blob;

    CountedBlob(Blob blob) {
      this.blob = blob;
    }

    @Override
    public long byteSize() {
      return blob.byteSize();
    }

    @Override
    public long read(long byteOffset, MemorySegment destination) throws IOException {
      byteSize += destination.byteSize();
      return blob.read(byteOffset, destination);
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSizeMapped, Arena arena) throws IOException {
      byteSize += byteSizeMapped;
      maps.add(blob.map(byteOffset, byteSizeMapped, arena));
      maps.removeIf(map -> !map.scope().isAlive());
      maximumMaps = Math.max(maximumMaps, maps.size());
      return maps.getLast();
    }

    @Override
    public @Nullable Path localPath() {
      return blob.localPath();
    }

    @Override
    public void close() throws IOException {
      blob.close();
    }
  }
}
