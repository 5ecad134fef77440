package dev.quiver.store.log;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.store.blob.BlobUpload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// A part of an upload that is written.
public final class PartWriter implements AutoCloseable {

  private final String key;
  private final BlobUpload bytes;
  private final CRC32C checksum = new CRC32C();

  PartWriter(String key, BlobUpload bytes) {
    this.key = key;
    this.bytes = bytes;
  }

  public void write(MemorySegment next) throws IOException {
    bytes.write(next);
    Crc32c.update(checksum, next);
  }

  /// Returns the number of bytes so far.
  public long byteSize() {
    return bytes.position();
  }

  /// Makes the bytes so far durable.
  public ResumableUpload.Part commit() throws IOException {
    long byteSize = byteSize();
    if (!bytes.commit()) {
      throw new IOException("Expected a new key but found one in use at a part of an upload");
    }
    return new ResumableUpload.Part(key, byteSize, (int) checksum.getValue());
  }

  /// Discards the bytes, unless committed.
  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
