package dev.quiver.arrow;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.SniffedBody;
import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// A reader of a stream. Each message has its own memory.
final class ArrowStream extends ArrowReader {

  private static final int BUFFER_BYTE_SIZE = 64 << 10;

  /// The most memory that a body gets because its length is declared.
  private static final long FIRST_BODY_BYTE_SIZE = 16 << 20;

  private final InputStream input;
  private final MessageReader messages;
  private boolean ended;

  private ArrowStream(
      InputStream input, MessageReader messages, EncapsulatedMessage schema, Limits limits) {
    super(MessageReader.schemaOf(schema), schema.message().version(), limits);
    this.input = input;
    this.messages = messages;
  }

  static ArrowStream open(InputStream input, Limits limits) throws IOException {
    MessageReader messages = new MessageReader(sniffed(source(input), limits), limits);
    return new ArrowStream(input, messages, messages.readSchema(), limits);
  }

  private static ByteSource sniffed(ByteSource source, Limits limits) throws IOException {
    String found;
    try {
      SniffedBody body = SniffedBody.of(source, BodyFormat.UNKNOWN, limits);
      if (body.format() == BodyFormat.STREAM) {
        return body.source();
      }
      found = "a file, which has to be opened by its path";
    } catch (UnsupportedFormatException e) {
      found = e.found();
    }
    throw new UnsupportedInputException("an Arrow IPC stream", found, InputLocation.byteOffset(0));
  }

  private static ByteSource source(InputStream input) {
    byte[] buffer = new byte[BUFFER_BYTE_SIZE];
    return destination -> {
      int count = input.read(buffer, 0, (int) Math.min(buffer.length, destination.byteSize()));
      if (count > 0) {
        MemorySegment.copy(buffer, 0, destination, ValueLayout.JAVA_BYTE, 0, count);
      }
      return count;
    };
  }

  @Override
  @Nullable RecordBatch next() throws IOException {
    start();
    while (!ended) {
      EncapsulatedMessage message = messages.next();
      Arena arena = Arena.ofAuto();
      if (message == null) {
        ended = true;
        requireEndOfStream();
      } else if (!(message.message().header() instanceof DictionaryBatchHeader)) {
        return readBatch(message, readBody(arena), arena);
      } else if (isNeeded(message)) {
        batches().requireKnown(message);
        readDictionary(message, readBody(arena), arena);
      }
    }
    return null;
  }

  /// Nothing else tells a stream that was truncated between two messages from a complete one.
  private void requireEndOfStream() {
    if (!messages.endOfStreamSeen()) {
      throw new TruncatedInputException(
          "the end-of-stream marker",
          "the end of the input",
          InputLocation.byteOffset(messages.position()));
    }
  }

  private MemorySegment readBody(Arena arena) throws IOException {
    long byteSize = messages.bodyRemaining();
    MemorySegment body =
        arena.allocate(Math.min(byteSize, FIRST_BODY_BYTE_SIZE), Framing.BODY_ALIGNMENT);
    long filled = messages.readBodyPart(body);
    while (filled < byteSize) {
      MemorySegment larger =
          Arena.ofAuto().allocate(Math.min(byteSize, 2 * filled), Framing.BODY_ALIGNMENT);
      MemorySegment.copy(body, 0, larger, 0, filled);
      filled += messages.readBodyPart(larger.asSlice(filled));
      body = larger;
    }
    return body;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
