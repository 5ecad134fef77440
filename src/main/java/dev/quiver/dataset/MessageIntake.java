package dev.quiver.dataset;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.DictionaryFields;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.ByteSink;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.Place;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.MessageHeader;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.BlobUpload;
import dev.quiver.validate.Level;
import dev.quiver.validate.Validator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/// Takes in dictionaries and record batches: copies each to the upload as it arrives, then decodes
/// and validates it there. What is to be laid out anew is decoded first.
///
/// A body larger than one buffer is validated in the file just written, mapped, so that memory is
/// bounded however large batches are, and each byte is written once.
final class MessageIntake implements AutoCloseable {

  /// How far uploads are validated; what they break at the last level is a warning.
  private static final Level LEVEL = Level.DOMAIN;

  private final Schema schema;
  private final Limits limits;
  private final BlobStore store;
  private final String key;
  private final BlobUpload upload;
  private final CanonicalWriter writer;
  private final RecordBatchReader reader;
  private final Arena uploadArena = Arena.ofConfined();
  private final ScratchMemory uploadMemory;
  private final ScratchMemory batchMemory;
  private final MemorySegment chunk;
  private final Warnings warnings;

  /// @param key of the blob that `upload` will be
  /// @param uploadMemory for what lives as long as the upload: dictionaries
  /// @param chunk through which large bodies go, and in which small ones are
  MessageIntake(
      Schema schema,
      DatasetOptions options,
      BlobStore store,
      String key,
      BlobUpload upload,
      CanonicalWriter writer,
      ScratchMemory uploadMemory,
      MemorySegment chunk,
      Warnings warnings) {
    this.schema = schema;
    this.limits = options.limits();
    this.store = store;
    this.key = key;
    this.upload = upload;
    this.writer = writer;
    StorableInput.require(schema);
    this.reader = new RecordBatchReader(schema, limits);
    this.uploadMemory = uploadMemory;
    this.chunk = chunk;
    this.warnings = warnings;
    warnings.addDomain(Validator.validate(schema, LEVEL), Place.UNKNOWN);
    this.batchMemory = new ScratchMemory(store.scratchFolder());
  }

  DictionaryFields dictionaryFields() {
    return reader.dictionaryFields();
  }

  /// Takes in a dictionary batch or record batch.
  ///
  /// @param body from where its bytes are read, as many as the message says
  void take(EncapsulatedMessage message, ByteSource body) throws IOException {
    switch (message.message().header()) {
      case DictionaryBatchHeader header -> takeDictionary(message, header, body);
      case RecordBatchHeader header -> takeBatch(message, header, body);
      case MessageHeader.SchemaHeader _,
          MessageHeader.TensorHeader _,
          MessageHeader.SparseTensorHeader _ ->
          throw new IllegalArgumentException("Not a message of a batch: " + message);
    }
  }

  /// Ends the upload. Without record batches readers want either no dictionary or each.
  void finish() throws IOException {
    if (writer.batchCount() == 0
        && dictionaryFields().byId().keySet().stream().anyMatch(this::isKnown)) {
      writeMissingDictionaries();
    }
  }

  @Override
  public void close() throws IOException {
    uploadArena.close();
    batchMemory.close();
  }

  private void takeDictionary(
      EncapsulatedMessage message, DictionaryBatchHeader header, ByteSource body)
      throws IOException {
    requireInTime(header, message.place());
    Field values = reader.requireNew(message);
    StorableInput.require(message, List.of(values));
    requireNeeded(values, header.id(), message.place());
    checkDictionarySize(message.message().bodyLength(), message.place());
    long bodyLength = message.message().bodyLength();
    MemorySegment small =
        bodyLength <= chunk.byteSize() ? uploadMemory.allocate(bodyLength, 64) : chunk;
    boolean canonical = CanonicalBody.isCanonical(List.of(values), header.data(), bodyLength);
    MemorySegment stored = takeBody(message, canonical, body, small, uploadArena);
    checkDictionarySize(uncompressedByteSize(header.data(), stored), message.place());
    ArrayData dictionary = reader.readDictionary(message, stored, uploadMemory);
    warnings.addDomain(
        Validator.validateDictionary(dictionary, LEVEL, values.name()),
        message.place().withDetail("dictionary " + header.id()));
    if (!canonical) {
      writeRelaid(message, header.data(), List.of(dictionary), stored);
    }
  }

