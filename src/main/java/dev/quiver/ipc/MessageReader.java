package dev.quiver.ipc;

import static dev.quiver.ipc.Framing.CONTINUATION;
import static dev.quiver.ipc.Framing.PREFIX_BYTE_SIZE;

import dev.quiver.columnar.Schema;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.InputException;
import dev.quiver.memory.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.MalformedInputException;
import dev.quiver.memory.Place;
import dev.quiver.memory.TruncatedInputException;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageDecoder;
import dev.quiver.metadata.MessageHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the encapsulated messages of a stream as they arrive.
///
/// First [#readSchema], then [#next] until it gives null; after each message the body is read, in
/// parts or whole, or left, in which case [#next] skips it. Memory is allocated as bytes arrive,
/// never because a length announces them. Errors carry the index and byte offset of the message.
///
/// See the columnar specification, *Encapsulated message format* and *IPC streaming format*.
public final class MessageReader {

  private static final int FIRST_ALLOCATION_BYTE_SIZE = 64 << 10;
  private static final int SKIP_BYTE_SIZE = 64 << 10;

  private final ByteSource source;
  private final Limits limits;
  private final MemorySegment prefix = MemorySegment.ofArray(new byte[PREFIX_BYTE_SIZE]);

  private long position;
  private long messageIndex;
  private long messageStart;
  private Place place = Place.message(0, 0);
  private long bodyByteSize;
  private long bodyRemaining;
  private boolean ended;
  private boolean endOfStreamSeen;

  public MessageReader(ByteSource source, Limits limits) {
    this.source = source;
    this.limits = limits;
  }

  /// Reads the first message, which must carry a schema.
  public EncapsulatedMessage readSchema() throws IOException {
    EncapsulatedMessage first = readMessage();
    if (first == null) {
      throw new TruncatedInputException("a schema message", "the end of the input", place);
    }
    if (!(first.message().header() instanceof MessageHeader.SchemaHeader)) {
      throw new MalformedInputException(
          "a schema as first message", describe(first.message().header()), place);
    }
    return first;
  }

  /// The schema that a schema message carries.
  public static Schema schemaOf(EncapsulatedMessage message) {
    return ((MessageHeader.SchemaHeader) message.message().header()).schema();
  }

  /// Reads the next dictionary batch or record batch.
  ///
  /// @return null at the end of the stream, marked or not
  public @Nullable EncapsulatedMessage next() throws IOException {
    EncapsulatedMessage message = readMessage();
    if (message == null) {
      return null;
    }
    return switch (message.message().header()) {
      case MessageHeader.DictionaryBatchHeader _, MessageHeader.RecordBatchHeader _ -> message;
      case MessageHeader.SchemaHeader _ ->
          throw new MalformedInputException(
              "a dictionary batch or record batch", "a second schema", place);
      case MessageHeader.TensorHeader _, MessageHeader.SparseTensorHeader _ ->
          throw new UnsupportedInputException(
              "a dictionary batch or record batch", describe(message.message().header()), place);
    };
  }

  /// Bytes of the current body that have not been read.
  public long bodyRemaining() {
    return bodyRemaining;
  }

  /// Reads as much of the current body as `destination` holds, or all that remains if that is less.
  ///
  /// @return the bytes read
  public long readBodyPart(MemorySegment destination) throws IOException {
    long byteSize = Math.min(destination.byteSize(), bodyRemaining);
    long count = source.readFully(destination.asSlice(0, byteSize));
    position += count;
    bodyRemaining -= count;
    if (count < byteSize) {
      throw new TruncatedInputException(
          "a body of " + bodyByteSize + " bytes",
          "the end of the input after " + (bodyByteSize - bodyRemaining),
          place);
    }
    return count;
  }

  /// Whether the stream ended with its marker, rather than with the input.
  public boolean endOfStreamSeen() {
    return endOfStreamSeen;
  }

  /// Bytes read so far.
  public long position() {
    return position;
  }

