package dev.quiver.store.blob;

import dev.quiver.arrow.memory.ByteSink;
import java.io.IOException;

/// A sequential sink of bytes in memory and of blob ranges, which it may transfer without reading.
public interface BlobSink extends ByteSink {

  /// Writes a range, which must be inside the blob.
  void write(Blob blob, long byteOffset, long byteSize) throws IOException;

  /// Returns a sink that reads ranges of blobs in pieces of at most 256 KiB and passes everything
  /// on.
  static BlobSink reading(ByteSink sink) {
    return new ReadingSink(sink);
  }
}
