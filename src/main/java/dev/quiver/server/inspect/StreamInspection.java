package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.Frame;
import dev.quiver.arrow.ipc.FrameReader;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.metadata.MessageOutline;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.ScratchFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// An inspection of a stream as it arrives, one body at a time.
final class StreamInspection implements AutoCloseable {

  private static final long CHUNK_BYTE_SIZE = 1 << 20;

  private final InspectOptions options;
  private final ByteSource source;
  private final FrameReader frames;
  private final MessageInspection messages;
  private final Inspection inspection;
  private final MemorySegment chunk;
  private final ScratchFile batchFile;
  private final ScratchFile dictionaryFile;
  private final Arena arena = Arena.ofConfined();
  private long endOffset;

  /// The bytes after the end that were read.
  private long restByteSize;

  /// Whether these are all.
  private boolean complete;

  /// @param charge the charge for the metadata
  StreamInspection(
      ByteSource source,
      InspectOptions options,
      Inspection inspection,
      InFlightBytes.Charge charge) {
    this.options = options;
    this.source = source;
    this.inspection = inspection;
    this.messages = inspection.messages();
    this.frames = new FrameReader(source, options.limits(), charge);
    this.chunk = messages.dictionaryMemory().allocate(CHUNK_BYTE_SIZE, Framing.BODY_ALIGNMENT);
    this.batchFile = new ScratchFile(options.scratchFolder());
    this.dictionaryFile = new ScratchFile(options.scratchFolder());
  }

  @Override
  public void close() throws IOException {
    try (batchFile;
        dictionaryFile) {
      arena.close();
    }
  }

  void run() throws IOException {
    boolean whole = false;
    try {
      Frame frame = frames.next();
      while (frame != null && inspect(frame)) {
        frame = frames.next();
      }
      whole = frame == null;
    } catch (InputException e) {
      addUnlessTooLong(e);
    }
    endOffset = frames.position();
    if (whole) {
      messages.finish();
      checkEnd();
    } else {
      restByteSize = rest().byteSize();
    }
  }

  /// Writes the end of the stream into an open object.
  void writeEnd(JsonGenerator json) {
    json.writeObjectPropertyStart("end");
    json.writeBooleanProperty("endOfStreamSeen", frames.endOfStreamSeen());
    json.writeNumberProperty("offset", endOffset);
    json.writeNumberProperty("bytesAfter", restByteSize);
    json.writeBooleanProperty("complete", complete);
    json.writeEndObject();
  }

  /// @return whether the next message can be found
  private boolean inspect(Frame frame) throws IOException {
    Message message = messages.decode(frame);
    MessageOutline outline = outline(frame);
    if (outline == null) {
      inspection.add(new MessageJson(frame, null, null, null, List.of(), MemorySegment.NULL, null));
      return false;
    }
    frames.startBody(outline.bodyLength());
    MemorySegment body = MemorySegment.NULL;
    Totals.DictionaryEvent event = null;
    InputException truncation = null;
    if (message != null) {
      checkOrder(frame, message);
      messages.checkForm(frame, message);
      event = inspection.count(frame, message);
      try (Arena batchArena = Arena.ofConfined()) {
        body = check(frame, message, batchArena);
        add(frame, outline, message, event, body);
        return true;
      } catch (InputException e) {
        truncation = e;
      }
    }
    add(frame, outline, message, event, MemorySegment.NULL);
    if (truncation != null) {
      throw truncation;
    }
    return true;
  }

  private void add(
      Frame frame,
      MessageOutline outline,
      @Nullable Message message,
      Totals.@Nullable DictionaryEvent event,
      MemorySegment body) {
    inspection.add(
        new MessageJson(
            frame,
            outline,
            message,
            event,
            message == null ? List.of() : messages.fields(message),
            body,
            null));
  }

  private @Nullable MessageOutline outline(Frame frame) {
    try {
      return MessageOutline.of(frame.metadata());
    } catch (InputException e) {
      // The decoder has reported the error.
      return null;
    }
  }