  /// Checks that the input ends where the stream did, but for bytes of zero, with which some
  /// writers pad.
  ///
  /// @return how many zeros follow
  /// @throws MalformedInputException when other bytes follow, such as those of a second stream
  public long requireEnd() throws IOException {
    long zeros = 0;
    for (long count = source.read(prefix); count >= 0; count = source.read(prefix)) {
      for (long i = 0; i < count; i++) {
        if (LittleEndian.getInt8(prefix, i) != 0) {
          throw new MalformedInputException(
              "the end of the input after the end of the stream",
              "more bytes (a second stream is not read)",
              Place.byteOffset(position));
        }
      }
      zeros += count;
    }
    return zeros;
  }

  private @Nullable EncapsulatedMessage readMessage() throws IOException {
    skipBody();
    if (ended) {
      return null;
    }
    messageStart = position;
    place = Place.message(messageIndex, messageStart);
    int metadataByteSize = readMetadataByteSize();
    if (metadataByteSize == 0) {
      ended = true;
      return null;
    }
    MemorySegment metadata = readMetadata(metadataByteSize);
    Message message;
    try {
      message = MessageDecoder.decode(metadata, limits);
    } catch (InputException e) {
      throw e.within(place);
    }
    bodyByteSize = message.bodyLength();
    bodyRemaining = bodyByteSize;
    EncapsulatedMessage read =
        new EncapsulatedMessage(
            messageIndex, messageStart, (int) (position - messageStart), metadata, message);
    messageIndex++;
    return read;
  }

  /// The bytes of metadata that follow, or 0 at the end of the stream.
  private int readMetadataByteSize() throws IOException {
    long count = source.readFully(prefix.asSlice(0, Integer.BYTES));
    position += count;
    if (count == 0) {
      return 0;
    }
    requirePrefix(count, Integer.BYTES);
    int first = LittleEndian.getInt32(prefix, 0);
    if (first == 0) {
      // The end of the stream as it was written before 0.15.
      endOfStreamSeen = true;
      return 0;
    }
    if (first != CONTINUATION) {
      throw notAContinuation(first);
    }
    count = source.readFully(prefix.asSlice(Integer.BYTES));
    position += count;
    requirePrefix(count, Integer.BYTES);
    int metadataByteSize = LittleEndian.getInt32(prefix, Integer.BYTES);
    if (metadataByteSize < 0) {
      throw new MalformedInputException(
          "a metadata length of 0 or more", Integer.toString(metadataByteSize), place);
    }
    endOfStreamSeen = metadataByteSize == 0;
    limits.metadataBytes().check(metadataByteSize, "bytes of metadata in a message", place);
    return metadataByteSize;
  }

  private void requirePrefix(long count, int byteSize) {
    if (count < byteSize) {
      throw new TruncatedInputException(
          "a message prefix of " + PREFIX_BYTE_SIZE + " bytes",
          "the end of the input after " + (position - messageStart),
          place);
    }
  }

  private InputException notAContinuation(int found) {
    if (found > 0 && found <= limits.metadataBytes().maximum()) {
      return new UnsupportedInputException(
          "the continuation marker FFFFFFFF",
          "%d, the length that a stream written before Arrow 0.15 starts a message with"
              .formatted(found),
          place);
    }
    return new MalformedInputException(
        "the continuation marker FFFFFFFF",
        "bytes %08X".formatted(Integer.reverseBytes(found)),
        place);
  }

  private MemorySegment readMetadata(int byteSize) throws IOException {
    byte[] metadata = new byte[Math.min(byteSize, FIRST_ALLOCATION_BYTE_SIZE)];
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
      metadata = Arrays.copyOf(metadata, (int) Math.min(byteSize, 2L * filled));
    }
  }

  private void skipBody() throws IOException {
    if (bodyRemaining > 0) {
      MemorySegment scrap = MemorySegment.ofArray(new byte[SKIP_BYTE_SIZE]);
      while (bodyRemaining > 0) {
        readBodyPart(scrap);
      }
    }
  }

  static String describe(MessageHeader header) {
    return switch (header) {
      case MessageHeader.SchemaHeader _ -> "a schema";
      case MessageHeader.DictionaryBatchHeader _ -> "a dictionary batch";
      case MessageHeader.RecordBatchHeader _ -> "a record batch";
      case MessageHeader.TensorHeader _ -> "a tensor";
      case MessageHeader.SparseTensorHeader _ -> "a sparse tensor";
    };
  }
}
