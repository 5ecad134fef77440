package dev.quiver.arrow.ipc;

import static dev.quiver.arrow.ipc.Framing.CONTINUATION;
import static dev.quiver.arrow.ipc.Framing.PREFIX_BYTE_SIZE;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.parallel.InFlightBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A reader of message frames as they arrive. It accepts the framing of any release and ignores the
/// content of the metadata.
///
/// After each frame, [#startBody] declares the size of its body. The caller reads the body, or
/// [#next] skips it. Memory is allocated as bytes arrive, never because a length declares them.
/// Errors carry the index and byte offset of the message. After [#next] fails, the reader is
/// unusable.
public final class FrameReader {

  private static final int FIRST_ALLOCATION_BYTE_SIZE = 64 << 10;

  /// Each byte of metadata is held raw, and as records in up to four times as many bytes.
  private static final int HELD_BYTES_PER_BYTE = 5;

  private final ByteSource source;
  private final Limits limits;
  private final InFlightBytes.@Nullable Charge charge;
  private final MemorySegment prefix = MemorySegment.ofArray(new byte[PREFIX_BYTE_SIZE]);

  private long position;
  private long index;
  private long takenByteSize;
  private InputLocation place = InputLocation.message(0, 0);
  private long bodyByteSize;
  private long bodyRemaining;
  private boolean ended;
  private boolean endOfStreamSeen;

  public FrameReader(ByteSource source, Limits limits) {
    this(source, limits, null, 0, 0);
  }

  /// @param charge holds the schema's metadata until it is closed, and of other messages until the
  ///   next message
  public FrameReader(ByteSource source, Limits limits, InFlightBytes.Charge charge) {
    this(source, limits, charge, 0, 0);
  }

  /// Continues reading within an input.
  ///
  /// @param charge holds the metadata of a frame until [#giveBack]
  /// @param index the index of the first frame
  /// @param byteOffset bytes from the start of the input to the first byte of `source`
  public FrameReader(
      ByteSource source,
      Limits limits,
      InFlightBytes.@Nullable Charge charge,
      long index,
      long byteOffset) {
    this.source = source;
    this.limits = limits;
    this.charge = charge;
    this.index = index;
    this.position = byteOffset;
  }

  /// Reads the next frame.
  ///
  /// @return the frame, or null at the end of the stream, with or without its marker
  public @Nullable Frame next() throws IOException {
    skipBody();
    if (ended) {
      return null;
    }
    if (index > 1) {
      giveBack();
    }
    takenByteSize = 0;
    long start = position;
    place = InputLocation.message(index, start);
    int metadataByteSize = readMetadataByteSize(start);
    if (metadataByteSize == 0) {
      ended = true;
      return null;
    }
    int prefixByteSize = (int) (position - start);
    MemorySegment metadata = readMetadata(metadataByteSize);
    return new Frame(index++, start, prefixByteSize, metadata);
  }

  /// Releases the charge for the metadata of the last frame, which must no longer be used.
  public void giveBack() {
    if (charge != null) {
      charge.giveBack(takenByteSize);
    }
    takenByteSize = 0;
  }

  /// Declares the size of the body that follows the last frame.
  public void startBody(long byteSize) {
    bodyByteSize = byteSize;
    bodyRemaining = byteSize;
  }

  /// Returns the unread bytes of the current body.
  public long bodyRemaining() {
    return bodyRemaining;
  }

  /// Reads as much of the current body as fits into `destination`.
  ///
  /// @return the bytes read
  public long readBodyPart(MemorySegment destination) throws IOException {
    long byteSize = Math.min(destination.byteSize(), bodyRemaining);
    long count = source.readFully(destination.asSlice(0, byteSize));
    position += count;
    bodyRemaining -= count;
    if (count < byteSize) {
      throw truncatedBody();
    }
    return count;
  }

  /// Returns whether the stream ended with its marker rather than with the input.
  public boolean endOfStreamSeen() {
    return endOfStreamSeen;
  }

  /// Returns the bytes from the start of the input to the read position.
  public long position() {
    return position;
  }

  /// Returns the location of the current message, or of the end once reached.
  public InputLocation place() {
    return place;
  }

  private int readMetadataByteSize(long start) throws IOException {
    long count = source.readFully(prefix.asSlice(0, Integer.BYTES));
    position += count;
    if (count == 0) {
      return 0;
    }
    requirePrefix(count, start);
    int metadataByteSize = LittleEndian.getInt32(prefix, 0);
    if (metadataByteSize == CONTINUATION) {
      count = source.readFully(prefix.asSlice(Integer.BYTES));
      position += count;
      requirePrefix(count, start);
      metadataByteSize = LittleEndian.getInt32(prefix, Integer.BYTES);
      requireNotNegative(metadataByteSize);
      limits.metadataBytes().check(metadataByteSize, "bytes of metadata in a message", place);
    } else {
      requireLegacyLength(metadataByteSize);
    }
    endOfStreamSeen = metadataByteSize == 0;
    return metadataByteSize;
  }

  private void requirePrefix(long count, long start) {
    if (count < Integer.BYTES) {
      throw new TruncatedInputException(
          "a message prefix of " + PREFIX_BYTE_SIZE + " bytes",
          "the end of the input after " + (position - start),
          place);
    }
  }

  private void requireNotNegative(int metadataByteSize) {
    if (metadataByteSize < 0) {
      throw new MalformedInputException(
          "a metadata length of 0 or more", Integer.toString(metadataByteSize), place);
    }
  }

  /// Checks a length without a continuation marker. Any bytes could be one, so lengths that no
  /// writer produced are rejected as garbage.
  private void requireLegacyLength(int metadataByteSize) {
    if (metadataByteSize < 0 || metadataByteSize > limits.metadataBytes().maximum()) {
      throw new MalformedInputException(
          "the continuation marker FFFFFFFF",
          "bytes %08X".formatted(Integer.reverseBytes(metadataByteSize)),
          place);
    }
  }

  private MemorySegment readMetadata(int byteSize) throws IOException {
    int firstByteSize = Math.min(byteSize, FIRST_ALLOCATION_BYTE_SIZE);
    take(firstByteSize);
    byte[] metadata = new byte[firstByteSize];
    int filled = 0;
    while (true) {
      long count = source.readFully(MemorySegment.ofArray(metadata).asSlice(filled));
      position += count;
      filled += (int) count;
      if (filled < metadata.length) {
        throw new TruncatedInputException(
            "metadata of " + byteSize + " bytes", "the end of the input after " + filled, place);
      }
      if (filled == byteSize) {
        return MemorySegment.ofArray(metadata).asReadOnly();
      }
      int grownByteSize = (int) Math.min(byteSize, 2L * filled);
      take(grownByteSize - filled);
      metadata = Arrays.copyOf(metadata, grownByteSize);
    }
  }

  private void take(int byteSize) {
    if (charge != null) {
      long held = (long) byteSize * HELD_BYTES_PER_BYTE;
      charge.take(held, place);
      takenByteSize += held;
    }
  }

  private void skipBody() throws IOException {
    while (bodyRemaining > 0) {
      long count = source.skip(bodyRemaining);
      if (count < 0) {
        throw truncatedBody();
      }
      position += count;
      bodyRemaining -= count;
    }
  }

  private TruncatedInputException truncatedBody() {
    return new TruncatedInputException(
        "a body of " + bodyByteSize + " bytes",
        "the end of the input after " + (bodyByteSize - bodyRemaining),
        place);
  }
}
