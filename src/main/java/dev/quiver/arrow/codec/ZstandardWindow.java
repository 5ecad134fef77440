package dev.quiver.arrow.codec;

import static dev.quiver.arrow.codec.Frames.MAGIC_BYTE_SIZE;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// The window that a frame's header declares, which a streaming decoder keeps: RFC 8878, section
/// 3.1.1.1.
final class ZstandardWindow {

  /// The size of magic, descriptor, and at least one byte for the window.
  private static final int HEADER_BYTE_SIZE_MINIMUM = MAGIC_BYTE_SIZE + 2;

  private static final int WINDOW_MANTISSA_BITS = 3;

  private ZstandardWindow() {}

  /// Returns the byte size of the window: 0 for a skippable frame, and for other data.
  ///
  /// @param start the start of the frame, as far as it has arrived
  /// @param maximum the result for all larger windows, and for an incomplete header
  static long byteSize(MemorySegment start, long maximum) {
    if (start.byteSize() >= MAGIC_BYTE_SIZE
        && LittleEndian.getInt32(start, 0) != ZstandardFrame.MAGIC) {
      return 0;
    }
    if (start.byteSize() < HEADER_BYTE_SIZE_MINIMUM) {
      return maximum;
    }
    int descriptor = LittleEndian.getInt8(start, MAGIC_BYTE_SIZE) & 0xFF;
    long position = MAGIC_BYTE_SIZE + 1;
    if (!ZstandardFrame.isSingleSegment(descriptor)) {
      return Math.min(described(LittleEndian.getInt8(start, position) & 0xFF), maximum);
    }
    position += ZstandardFrame.dictionaryIdByteSize(descriptor);
    int contentSizeByteSize = ZstandardFrame.contentSizeByteSize(descriptor);
    if (start.byteSize() - position < contentSizeByteSize) {
      return maximum;
    }
    long content = ZstandardFrame.contentByteSize(start, position, contentSizeByteSize);
    return Long.compareUnsigned(content, maximum) < 0 ? content : maximum;
  }

  private static long described(int windowDescriptor) {
    long base =
        1L << ZstandardFrame.WINDOW_EXPONENT_BASE + (windowDescriptor >>> WINDOW_MANTISSA_BITS);
    long mantissa = windowDescriptor & (1 << WINDOW_MANTISSA_BITS) - 1;
    return base + (base >>> WINDOW_MANTISSA_BITS) * mantissa;
  }
}
