package dev.quiver.store;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.DelegatingBlob;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

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

  private final class CountedBlob extends DelegatingBlob {

    CountedBlob(Blob blob) {
      super(blob);
    }

    @Override
    public long read(long byteOffset, MemorySegment destination) throws IOException {
      CountingStore.this.byteSize += destination.byteSize();
      return super.read(byteOffset, destination);
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSizeMapped, Arena arena) throws IOException {
      CountingStore.this.byteSize += byteSizeMapped;
      maps.add(super.map(byteOffset, byteSizeMapped, arena));
      maps.removeIf(map -> !map.scope().isAlive());
      maximumMaps = Math.max(maximumMaps, maps.size());
      return maps.getLast();
    }
  }
}
