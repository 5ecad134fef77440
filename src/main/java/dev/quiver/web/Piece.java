package dev.quiver.web;

import dev.quiver.dataset.ByteRange;
import dev.quiver.dataset.Snapshot;
import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Bytes of a response that lie together.
interface Piece {

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
  Piece slice(long byteOffset, long byteSize);

  void writeTo(BlobSink sink) throws IOException;

  /// Bytes in memory.
  record Bytes(MemorySegment content) implements Piece {

    static Bytes of(byte[] content) {
      return new Bytes(MemorySegment.ofArray(content));
    }

    @Override
    public long byteSize() {
      return content.byteSize();
    }

    @Override
    public Piece slice(long byteOffset, long byteSize) {
      return new Bytes(content.asSlice(byteOffset, byteSize));
    }

    @Override
    public void writeTo(BlobSink sink) throws IOException {
      sink.write(content);
    }
  }

  /// Bytes of the IPC file of a version.
  record Stored(Snapshot snapshot, ByteRange range) implements Piece {

    @Override
    public long byteSize() {
      return range.byteSize();
    }

    @Override
    public Piece slice(long byteOffset, long byteSize) {
      return new Stored(snapshot, new ByteRange(range.byteOffset() + byteOffset, byteSize));
    }

    @Override
    public void writeTo(BlobSink sink) throws IOException {
      snapshot.write(range.byteOffset(), range.byteSize(), sink);
    }
  }
}
