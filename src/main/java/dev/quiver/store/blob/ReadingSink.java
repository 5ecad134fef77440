package dev.quiver.store.blob;

import dev.quiver.arrow.memory.ByteSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A sink that reads ranges of blobs into memory and passes them on.
final class ReadingSink implements BlobSink {

  private static final long BUFFER_BYTE_SIZE = 256 << 10;

  private final ByteSink sink;
  private MemorySegment buffer = MemorySegment.NULL;

  ReadingSink(ByteSink sink) {
    this.sink = sink;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    sink.write(source);
  }

  @Override
  public void write(Blob blob, long byteOffset, long byteSize) throws IOException {
    long done = 0;
    while (done < byteSize) {
      long count = Math.min(BUFFER_BYTE_SIZE, byteSize - done);
      MemorySegment part = memory(count);
      blob.readFully(byteOffset + done, part);
      sink.write(part);
      done += count;
    }
  }

  private MemorySegment memory(long byteSize) {
    if (buffer.byteSize() < byteSize) {
      buffer = MemorySegment.ofArray(new byte[(int) byteSize]);
    }
    return buffer.asSlice(0, byteSize);
  }
}
