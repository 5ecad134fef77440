package dev.quiver.server.transfer;

import dev.quiver.store.blob.BlobSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Consecutive bytes of a body. Neither its length nor a slice of it requires a read.
public sealed interface BodyPart {

  long byteSize();

  BodyPart slice(long byteOffset, long byteSize);

  void writeTo(BlobSink sink) throws IOException;

  /// Bytes in memory.
  record Bytes(MemorySegment content) implements BodyPart {

    public static Bytes of(byte[] content) {
      return new Bytes(MemorySegment.ofArray(content));
    }

    @Override
    public long byteSize() {
      return content.byteSize();
    }

    @Override
    public BodyPart slice(long byteOffset, long byteSize) {
      return new Bytes(content.asSlice(byteOffset, byteSize));
    }

    @Override
    public void writeTo(BlobSink sink) throws IOException {
      sink.write(content);
    }
  }

  /// A range of a stored file, or of the file of a selection.
  record Range(RangeWriter source, long byteOffset, long byteSize) implements BodyPart {

    @Override
    public BodyPart slice(long byteOffset, long byteSize) {
      return new Range(source, this.byteOffset + byteOffset, byteSize);
    }

    @Override
    public void writeTo(BlobSink sink) throws IOException {
      source.write(byteOffset, byteSize, sink);
    }
  }

  /// Writes any range of a file.
  interface RangeWriter {
    void write(long byteOffset, long byteSize, BlobSink sink) throws IOException;
  }
}
