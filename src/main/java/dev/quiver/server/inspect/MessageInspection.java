package dev.quiver.server.inspect;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.Frame;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageCompleteness;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.transform.WaitingDictionaries;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An inspection of messages, one after another: of their metadata, and of whether their bodies
/// conform to the format.
final class MessageInspection implements AutoCloseable {

  private static final Level HIGHEST = Level.values()[Level.values().length - 1];

  private final InspectOptions options;
  private final Limits limits;
  private final FindingLog findings;
  private final ScratchMemory dictionaryMemory;
  private final ScratchMemory batchMemory;
  private @Nullable Schema schema;
  private @Nullable RecordBatchReader reader;
  private final boolean inFile;
  private final WaitingDictionaries waiting = new WaitingDictionaries();
  private @Nullable UploadPrediction outcome;

  /// @param inFile whether the messages are in a file, where dictionaries may have any position
  MessageInspection(InspectOptions options, FindingLog findings, boolean inFile) {
    this.options = options;
    this.inFile = inFile;
    this.limits = options.limits();
    this.findings = findings;
    this.dictionaryMemory = new ScratchMemory(options.scratchFolder());
    this.batchMemory = new ScratchMemory(options.scratchFolder());
  }

  @Override
  public void close() throws IOException {
    try (dictionaryMemory;
        batchMemory;
        UploadPrediction _ = outcome) {
      reader = null;
    }
  }

  /// Returns the schema of the following batches, or null before it arrives.
  @Nullable Schema schema() {
    return schema;
  }

  void useSchema(Schema newSchema, InputLocation place) {
    schema = newSchema;
    if (newSchema.endianness() == Endianness.BIG) {
      findings.add(FindingKind.BIG_ENDIAN, "little-endian bodies", "big-endian ones", place);
    }
    try {
      RecordBatchReader read = new RecordBatchReader(newSchema, limits);
      reader = read;
      outcome = new UploadPrediction(read, options, findings);
      Validator.validate(newSchema, HIGHEST).forEach(finding -> findings.add(finding, place));
    } catch (InputException e) {
      findings.add(e.within(place));
    }
  }

  /// Returns the dictionaries that the schema needs, inner ones first.
  Set<Long> dictionaryIds() {
    RecordBatchReader present = reader;
    return present == null ? Set.of() : present.dictionaryFields().byId().keySet();
  }

  /// Returns the memory of dictionaries, which live as long as this inspection.
  ScratchMemory dictionaryMemory() {
    return dictionaryMemory;
  }

  /// Decodes the metadata of a frame.
  ///
  /// @return the message, or null if it is unreadable, which is reported as a finding
  @Nullable Message decode(Frame frame) {
    try {
      return MessageDecoder.decode(frame.metadata(), limits);
    } catch (InputException e) {
      findings.add(e.within(frame.place()));
      return null;
    }
  }

  /// Checks properties common to all messages.
  void checkForm(Frame frame, Message message) {
    InputLocation place = frame.place();
    if (frame.isLegacy()) {
      findings.add(
          FindingKind.LEGACY_FRAMING,
          "the continuation marker FFFFFFFF",
          "a length alone, as before Arrow 0.15,",
          place);
    }
    if (message.version() == MetadataVersion.V4) {
      findings.add(FindingKind.METADATA_V4, "metadata version V5", "V4", place);
    }
    if (!Padding.isAligned(frame.metaDataLength(), Framing.ALIGNMENT)) {
      findings.add(
          FindingKind.METADATA_ALIGNMENT,
          "prefix and metadata of a multiple of 8 bytes",
          Integer.toString(frame.metaDataLength()),
          place);
    }
    if (!Padding.isAligned(message.bodyLength(), Framing.ALIGNMENT)) {
      findings.add(
          FindingKind.BODY_ALIGNMENT,
          "a body of a multiple of 8 bytes",
          Long.toString(message.bodyLength()),
          place);
    }
    if (!MessageCompleteness.isStrict(frame.metadata())) {
      findings.add(
          FindingKind.METADATA_NOT_STRICT,
          "a flatbuffer that passes the verifier",
          "one with unaligned parts or unterminated strings",
          place);
    }
    if (!MessageCompleteness.isComplete(frame.metadata())) {
      findings.add(
          FindingKind.METADATA_INCOMPLETE,
          "all metadata fields that some readers require",
          "some absent",
          place);
    }
    RecordBatchHeader batch = batch(message);
    if (batch != null) {
      checkBuffers(batch, place);
    }
  }

  /// Checks the body of a record batch.
  void checkBatch(Frame frame, Message message, MemorySegment body) {
    RecordBatchReader present = reader;
    if (present == null) {
      return;
    }
    checkWaiting(present);
    try {
      EncapsulatedMessage encapsulated = encapsulated(frame, message);
      RecordBatch batch = present.readBatch(encapsulated, body, batchMemory);
      Validator.validate(batch, HIGHEST).forEach(finding -> findings.add(finding, frame.place()));
      UploadPrediction following = outcome;
      if (following != null && findings.isAcceptable()) {
        following.take(encapsulated, (RecordBatchHeader) message.header(), batch, batchMemory);
      }
    } catch (InputException e) {
      findings.add(e);
    } finally {
      batchMemory.reset();
    }
  }

