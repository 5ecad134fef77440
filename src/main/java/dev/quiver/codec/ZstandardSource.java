package dev.quiver.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.MalformedInputException;
import dev.quiver.memory.Place;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The content of Zstandard data, decoded as it arrives: RFC 8878, any number of frames.
///
/// Memory is bounded, whatever comes: a window may have 8 MiB, as RFC 9659 says of the content
/// coding. How much may be decoded is for the reader to limit, and how much may be read for,
/// `coded`: a frame may be empty, or skippable. Used by one thread.
public final class ZstandardSource implements ByteSource, AutoCloseable {

  private static final int WINDOW_EXPONENT_MAXIMUM = 23;

  /// The library decodes from native memory to native memory.
  private final Arena arena = Arena.ofConfined();

  private final CodedInput input;
  private final ByteBuffer content =
      arena.allocate(CodedInput.BYTE_SIZE * 2).asByteBuffer().limit(0);
  private final ZstdDecompressCtx context =
      new ZstdDecompressCtx().setLongMax(WINDOW_EXPONENT_MAXIMUM);
  private boolean inFrame;

  public ZstandardSource(ByteSource coded) {
    this.input = new CodedInput(coded, arena.allocate(CodedInput.BYTE_SIZE));
  }

  /// @throws MalformedInputException for what is no Zstandard data
  /// @throws dev.quiver.memory.TruncatedInputException when it ends within a frame
  @Override
  public long read(MemorySegment destination) throws IOException {
    while (!content.hasRemaining() && destination.byteSize() > 0) {
      if (!decode()) {
        return -1;
      }
    }
    long count = Math.min(destination.byteSize(), content.remaining());
    destination.copyFrom(MemorySegment.ofBuffer(content).asSlice(0, count));
    content.position(content.position() + (int) count);
    return count;
  }

  /// Decodes what is there, and reads on only where that gives nothing: the library may hold more
  /// than it had room for.
  ///
  /// @return false at the end
  private boolean decode() throws IOException {
    if (!inFrame && !input.fill()) {
      return false;
    }
    long byteOffset = input.byteOffset();
    ByteBuffer bytes = input.bytes();
    content.clear();
    try {
      inFrame = !context.decompressDirectByteBufferStream(content, bytes);
    } catch (ZstdException e) {
      content.limit(0);
      throw malformed(e, Place.byteOffset(byteOffset));
    }
    content.flip();
    input.take(bytes);
    if (inFrame && !content.hasRemaining() && !bytes.hasRemaining()) {
      input.require("the rest of a Zstandard frame");
    }
    return true;
  }

  private static MalformedInputException malformed(ZstdException e, Place place) {
    return Zstd.getErrorCode(e.getErrorCode()) == Zstd.errFrameParameterWindowTooLarge()
        ? new MalformedInputException(
            "a Zstandard frame with a window of at most "
                + (1 << WINDOW_EXPONENT_MAXIMUM)
                + " bytes",
            "one with a larger window",
            place,
            e)
        : new MalformedInputException("Zstandard data", "other (" + e.getMessage() + ")", place, e);
  }

  @Override
  public void close() {
    context.close();
    arena.close();
  }
}
