package dev.quiver.store.read;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.version.ByteRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A sink that passes on one range of the bytes written to it, and counts all of them.
public final class RangeSink implements ByteSink {

  private final ByteRange range;
  private final BlobSink sink;
  private long position;

  public RangeSink(ByteRange range, BlobSink sink) {
    this.range = range;
    this.sink = sink;
  }

  /// Returns a sink that only counts.
  static RangeSink counting() {
    return new RangeSink(new ByteRange(0, 0), BlobSink.reading(_ -> {}));
  }

  /// Returns the number of bytes written or skipped so far.
  long position() {
    return position;
  }

  /// Skips the bytes before a position.
  void moveTo(long newPosition) {
    position = newPosition;
  }

  /// Returns whether no byte from a position on is passed on.
  boolean isDoneAt(long futurePosition) {
    return futurePosition >= range.end();
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

  /// Writes a range of a version's file as ranges of blobs, without reading them.
  void copy(SnapshotBytes bytes, long byteOffset, long byteSize) throws IOException {
    long from = from();
    long to = to(byteSize);
    if (from < to) {
      bytes.read(byteOffset + from, to - from, sink);
    }
    position += byteSize;
  }

  private long from() {
    return Math.max(range.byteOffset() - position, 0);
  }

  private long to(long byteSize) {
    return Math.min(range.end() - position, byteSize);
  }
}
