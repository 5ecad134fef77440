package dev.quiver.store.write;

import static java.util.stream.Collectors.groupingBy;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.ReusedMemory;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.transform.BodyForm;
import dev.quiver.arrow.transform.DictionaryUnifier;
import dev.quiver.arrow.transform.WaitingDictionaries;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.store.file.CanonicalWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// An ingester of the dictionaries of an upload. Before the first batch, the first dictionary of
/// each id is written to the blob as it arrives. A dictionary that changes later is written again
/// as a whole at the end, and replaces the first.
final class DictionaryIngester implements AutoCloseable {

  private final Limits limits;
  private final RequestedCodec codec;
  private final RecordBatchReader reader;
  private final DictionaryUnifier unifier;
  private final BodyIngester bodies;
  private final CanonicalWriter writer;
  private final Arena uploadArena = Arena.ofConfined();
  private final ScratchMemory uploadMemory;
  private final ScratchMemory messageMemory;
  private final Warnings warnings;
  private final DictionaryNulls nulls = new DictionaryNulls();
  private final Map<Long, Arrival> arrivals = new HashMap<>();
  private final WaitingDictionaries waiting = new WaitingDictionaries();

  /// @param messageMemory valid until the next dictionary
  DictionaryIngester(
      IngestContext context,
      RecordBatchReader reader,
      DictionaryUnifier unifier,
      BodyIngester bodies,
      CanonicalWriter writer,
      ScratchMemory messageMemory) {
    this.warnings = context.warnings();
    this.limits = context.limits();
    this.codec = context.uploadOptions().codec();
    this.reader = reader;
    this.unifier = unifier;
    this.bodies = bodies;
    this.writer = writer;
    this.uploadMemory = context.uploadMemory();
    this.messageMemory = messageMemory;
  }

  /// Ingests a dictionary batch. If its values refer to dictionaries that have not arrived yet, it
  /// waits for them.
  ///
  /// @param body the source of exactly the bytes that the message declares
  void ingest(EncapsulatedMessage message, DictionaryBatchHeader header, ByteSource body)
      throws IOException {
    Field values = reader.dictionaryFields().values(header.id());
    Set<Long> missing =
        values == null ? Set.of() : WaitingDictionaries.missing(values, unifier::contains);
    if (missing.isEmpty()) {
      ingestNow(message, header, body);
      return;
    }
    checkSize(message.message().bodyLength(), message.place());
    if (!waiting.hasRoom(message)) {
      throw new UnsupportedInputException(
          "dictionary %d before dictionary %d, whose values refer to it"
              .formatted(missing.iterator().next(), header.id()),
          "it missing",
          message.place());
    }
    waiting.add(
        message, header, missing, bodies.read(message, body, bodyMemory(message), uploadArena));
  }

  /// Returns whether any dictionary waits for others.
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /// Ingests the dictionaries that still wait for others. Since the others never arrived, every
  /// value that would refer to them must be null.
  void ingestWaiting() throws IOException {
    Map<Long, List<WaitingDictionaries.Waiting>> byId =
        waiting.removeAll().stream().collect(groupingBy(waiting -> waiting.header().id()));
    for (long id : reader.dictionaryFields().byId().keySet()) {
      for (WaitingDictionaries.Waiting dictionary : byId.getOrDefault(id, List.of())) {
        for (long inner : dictionary.missing()) {
          if (writer.batchCount() == 0 && !arrivals.containsKey(inner)) {
            write(inner, Codec.NONE);
            arrivals.put(inner, new Arrival(0, Codec.NONE));
          }
        }
        ingestNow(dictionary.message(), dictionary.header(), ByteSource.of(dictionary.body()));
      }
    }
  }

  private void ingestNow(EncapsulatedMessage message, DictionaryBatchHeader header, ByteSource body)
      throws IOException {
    Field values = reader.requireKnown(message);
    boolean first = !unifier.contains(header.id());
    checkSize(message.message().bodyLength(), message.place());
    if (first) {
      ingestFirst(message, header, values, body);
      for (WaitingDictionaries.Waiting ready : waiting.removeReady(header.id())) {
        ingestNow(ready.message(), ready.header(), ByteSource.of(ready.body()));
      }
    } else {
      try (Arena messageArena = Arena.ofConfined()) {
        MemorySegment read = bodies.read(message, body, bodies.memory(message), messageArena);
        ArrayData array = read(message, header, read, messageMemory);
        keep(message, header, array);
      } finally {
        messageMemory.reset();
      }
    }
  }

  /// Writes an empty dictionary for every id that has not arrived. A column of nulls needs no
  /// dictionary, but readers expect every dictionary before the first batch.
  void writeMissing() throws IOException {
    for (long id : reader.dictionaryFields().byId().keySet()) {
      if (!arrivals.containsKey(id)) {
        write(id, Codec.NONE);
      }
    }
  }

  /// Returns whether any dictionary has arrived.
  boolean hasArrivals() {
    return !arrivals.isEmpty();
  }

