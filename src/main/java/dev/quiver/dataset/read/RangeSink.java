package dev.quiver.dataset.read;

import dev.quiver.dataset.stored.SnapshotBytes;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.memory.ByteSink;
import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Passes on a range of the bytes that are written to it, and counts all of them.
final class RangeSink implements ByteSink {

  private final BlobSink sink;
  private final long start;
  private final long end;
  private long position;

  RangeSink(ByteRange range, BlobSink sink) {
    this.sink = sink;
    this.start = range.byteOffset();
    this.end = range.byteOffset() + range.byteSize();
  }

  /// Passes on nothing.
  static RangeSink counting() {
    return new RangeSink(new ByteRange(0, 0), BlobSink.reading(_ -> {}));
  }

  /// After the last byte that was written.
  long position() {
    return position;
  }

  /// Leaves out what lies before a position.
  void moveTo(long newPosition) {
    position = newPosition;
  }

  /// Whether nothing from a position on is passed on.
  boolean isDoneAt(long futurePosition) {
    return futurePosition >= end;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    long from = from();
    long to = to(source.byteSize());
    if (from < to) {
      sink.write(source.asSlice(from, to - from));
    }
    position += source.byteSize();
  }

  /// Writes a range of a version's file, as ranges of blobs, of which nothing is read here.
  void copy(SnapshotBytes bytes, long byteOffset, long byteSize) throws IOException {
    long from = from();
    long to = to(byteSize);
    if (from < to) {
      bytes.read(byteOffset + from, to - from, sink);
    }
    position += byteSize;
  }

  private long from() {
    return Math.max(start - position, 0);
  }

  private long to(long byteSize) {
    return Math.min(end - position, byteSize);
  }
}
