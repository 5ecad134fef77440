package dev.quiver.web.response;

import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Bytes of a response that lie together.
public interface BodyPart {

  long byteSize();

  /// Whether the number of bytes is known only once they are made.
  default boolean isRendered() {
    return false;
  }

  /// Whether columns or rows are chosen for it, which takes memory while it is sent.
  default boolean isSelected() {
    return false;
  }

  /// A part of this piece.
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
}