  private void takeBatch(EncapsulatedMessage message, RecordBatchHeader header, ByteSource body)
      throws IOException {
    int batchIndex = writer.batchCount();
    limits.uploadBatches().check(batchIndex + 1L, "record batches in an upload", message.place());
    StorableInput.require(message, reader.schema().fields());
    if (writer.batchCount() == 0) {
      writeMissingDictionaries();
    }
    try (Arena batchArena = Arena.ofConfined()) {
      boolean canonical =
          CanonicalBody.isCanonical(schema.fields(), header, message.message().bodyLength());
      MemorySegment stored = takeBody(message, canonical, body, chunk, batchArena);
      RecordBatch batch = reader.readBatch(message, stored, batchMemory);
      warnings.addDomain(
          Validator.validate(batch, LEVEL),
          message.place().withDetail("record batch " + batchIndex));
      if (!canonical) {
        writeRelaid(message, header, batch.columns(), stored);
      }
    } finally {
      batchMemory.reset();
    }
  }

  /// Writes an empty dictionary for every id that did not come: a column of nulls alone needs none,
  /// but readers want each before the first batch.
  private void writeMissingDictionaries() throws IOException {
    for (Map.Entry<Long, Field> entry : dictionaryFields().byId().entrySet()) {
      if (!reader.dictionaries().contains(entry.getKey())) {
        ArrayData values = ArrayData.empty(entry.getValue());
        writer.writeDictionary(entry.getKey(), values);
      }
    }
  }

  /// Reads a body, and writes the message with it when it is canonical. What is not is written once
  /// it was read: by [#writeRelaid].
  ///
  /// @param small where a body is read that fits into it
  /// @return the body, which lives as long as `arena` or `small`
  private MemorySegment takeBody(
      EncapsulatedMessage message,
      boolean canonical,
      ByteSource body,
      MemorySegment small,
      Arena arena)
      throws IOException {
    long byteSize = message.message().bodyLength();
    boolean large = byteSize > small.byteSize();
    if (!canonical) {
      return large ? spool(body, byteSize, arena) : readFully(body, small.asSlice(0, byteSize));
    }
    writer.begin(message);
    if (large) {
      long start = writer.position();
      copyThroughChunk(body, byteSize, writer);
      return upload.map(start, byteSize, arena);
    }
    MemorySegment stored = readFully(body, small.asSlice(0, byteSize));
    writer.write(stored);
    return stored;
  }

  private void writeRelaid(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      List<ArrayData> columns,
      MemorySegment body)
      throws IOException {
    writer.write(message, CanonicalBody.relaid(header, columns, body, message.place()));
  }

  private MemorySegment spool(ByteSource body, long byteSize, Arena arena) throws IOException {
    try (BlobUpload spool = store.begin(key)) {
      copyThroughChunk(body, byteSize, spool);
      return spool.map(0, byteSize, arena);
    }
  }

  private void copyThroughChunk(ByteSource body, long byteSize, ByteSink destination)
      throws IOException {
    long remaining = byteSize;
    while (remaining > 0) {
      MemorySegment part = chunk.asSlice(0, Math.min(chunk.byteSize(), remaining));
      destination.write(readFully(body, part));
      remaining -= part.byteSize();
    }
  }

  private static MemorySegment readFully(ByteSource body, MemorySegment destination)
      throws IOException {
    if (body.readFully(destination) < destination.byteSize()) {
      throw new IllegalStateException("The body ended before its announced end");
    }
    return destination;
  }

  private void requireInTime(DictionaryBatchHeader header, Place place) {
    if (writer.batchCount() > 0 && !header.delta() && !isKnown(header.id())) {
      throw new UnsupportedInputException(
          "dictionary " + header.id() + " before the first record batch",
          "it after " + writer.batchCount(),
          place);
    }
  }

  private boolean isKnown(long id) {
    return reader.dictionaries().contains(id);
  }

  /// Checks that the dictionaries which the values themselves refer to came before.
  private void requireNeeded(Field values, long id, Place place) {
    for (Field child : values.children()) {
      if (child.dictionary() == null) {
        requireNeeded(child, id, place);
      } else if (!isKnown(child.dictionary().id())) {
        throw new UnsupportedInputException(
            "dictionary %d before dictionary %d, whose values refer to it"
                .formatted(child.dictionary().id(), id),
            "it missing",
            place);
      }
    }
  }

  private void checkDictionarySize(long byteSize, Place place) {
    limits.dictionaryBytes().check(byteSize, "bytes of a dictionary", place);
  }

  /// Bytes of all buffers, decompressed. Buffers that are malformed count as nothing: they are
  /// refused when they are read.
  private static long uncompressedByteSize(RecordBatchHeader header, MemorySegment body) {
    if (header.compression() == null) {
      return body.byteSize();
    }
    long total = 0;
    for (Buffer buffer : header.buffers()) {
      if (buffer.length() >= Long.BYTES && buffer.offset() <= body.byteSize() - Long.BYTES) {
        long announced = LittleEndian.getInt64(body, buffer.offset());
        long byteSize = announced < 0 ? buffer.length() - Long.BYTES : announced;
        total += Math.min(byteSize, Long.MAX_VALUE - total);
      }
    }
    return total;
  }
}
