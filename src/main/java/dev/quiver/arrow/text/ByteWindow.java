package dev.quiver.arrow.text;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// A window of a buffer's bytes on the Java heap, around the range read last. The eight bytes after
/// a range may also be read, but their values are undefined. See [FixedWidthWindow].
final class ByteWindow {

  /// The longest range. It is a multiple of three, so that base64 of several ranges has no padding
  /// inside.
  static final int BYTE_SIZE_MAX = 3 << 9;

  private static final int BYTE_SIZE_MIN = 64;
  private static final byte[] NOTHING = {};

  private final MemorySegment data;
  private byte[] bytes = NOTHING;
  private long first;
  private int length;

  ByteWindow(MemorySegment data) {
    this.data = data;
  }

  /// Returns the position of a range in [#bytes], until the next call.
  int locate(long byteOffset, int byteSize) {
    long index = byteOffset - first;
    if (index < 0 || index + byteSize > length) {
      fill(byteOffset, byteSize);
      index = byteOffset - first;
    }
    return (int) index;
  }

  byte[] bytes() {
    return bytes;
  }

  private void fill(long byteOffset, int byteSize) {
    long available = data.byteSize();
    if (byteOffset + byteSize <= available && available <= BYTE_SIZE_MAX) {
      copy(0, (int) available);
      return;
    }
    boolean onward = byteOffset >= first && byteOffset <= first + length;
    long wanted = onward ? Math.clamp(2L * length, BYTE_SIZE_MIN, BYTE_SIZE_MAX) : 0;
    copy(byteOffset, Math.max(byteSize, (int) Math.min(wanted, available - byteOffset)));
  }

  private void copy(long byteOffset, int byteSize) {
    if (bytes.length < byteSize + Long.BYTES) {
      bytes = new byte[byteSize + Long.BYTES];
    }
    MemorySegment.copy(data, LittleEndian.INT8, byteOffset, bytes, 0, byteSize);
    first = byteOffset;
    length = byteSize;
  }
}
