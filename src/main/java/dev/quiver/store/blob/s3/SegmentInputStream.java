package dev.quiver.store.blob.s3;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The bytes of a segment as a stream, for request bodies.
final class SegmentInputStream extends InputStream {

  private final MemorySegment segment;
  private long position;

  SegmentInputStream(MemorySegment segment) {
    this.segment = segment;
  }

  @Override
  public int read() {
    return position == segment.byteSize()
        ? -1
        : Byte.toUnsignedInt(segment.get(ValueLayout.JAVA_BYTE, position++));
  }

  @Override
  public int read(byte[] destination, int offset, int length) {
    if (length > 0 && position == segment.byteSize()) {
      return -1;
    }
    int count = (int) Math.min(length, segment.byteSize() - position);
    MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, position, destination, offset, count);
    position += count;
    return count;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, segment.byteSize() - position);
  }
}