  /// Checks the body of a dictionary batch. Later batches refer to it, so it must live as long as
  /// this inspection.
  void checkDictionary(
      Frame frame, Message message, DictionaryBatchHeader header, MemorySegment body) {
    RecordBatchReader present = reader;
    if (present == null) {
      return;
    }
    EncapsulatedMessage encapsulated = encapsulated(frame, message);
    Field values = present.dictionaryFields().values(header.id());
    Set<Long> missing =
        values == null
            ? Set.of()
            : WaitingDictionaries.missing(values, present.dictionaries()::contains);
    if (!missing.isEmpty()) {
      findings.addChange("dictionaries follow those that their values refer to");
      if (!waiting.hasRoom(encapsulated)) {
        findings.add(
            FindingKind.UNSUPPORTED,
            "the dictionaries before those whose values refer to them",
            "dictionary " + header.id() + " first",
            frame.place());
      } else {
        waiting.add(encapsulated, header, missing, body);
      }
      return;
    }
    checkWithWaiting(encapsulated, header, body, present);
  }

  /// Checks a dictionary, then the dictionaries that waited for it.
  private void checkWithWaiting(
      EncapsulatedMessage message,
      DictionaryBatchHeader header,
      MemorySegment body,
      RecordBatchReader present) {
    check(message, header, body, present);
    if (present.dictionaries().contains(header.id())) {
      for (WaitingDictionaries.Waiting ready : waiting.removeReady(header.id())) {
        checkWithWaiting(ready.message(), ready.header(), ready.body(), present);
      }
    }
  }

  /// Checks the dictionaries whose inner ones never arrived.
  private void checkWaiting(RecordBatchReader present) {
    List<WaitingDictionaries.Waiting> all = waiting.removeAll();
    for (long id : present.dictionaryFields().byId().keySet()) {
      all.stream()
          .filter(each -> each.header().id() == id)
          .forEach(each -> check(each.message(), each.header(), each.body(), present));
    }
  }

  private void check(
      EncapsulatedMessage encapsulated,
      DictionaryBatchHeader header,
      MemorySegment body,
      RecordBatchReader present) {
    InputLocation messagePlace = encapsulated.place();
    try {
      limits
          .dictionaryBytes()
          .check(encapsulated.message().bodyLength(), "bytes of a dictionary", messagePlace);
      ArrayData values = present.readValues(encapsulated, body, dictionaryMemory);
      InputLocation place = messagePlace.withDetail("dictionary " + header.id());
      Validator.validateDictionary(values, HIGHEST, values.field().name())
          .forEach(finding -> findings.add(finding, place));
      ArrayData before = present.dictionaries().get(header.id());
      if (header.delta() && before != null) {
        // The null counts of the extended dictionary are unknown.
        long length = Math.addExact(before.length(), values.length());
        present.dictionaries().putLength(header.id(), values.field(), length);
      } else {
        present.dictionaries().put(header.id(), values);
      }
      UploadPrediction following = outcome;
      if (following != null && findings.isAcceptable()) {
        following.take(encapsulated, header, values, inFile);
      }
    } catch (InputException e) {
      findings.add(e);
    }
  }

  /// Reports dictionaries that never arrived.
  void finish() {
    RecordBatchReader present = reader;
    if (present != null) {
      checkWaiting(present);
    }
    UploadPrediction followed = outcome;
    if (followed != null && findings.isAcceptable()) {
      followed.finish();
    }
  }

  /// Reports a delta or replacement, which some readers do not support.
  void noteEvent(Frame frame, DictionaryBatchHeader header, Totals.DictionaryEvent event) {
    InputLocation place = frame.place();
    switch (event.name()) {
      case "delta" ->
          findings.add(
              FindingKind.DICTIONARY_DELTA,
              "a single batch of dictionary " + header.id(),
              "a delta to it",
              place);
      case "replacement" ->
          findings.add(
              FindingKind.DICTIONARY_REPLACEMENT,
              "a single batch of dictionary " + header.id(),
              "a replacement of it",
              place);
      default -> {}
    }
  }

  /// Returns the fields of the nodes and buffers of a message; empty if unknown.
  List<Field> fields(Message message) {
    Schema present = schema;
    RecordBatchReader decoding = reader;
    return switch (message.header()) {
      case RecordBatchHeader _ when present != null -> present.fields();
      case DictionaryBatchHeader header when decoding != null -> {
        Field values = decoding.dictionaryFields().values(header.id());
        yield values == null ? List.of() : List.of(values);
      }
      default -> List.of();
    };
  }

  /// Returns the batch of a message, including a dictionary's, or null for other messages.
  static @Nullable RecordBatchHeader batch(Message message) {
    return switch (message.header()) {
      case RecordBatchHeader header -> header;
      case DictionaryBatchHeader header -> header.data();
      default -> null;
    };
  }

  private void checkBuffers(RecordBatchHeader batch, InputLocation place) {
    for (int i = 0; i < batch.buffers().size(); i++) {
      Buffer buffer = batch.buffers().get(i);
      if (buffer.length() > 0 && !Padding.isAligned(buffer.offset(), Framing.ALIGNMENT)) {
        findings.add(
            FindingKind.BUFFER_ALIGNMENT,
            "a buffer at a multiple of 8 bytes",
            Long.toString(buffer.offset()),
            place.withDetail("RecordBatch.buffers[" + i + "]"));
        return;
      }
    }
  }

  private static EncapsulatedMessage encapsulated(Frame frame, Message message) {
    return new EncapsulatedMessage(
        frame.index(),
        frame.byteOffset(),
        frame.prefixByteSize(),
        frame.metaDataLength(),
        frame.metadata(),
        message);
  }
}
