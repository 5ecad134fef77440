package dev.quiver.codec;

import dev.quiver.input.InputLocation;
import dev.quiver.input.TruncatedInputException;
import dev.quiver.memory.ByteSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Coded bytes as they arrive, in a buffer from which a decoder takes as many as it can use.
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

  /// Where the next byte stands in the source.
  long byteOffset() {
    return readByteCount - bytes.remaining();
  }

  /// What is there, which may be nothing, to be read from its position on: [#take] it then.
  ByteBuffer bytes() {
    return bytes.duplicate();
  }

  /// Goes on from where a decoder stopped in the [#bytes].
  void take(ByteBuffer read) {
    bytes.position(read.position());
  }

  /// Reads some bytes unless there are some.
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

  /// Reads some bytes unless there are some.
  ///
  /// @param what is missing when there are none
  void require(String what) throws IOException {
    if (!fill()) {
      throw new TruncatedInputException(
          what, "the end of the body", InputLocation.byteOffset(readByteCount));
    }
  }

  /// The next byte, unsigned.
  ///
  /// @param what is missing when there is none
  int next(String what) throws IOException {
    require(what);
    return bytes.get() & 0xFF;
  }
}
