package dev.quiver.dataset.ingest;

import dev.quiver.memory.ByteSource;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.BlobUpload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An upload whose body may be received first, all of it: then nothing is written as long as it is
/// what the body has at that place, and the blob is the body in the end. With the first difference
/// it becomes one like others.
final class VerbatimUpload implements BlobUpload {

  private final BlobStore store;
  private final String key;

  /// What is received, or what is written when nothing was.
  private final BlobUpload first;

  private final Arena arena = Arena.ofConfined();
  private @Nullable MemorySegment received;
  private @Nullable BlobUpload second;
  private long position;

  private VerbatimUpload(BlobStore store, String key, BlobUpload first) {
    this.store = store;
    this.key = key;
    this.first = first;
  }

  static VerbatimUpload begin(BlobStore store, String key) throws IOException {
    return new VerbatimUpload(store, key, store.begin(key));
  }

  /// Receives the body, before anything is written.
  ///
  /// @param chunk through which it goes
  /// @return the body, until this is closed
  MemorySegment receive(ByteSource source, MemorySegment chunk) throws IOException {
    for (long count = source.read(chunk); count >= 0; count = source.read(chunk)) {
      first.write(chunk.asSlice(0, count));
    }
    MemorySegment mapped = first.map(0, first.position(), arena);
    received = mapped;
    return mapped;
  }

  /// Whether the blob is the body, with the end that it has.
  boolean isKept() {
    return received != null && second == null;
  }

  @Override
  public long position() {
    return received == null ? first.position() : position;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    MemorySegment body = received;
    if (body == null) {
      first.write(source);
      return;
    }
    if (second == null && !isNext(source, body)) {
      second = store.begin(key);
      second.write(body.asSlice(0, position));
    }
    if (second != null) {
      second.write(source);
    }
    position += source.byteSize();
  }

  private boolean isNext(MemorySegment source, MemorySegment body) {
    long byteSize = source.byteSize();
    if (byteSize > body.byteSize() - position) {
      return false;
    }
    MemorySegment next = body.asSlice(position, byteSize);
    // Most of it is the body itself, which need not be read for that.
    return source.isNative() && source.address() == next.address() || next.mismatch(source) < 0;
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena mapArena) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, position());
    return blob().map(byteOffset, byteSize, mapArena);
  }

  @Override
  public boolean commit() throws IOException {
    return blob().commit();
  }

  @Override
  public void close() throws IOException {
    try (arena;
        first) {
      if (second != null) {
        second.close();
      }
    }
  }

  private BlobUpload blob() {
    return second == null ? first : second;
  }
}