  /// Writes the dictionaries that have changed since they were written.
  void writeChanged() throws IOException {
    for (long id : writer.dictionaryIds()) {
      Arrival written = arrivals.get(id);
      if (written != null && written.writtenLength() != unifier.length(id)) {
        write(id, written.codec());
      }
    }
  }

  /// Writes all dictionaries to another file.
  void writeAll(CanonicalWriter other) throws IOException {
    for (long id : writer.dictionaryIds()) {
      Arrival written = arrivals.get(id);
      write(other, id, written == null ? Codec.NONE : written.codec());
    }
  }

  @Override
  public void close() {
    uploadArena.close();
  }

  private void ingestFirst(
      EncapsulatedMessage message, DictionaryBatchHeader header, Field values, ByteSource body)
      throws IOException {
    MemorySegment buffer = bodyMemory(message);
    boolean beforeBatches = writer.batchCount() == 0;
    BodyForm form = bodies.form(message, header.data(), List.of(values));
    boolean copied = beforeBatches && form == BodyForm.VERBATIM;
    MemorySegment read =
        copied
            ? bodies.copy(message, body, buffer, uploadArena)
            : bodies.read(message, body, buffer, uploadArena);
    ArrayData array = read(message, header, read, uploadMemory);
    keep(message, header, array);
    if (beforeBatches && !copied) {
      try {
        bodies.write(message, header.data(), List.of(array), read, form, messageMemory);
      } finally {
        messageMemory.reset();
      }
    }
    long writtenLength = beforeBatches ? array.length() : 0;
    arrivals.put(header.id(), new Arrival(writtenLength, codec.of(BodyCodecs.of(header.data()))));
  }

  /// Returns memory for a body needed until the upload ends, or none if the body goes to a file.
  private MemorySegment bodyMemory(EncapsulatedMessage message) {
    long bodyLength = message.message().bodyLength();
    return bodyLength <= ReusedMemory.MINIMUM_BYTE_SIZE
        ? uploadMemory.allocate(bodyLength, 64)
        : MemorySegment.NULL;
  }

  private ArrayData read(
      EncapsulatedMessage message,
      DictionaryBatchHeader header,
      MemorySegment body,
      ScratchMemory memory) {
    checkSize(uncompressedByteSize(header.data(), body), message.place());
    ArrayData array = reader.readValues(message, body, memory);
    warnings.addDomain(
        Validator.validateDictionary(array, MessageIngester.LEVEL, array.field().name()),
        MessageIngester.LEVEL,
        message.place().withDetail("dictionary " + header.id()));
    return array;
  }

  private void keep(EncapsulatedMessage message, DictionaryBatchHeader header, ArrayData array) {
    long messageByteSize = message.metaDataLength() + message.message().bodyLength();
    unifier.take(header.id(), array, header.delta(), messageByteSize, message.place());
    ArrayData before = reader.dictionaries().get(header.id());
    long lengthBefore = header.delta() && before != null ? before.length() : 0;
    // Indices are checked against the length, and against nulls where the field is not nullable.
    // The values themselves are read only from the unified dictionary.
    ArrayData empty = ArrayData.empty(array.field());
    MemorySegment validity = nulls.take(header.id(), lengthBefore, array);
    List<MemorySegment> buffers = new ArrayList<>(empty.buffers());
    if (validity.byteSize() != 0) {
      buffers.set(0, validity);
    }
    reader
        .dictionaries()
        .put(
            header.id(),
            new ArrayData(
                empty.field(),
                Math.addExact(lengthBefore, array.length()),
                validity.byteSize() == 0 ? 0 : -1,
                buffers,
                empty.children(),
                null));
  }

  private void write(long id, Codec dictionaryCodec) throws IOException {
    write(writer, id, dictionaryCodec);
  }

  private void write(CanonicalWriter to, long id, Codec dictionaryCodec) throws IOException {
    try {
      ArrayData values = unifier.values(id, messageMemory);
      to.writeDictionary(
          id, EncodedBody.of(values.length(), List.of(values), dictionaryCodec, messageMemory));
    } finally {
      messageMemory.reset();
    }
  }

  private void checkSize(long byteSize, InputLocation place) {
    limits.dictionaryBytes().check(byteSize, "bytes of a dictionary", place);
  }

  /// Returns the decompressed size of all buffers. Malformed buffers count as 0, because reading
  /// rejects them.
  private static long uncompressedByteSize(RecordBatchHeader header, MemorySegment body) {
    if (header.compression() == null) {
      return body.byteSize();
    }
    long total = 0;
    for (Buffer buffer : header.buffers()) {
      if (buffer.length() >= Long.BYTES && buffer.offset() <= body.byteSize() - Long.BYTES) {
        long declared = LittleEndian.getInt64(body, buffer.offset());
        long byteSize = declared < 0 ? buffer.length() - Long.BYTES : declared;
        total += Math.min(byteSize, Long.MAX_VALUE - total);
      }
    }
    return total;
  }

  /// A dictionary that has arrived, at least in part.
  ///
  /// @param writtenLength the number of values written
  private record Arrival(long writtenLength, Codec codec) {}
}
