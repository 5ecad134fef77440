package dev.quiver.store.blob;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Another blob, except for the methods that a test overrides. Its bytes are read or mapped, not
/// transferred directly, so that none passes unnoticed.
public abstract class DelegatingBlob implements Blob {

  private final Blob blob;

  protected DelegatingBlob(Blob blob) {
    this.blob = blob;
  }

  @Override
  public long byteSize() {
    return blob.byteSize();
  }

  @Override
  public long read(long byteOffset, MemorySegment destination) throws IOException {
    return blob.read(byteOffset, destination);
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    return blob.map(byteOffset, byteSize, arena);
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
