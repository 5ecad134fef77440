package dev.quiver.arrow.codec;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A buffer of coded bytes as they arrive. A decoder consumes as many as it can use.
final class CodedInput {

  static final int BYTE_SIZE = 64 << 10;

  private final ByteSource source;
  private final MemorySegment buffer;
  private final ByteBuffer bytes;
  private long readByteCount;

  /// @param buffer less than 2 GiB, of the kind of memory that the decoder reads
  CodedInput(ByteSource source, MemorySegment buffer) {
    this.source = source;
    this.buffer = buffer;
    this.bytes = buffer.asByteBuffer().limit(0);
  }

  /// Returns the byte offset of the next byte in the source.
  long byteOffset() {
    return readByteCount - bytes.remaining();
  }

  /// Returns the buffered bytes, possibly none. Pass the buffer to [#take] after reading from it.
  ByteBuffer bytes() {
    return bytes.duplicate();
  }

  /// Continues after the bytes that a decoder consumed.
  void take(ByteBuffer read) {
    bytes.position(read.position());
  }

  /// Reads bytes if none are buffered.
  ///
  /// @return false at the end
  boolean fill() throws IOException {
    if (!bytes.hasRemaining()) {
      long count = source.read(buffer);
      if (count < 0) {
        return false;
      }
      readByteCount += count;
      bytes.clear().limit((int) count);
    }
    return true;
  }

  /// Reads bytes if none are buffered.
  ///
  /// @param what name of the bytes, for the error if absent
  void require(String what) throws IOException {
    if (!fill()) {
      throw new TruncatedInputException(
          what, "the end of the body", InputLocation.byteOffset(readByteCount));
    }
  }

  /// Returns the next byte, unsigned.
  ///
  /// @param what the name of the byte, for the error if it is missing
  int next(String what) throws IOException {
    require(what);
    return bytes.get() & 0xFF;
  }
}
