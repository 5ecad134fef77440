package dev.quiver.upload;

import dev.quiver.memory.ByteSource;
import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bytes of parts, one after another.
final class PartsSource implements ByteSource, AutoCloseable {

  private final BlobStore store;
  private final Iterator<ResumableUpload.Part> parts;
  private @Nullable Blob blob;
  private long position;
  private long remaining;

  PartsSource(BlobStore store, List<ResumableUpload.Part> parts) {
    this.store = store;
    this.parts = parts.iterator();
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    while (remaining == 0) {
      close();
      if (!parts.hasNext()) {
        return -1;
      }
      ResumableUpload.Part part = parts.next();
      blob = store.open(part.key());
      position = 0;
      remaining = part.byteSize();
    }
    Blob open = blob;
    if (open == null) {
      throw new IOException("Expected an open part but found a closed one at an upload");
    }
    long count = Math.min(remaining, destination.byteSize());
    open.readFully(position, destination.asSlice(0, count));
    position += count;
    remaining -= count;
    return count;
  }

  @Override
  public void close() throws IOException {
    if (blob != null) {
      blob.close();
      blob = null;
    }
  }
}
