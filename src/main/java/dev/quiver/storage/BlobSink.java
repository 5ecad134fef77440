package dev.quiver.storage;

import dev.quiver.memory.ByteSink;
import java.io.IOException;

/// Where bytes go, in order: those in memory, and ranges of blobs, which need not be read for that.
public interface BlobSink extends ByteSink {

  /// Writes a range that the blob has.
  void write(Blob blob, long byteOffset, long byteSize) throws IOException;

  /// Reads the ranges of blobs, in pieces of at most 256 KiB, and passes everything on.
  static BlobSink reading(ByteSink sink) {
    return new ReadingSink(sink);
  }
}
