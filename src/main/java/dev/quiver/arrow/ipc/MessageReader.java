package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of the encapsulated messages of a stream as they arrive.
///
/// Call [#readSchema] first, then [#next] until it returns null. After each message, the caller
/// reads the body in parts or whole, or [#next] skips it. Memory is allocated as bytes arrive,
/// never because a length declares them. Errors carry the index and byte offset of the message.
///
/// See the columnar specification, *Encapsulated message format* and *IPC streaming format*.
public final class MessageReader {

  /// The size of the first read after the end of a stream, where usually nothing is.
  private static final int FIRST_REST_BYTE_SIZE = 64;

  private static final int REST_BYTE_SIZE = 64 << 10;

  private final ByteSource source;
  private final Limits limits;
  private final FrameReader frames;

  public MessageReader(ByteSource source, Limits limits) {
    this.source = source;
    this.limits = limits;
    this.frames = new FrameReader(source, limits);
  }

  /// @param charge holds the schema's metadata until it is closed, and of other messages until the
  ///   next message
  public MessageReader(ByteSource source, Limits limits, InFlightBytes.Charge charge) {
    this.source = source;
    this.limits = limits;
    this.frames = new FrameReader(source, limits, charge);
  }

  /// Reads the first message, which must carry a schema.
  public EncapsulatedMessage readSchema() throws IOException {
    EncapsulatedMessage first = readMessage();
    if (first == null) {
      throw new TruncatedInputException(
          "a schema message",
          frames.endOfStreamSeen() ? "the end-of-stream marker" : "the end of the input",
          frames.place());
    }
    String expected = "a schema as first message";
    return switch (first.message().header()) {
      case MessageHeader.SchemaHeader _ -> first;
      case MessageHeader.DictionaryBatchHeader _, MessageHeader.RecordBatchHeader _ ->
          throw new MalformedInputException(
              expected, describe(first.message().header()), first.place());
      case MessageHeader.TensorHeader _, MessageHeader.SparseTensorHeader _ ->
          throw new UnsupportedInputException(
              expected, describe(first.message().header()), first.place());
    };
  }

  /// Returns the schema of a schema message.
  public static Schema schemaOf(EncapsulatedMessage message) {
    return ((MessageHeader.SchemaHeader) message.message().header()).schema();
  }

  /// Reads the next dictionary batch or record batch.
  ///
  /// @return the message, or null at the end of the stream, with or without its marker
  public @Nullable EncapsulatedMessage next() throws IOException {
    EncapsulatedMessage message = readMessage();
    if (message == null) {
      return null;
    }
    return switch (message.message().header()) {
      case MessageHeader.DictionaryBatchHeader _, MessageHeader.RecordBatchHeader _ -> message;
      case MessageHeader.SchemaHeader _ ->
          throw new MalformedInputException(
              "a dictionary batch or record batch", "a second schema", message.place());
      case MessageHeader.TensorHeader _, MessageHeader.SparseTensorHeader _ ->
          throw new UnsupportedInputException(
              "a dictionary batch or record batch",
              describe(message.message().header()),
              message.place());
    };
  }

  /// Returns the unread bytes of the current body.
  public long bodyRemaining() {
    return frames.bodyRemaining();
  }

  /// Reads as much of the current body as fits into `destination`.
  ///
  /// @return the bytes read
  public long readBodyPart(MemorySegment destination) throws IOException {
    return frames.readBodyPart(destination);
  }

  /// Returns whether the stream ended with its marker rather than with the input.
  public boolean endOfStreamSeen() {
    return frames.endOfStreamSeen();
  }

  /// Returns the bytes read so far.
  public long position() {
    return frames.position();
  }

  /// Checks that the input ends with the stream, except for zero bytes that some writers pad with.
  ///
  /// @return the number of zeros that follow
  /// @throws UnsupportedInputException if a second stream follows
  /// @throws MalformedInputException if other bytes follow
  public long requireEnd() throws IOException {
    MemorySegment rest = MemorySegment.ofArray(new byte[FIRST_REST_BYTE_SIZE]);
    long zeros = 0;
    while (true) {
      long count = source.readFully(rest);
      long leading = Padding.leadingZeros(rest.asSlice(0, count));
      if (leading < count) {
        throw furtherBytes(rest.asSlice(0, count), leading, frames.position() + zeros);
      }
      zeros += count;
      if (count < rest.byteSize()) {
        return zeros;
      }
      if (rest.byteSize() < REST_BYTE_SIZE) {
        rest = MemorySegment.ofArray(new byte[REST_BYTE_SIZE]);
      }
    }
  }

  /// @param first the first non-zero byte of `rest`
  /// @param start bytes from the start of the input to `rest`
  private InputException furtherBytes(MemorySegment rest, long first, long start) {
    String expected = "the end of the input after the end of the stream";
    long word = first / Integer.BYTES * Integer.BYTES;
    int number = rest.byteSize() - word < Integer.BYTES ? 0 : LittleEndian.getInt32(rest, word);
    boolean stream =
        number == Framing.CONTINUATION || number > 0 && number <= limits.metadataBytes().maximum();
    return stream
        ? new UnsupportedInputException(
            expected, "a second stream", InputLocation.byteOffset(start + word))
        : new MalformedInputException(
            expected, "more bytes", InputLocation.byteOffset(start + first));
  }

  private @Nullable EncapsulatedMessage readMessage() throws IOException {
    Frame frame = frames.next();
    if (frame == null) {
      return null;
    }
    Message message;
    try {
      message = MessageDecoder.decode(frame.metadata(), limits);
    } catch (InputException e) {
      throw e.within(frame.place());
    }
    frames.startBody(message.bodyLength());
    return new EncapsulatedMessage(
        frame.index(),
        frame.byteOffset(),
        frame.prefixByteSize(),
        frame.metaDataLength(),
        frame.metadata(),
        message);
  }

  /// Returns a phrase for the kind of message, such as `a record batch`.
  public static String describe(MessageHeader header) {
    return switch (header) {
      case MessageHeader.SchemaHeader _ -> "a schema";
      case MessageHeader.DictionaryBatchHeader _ -> "a dictionary batch";
      case MessageHeader.RecordBatchHeader _ -> "a record batch";
      case MessageHeader.TensorHeader(var type, var shape) -> "a tensor" + cells(type, shape);
      case MessageHeader.SparseTensorHeader(var type, var shape, long nonZeroLength) ->
          "a sparse tensor" + cells(type, shape) + ", " + nonZeroLength + " of them stored";
    };
  }

  private static String cells(@Nullable ArrowType type, List<Long> shape) {
    return type == null ? " of shape " + shape : " of " + type + " of shape " + shape;
  }
}
