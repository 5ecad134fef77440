package dev.quiver.store.log;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The bytes of parts, one after another, each of which is checked at its end. Before the last
/// bytes, the claim of their reader is checked.
public final class PartsSource implements ByteSource, AutoCloseable {

  private final BlobStore store;
  private final Iterator<ResumableUpload.Part> parts;
  private final @Nullable UploadClaim claim;
  private final CRC32C checksum = new CRC32C();
  private ResumableUpload.@Nullable Part part;
  private @Nullable Blob blob;
  private long position;

  /// @param claim of the reader that stores the upload, or null
  PartsSource(BlobStore store, List<ResumableUpload.Part> parts, @Nullable UploadClaim claim) {
    this.store = store;
    this.claim = claim;
    this.parts = parts.iterator();
  }

  /// @throws DamagedPartException at the end of a part
  @Override
  public long read(MemorySegment destination) throws IOException {
    while (part == null || position == part.byteSize()) {
      close();
      if (!parts.hasNext()) {
        part = null;
        return -1;
      }
      part = parts.next();
      blob = store.open(part.key());
      position = 0;
      checksum.reset();
    }
    Blob open = blob;
    if (open == null) {
      throw new IOException("Expected an open part but found a closed one at an upload");
    }
    long count = Math.min(part.byteSize() - position, destination.byteSize());
    MemorySegment read = destination.asSlice(0, count);
    open.readFully(position, read);
    position += count;
    Crc32c.update(checksum, read);
    if (position == part.byteSize() && (int) checksum.getValue() != part.crc32c()) {
      throw new DamagedPartException(part.key());
    }
    if (claim != null && position == part.byteSize() && !parts.hasNext()) {
      claim.requireHeld();
    }
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
