package dev.quiver.arrow.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.parallel.InFlightBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The content of Zstandard data, decoded as it arrives: RFC 8878, any number of frames.
///
/// Memory is bounded for any input. A window has at most 8 MiB, as RFC 9659 allows for the content
/// coding, and counts as in flight, since a few bytes request it. The reader limits how much is
/// decoded; `coded` limits how much is read for it, since a frame may be empty or skippable. Used
/// by one thread.
public final class ZstandardSource implements ByteSource, AutoCloseable {

  private static final int WINDOW_EXPONENT_MAXIMUM = 23;
  private static final int WINDOW_BYTE_SIZE_MAXIMUM = 1 << WINDOW_EXPONENT_MAXIMUM;

  private static final int CONTENT_BYTE_SIZE = 2 * CodedInput.BYTE_SIZE;

  /// The memory of the library's context before the first frame, rounded up: zstd-jni does not
  /// tell.
  private static final int CONTEXT_BYTE_SIZE = 96 << 10;

  /// The library holds two blocks beside the window, so that it need not wrap around within one,
  /// and one that is not decoded yet. No block is larger than the window.
  private static final int BLOCKS = 3;

  private final InFlightBytes.Charge charge;

  /// The library decodes from native memory to native memory.
  private final Arena arena;

  private final CodedInput input;
  private final ByteBuffer content;
  private final ZstdDecompressCtx context;
  private long windowAndBlocksByteSize;
  private boolean inFrame;
  private boolean closed;

  /// @param inFlight is charged for the memory, until the data ends or this is closed
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the memory exceeds the limit
  /// @throws dev.quiver.arrow.parallel.OverloadedException if other requests leave no room for it
  public ZstandardSource(ByteSource coded, InFlightBytes inFlight) {
    this.charge = inFlight.open();
    charge.take(
        CodedInput.BYTE_SIZE + CONTENT_BYTE_SIZE + CONTEXT_BYTE_SIZE, InputLocation.UNKNOWN);
    this.arena = Arena.ofConfined();
    this.input = new CodedInput(coded, arena.allocate(CodedInput.BYTE_SIZE));
    this.content = arena.allocate(CONTENT_BYTE_SIZE).asByteBuffer().limit(0);
    this.context = new ZstdDecompressCtx().setLongMax(WINDOW_EXPONENT_MAXIMUM);
  }

  /// @throws MalformedInputException if the data is not Zstandard
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if its window exceeds the limit
  /// @throws dev.quiver.arrow.parallel.OverloadedException if other requests leave no room for its
  ///   window
  /// @throws dev.quiver.arrow.memory.TruncatedInputException if it ends within a frame
  @Override
  public long read(MemorySegment destination) throws IOException {
    while (!content.hasRemaining() && destination.byteSize() > 0) {
      if (closed || !decode()) {
        // Frees the memory now, since the response may take long.
        close();
        return -1;
      }
    }
    long count = Math.min(destination.byteSize(), content.remaining());
    destination.copyFrom(MemorySegment.ofBuffer(content).asSlice(0, count));
    content.position(content.position() + (int) count);
    return count;
  }

  /// Decodes the buffered bytes, and reads on only if that gives no content: the library may hold
  /// more content than the buffer had room for.
  ///
  /// @return false at the end
  private boolean decode() throws IOException {
    if (!inFrame) {
      if (!input.fill()) {
        return false;
      }
      takeWindow();
    }
    long byteOffset = input.byteOffset();
    ByteBuffer bytes = input.bytes();
    content.clear();
    try {
      inFrame = !context.decompressDirectByteBufferStream(content, bytes);
    } catch (ZstdException e) {
      content.limit(0);
      throw malformed(e, InputLocation.byteOffset(byteOffset));
    }
    content.flip();
    input.take(bytes);
    if (inFrame && !content.hasRemaining() && !bytes.hasRemaining()) {
      input.require("the rest of a Zstandard frame");
    }
    return true;
  }

  /// Charges the window of the next frame, as far as it exceeds earlier ones: the library reuses
  /// its memory, or frees it before it allocates more.
  private void takeWindow() {
    long window =
        ZstandardWindow.byteSize(MemorySegment.ofBuffer(input.bytes()), WINDOW_BYTE_SIZE_MAXIMUM);
    long needed = window + BLOCKS * Math.min(window, ZstandardFrame.BLOCK_BYTE_SIZE_MAXIMUM);
    if (needed > windowAndBlocksByteSize) {
      charge.take(needed - windowAndBlocksByteSize, InputLocation.byteOffset(input.byteOffset()));
      windowAndBlocksByteSize = needed;
    }
  }

  private static MalformedInputException malformed(ZstdException e, InputLocation place) {
    return Zstd.getErrorCode(e.getErrorCode()) == Zstd.errFrameParameterWindowTooLarge()
        ? new MalformedInputException(
            "a Zstandard frame with a window of at most " + WINDOW_BYTE_SIZE_MAXIMUM + " bytes",
            "one with a larger window",
            place,
            e)
        : new MalformedInputException("Zstandard data", "other (" + e.getMessage() + ")", place, e);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      context.close();
      arena.close();
      charge.close();
    }
  }
}