  /// Checks a body, which lives as long as `batchArena` or this inspection.
  private MemorySegment check(Frame frame, Message message, Arena batchArena) throws IOException {
    return switch (message.header()) {
      case RecordBatchHeader _ -> {
        batchFile.reset();
        MemorySegment body = readBody(message.bodyLength(), chunk, batchFile, batchArena);
        messages.checkBatch(frame, message, body);
        yield body;
      }
      case DictionaryBatchHeader header -> {
        long byteSize = message.bodyLength();
        MemorySegment small =
            byteSize <= CHUNK_BYTE_SIZE
                ? messages.dictionaryMemory().allocate(byteSize, Framing.BODY_ALIGNMENT)
                : chunk;
        MemorySegment body = readBody(byteSize, small, dictionaryFile, arena);
        messages.checkDictionary(frame, message, header, body);
        yield body;
      }
      case SchemaHeader _, MessageHeader.TensorHeader _, MessageHeader.SparseTensorHeader _ ->
          MemorySegment.NULL;
    };
  }

  private MemorySegment readBody(
      long byteSize, MemorySegment small, ScratchFile file, Arena mapArena) throws IOException {
    if (byteSize <= small.byteSize()) {
      MemorySegment body = small.asSlice(0, byteSize);
      frames.readBodyPart(body);
      return body;
    }
    long start = file.position();
    while (frames.bodyRemaining() > 0) {
      file.write(chunk.asSlice(0, frames.readBodyPart(chunk)));
    }
    return file.map(start, byteSize, mapArena);
  }

  private void checkOrder(Frame frame, Message message) {
    FindingLog findings = inspection.findings();
    boolean first = frame.index() == 0;
    switch (message.header()) {
      case SchemaHeader(var schema) -> {
        if (messages.schema() == null) {
          messages.useSchema(schema, frame.place());
        } else {
          findings.add(
              FindingKind.MALFORMED,
              "a dictionary batch or record batch",
              "a second schema",
              frame.place());
        }
      }
      case MessageHeader.TensorHeader _, MessageHeader.SparseTensorHeader _ ->
          findings.add(
              FindingKind.UNSUPPORTED,
              first ? "a schema as first message" : "a dictionary batch or record batch",
              MessageReader.describe(message.header()),
              frame.place());
      case RecordBatchHeader _, DictionaryBatchHeader _ -> {
        if (first) {
          findings.add(
              FindingKind.MALFORMED, "a schema as first message", "a batch", frame.place());
        }
      }
    }
  }

  private void checkEnd() throws IOException {
    FindingLog findings = inspection.findings();
    InputLocation end = InputLocation.byteOffset(endOffset);
    if (inspection.totals().messages() == 0) {
      findings.add(FindingKind.TRUNCATED, "a schema message", "the end of the input", end);
    }
    if (!frames.endOfStreamSeen()) {
      findings.add(
          FindingKind.NO_END_OF_STREAM, "the end-of-stream marker", "the end of the input", end);
      complete = true;
      return;
    }
    long zeros = 0;
    MemorySegment rest = rest();
    while (rest.byteSize() > 0 && Padding.leadingZeros(rest) == rest.byteSize()) {
      zeros += rest.byteSize();
      rest = rest();
    }
    restByteSize = zeros;
    if (rest.byteSize() > 0) {
      // A second stream would start at a multiple of 8.
      long word = Padding.leadingZeros(rest) / Framing.PREFIX_BYTE_SIZE * Framing.PREFIX_BYTE_SIZE;
      zeros += word;
      boolean stream =
          rest.byteSize() - word >= Integer.BYTES
              && LittleEndian.getInt32(rest, word) == Framing.CONTINUATION;
      restByteSize += rest.byteSize();
      findings.add(
          stream ? FindingKind.UNSUPPORTED : FindingKind.MALFORMED,
          "the end of the input after the end of the stream",
          stream ? "a second stream" : "more bytes",
          InputLocation.byteOffset(endOffset + zeros));
    } else if (zeros > 0) {
      findings.add(
          FindingKind.TRAILING_ZEROS,
          "the end of the input after the end-of-stream marker",
          zeros + " bytes of zero",
          end);
    }
  }

  /// Returns the next bytes after the end of the stream, or an empty segment at the end. If they
  /// are not zeros, or if the next message cannot be found, nothing more is read: the rest has
  /// nothing to report but its size.
  private MemorySegment rest() throws IOException {
    MemorySegment rest = chunk.asSlice(0, source.readFully(chunk));
    complete = rest.byteSize() < chunk.byteSize();
    return rest;
  }

  /// Adds a finding, except if the input as a whole is too long, which rejects it.
  private void addUnlessTooLong(InputException e) {
    Limit whole = options.requestBytes();
    if (e instanceof TooLargeInputException tooLarge && tooLarge.limit().equals(whole)) {
      throw e;
    }
    inspection.findings().add(e);
  }
}
