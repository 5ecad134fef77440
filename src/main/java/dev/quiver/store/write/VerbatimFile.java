package dev.quiver.store.write;

import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.transform.BatchCoalescer;
import dev.quiver.arrow.transform.BatchSplitter;
import dev.quiver.arrow.transform.CanonicalBody;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.file.CanonicalWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A received file, and the decision whether its messages can be stored byte for byte where they
/// lie. The decision needs only metadata, and is made before anything is written.
///
/// The messages can stay if [CanonicalWriter] would copy each of them. Each message must be
/// canonical, and each dictionary must occur once, before its references. No batch may need to be
/// split, coalesced or recompressed.
final class VerbatimFile {

  /// The end of the previous message if messages may lie anywhere.
  private static final long ANYWHERE = -1;

  /// The end of a part that cannot be stored unchanged.
  static final long DIFFERENT = -2;

  private final MemorySegment file;
  private final FileReader reader;
  private final Schema schema;

  /// The schema message that follows the magic, or null if absent.
  private final @Nullable EncapsulatedMessage first;

  private final int[] dictionaryOrder;
  private final UploadOptions uploadOptions;

  private VerbatimFile(
      MemorySegment file,
      FileReader reader,
      Schema schema,
      @Nullable EncapsulatedMessage first,
      int[] dictionaryOrder,
      UploadOptions uploadOptions) {
    this.file = file;
    this.reader = reader;
    this.schema = schema;
    this.first = first;
    this.dictionaryOrder = dictionaryOrder;
    this.uploadOptions = uploadOptions;
  }

  /// Reads the order of the messages of a file.
  ///
  /// @param schema by which the file is stored
  /// @throws MalformedInputException if a dictionary occurs twice
  static VerbatimFile of(
      MemorySegment file,
      FileReader reader,
      Schema schema,
      Limits limits,
      UploadOptions uploadOptions)
      throws IOException {
    return new VerbatimFile(
        file,
        reader,
        schema,
        embeddedSchema(file, schema, limits),
        dictionaryOrder(reader, schema),
        uploadOptions);
  }

  /// Returns the schema message at the start of the stream within the file.
  ///
  /// @return the message, or null if it is absent or has another schema
  private static @Nullable EncapsulatedMessage embeddedSchema(
      MemorySegment file, Schema schema, Limits limits) throws IOException {
    ByteSource stream = ByteSource.of(file.asSlice(Framing.FILE_HEADER_BYTE_SIZE));
    try {
      EncapsulatedMessage first = new MessageReader(stream, limits).readSchema();
      return MessageReader.schemaOf(first).equals(schema) ? first : null;
    } catch (InputException e) {
      // Some writers omit it or pad the magic further. The footer has the whole schema.
      return null;
    }
  }

  /// Returns the order in which to read dictionary messages: nested ones come first.
  ///
  /// A file may have them in any order. Its batches are also read in any order, so all of them see
  /// the same dictionaries. The messages are not kept, because their metadata may be most of the
  /// file.
  private static int[] dictionaryOrder(FileReader reader, Schema schema) {
    Map<Long, Integer> order = new HashMap<>();
    DictionaryFields.of(schema).byId().keySet().forEach(id -> order.put(id, order.size()));
    int[] ranks = new int[reader.footer().dictionaries().size()];
    Set<Long> nonDelta = new HashSet<>();
    for (int i = 0; i < ranks.length; i++) {
      EncapsulatedMessage message = reader.dictionaryMessage(i);
      DictionaryBatchHeader header = (DictionaryBatchHeader) message.message().header();
      if (!header.delta() && !nonDelta.add(header.id())) {
        throw new MalformedInputException(
            "one non-delta batch of dictionary " + header.id() + " in a file",
            "a second one",
            message.place().withDetail("DictionaryBatch.id"));
      }
      ranks[i] = order.getOrDefault(header.id(), 0);
    }
    return IntStream.range(0, ranks.length)
        .boxed()
        .sorted(Comparator.comparingInt(i -> ranks[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /// Returns the indices of the dictionaries in the order in which to read them.
  int[] dictionaryOrder() {
    return dictionaryOrder;
  }

  /// Returns the end of the schema message, or [#DIFFERENT] if the file does not start as a
  /// canonical one does.
  long startByteSize() {
    return first != null
            && schema.endianness() == Endianness.LITTLE
            && isVerbatim(first)
            && file.asSlice(0, Framing.FILE_HEADER_BYTE_SIZE).mismatch(Framing.fileHeader()) < 0
        ? Framing.FILE_HEADER_BYTE_SIZE + (long) first.metaDataLength()
        : DIFFERENT;
  }

  /// Returns the start of a file that starts as a canonical one does, with the schema message.
  MemorySegment start() {
    return file.asSlice(0, startByteSize());
  }

  /// Returns whether every message can stay where it lies, at any position.
  boolean keepsMessages() {
    return keepsMessages(ANYWHERE);
  }

  /// Returns whether the file is canonical up to its last batch. Then each message can stay where
  /// it lies, and the messages are contiguous, in the order of a stream.
  boolean keepsAll() {
    long start = startByteSize();
    return start != DIFFERENT && keepsMessages(start);
  }

  Schema schema() {
    return schema;
  }

  /// Writes the schema, unchanged if it is canonical.
  void writeSchema(CanonicalWriter writer) throws IOException {
    if (first == null) {
      writer.writeSchema(schema);
    } else {
      writer.writeSchema(first);
    }
  }

  private boolean keepsMessages(long start) {
    if (schema.endianness() != Endianness.LITTLE) {
      return false;
    }
    try {
      long end = dictionariesEnd(start);
      return end != DIFFERENT && batchesFollow(end);
    } catch (InputException e) {
      // Ingestion rejects this message, after everything before it.
      return false;
    }
  }

  private long dictionariesEnd(long start) {
    DictionaryFields dictionaryFields = DictionaryFields.of(schema);
    Set<Long> missing = new HashSet<>(dictionaryFields.byId().keySet());
    long end = start;
    for (int i : dictionaryOrder) {
      EncapsulatedMessage message = reader.dictionaryMessage(i);
      DictionaryBatchHeader header = (DictionaryBatchHeader) message.message().header();
      Field values = dictionaryFields.values(header.id());
      if (values == null
          || header.delta()
          || !missing.remove(header.id())
          || !follows(message, end)
          || !isVerbatim(message, header.data(), List.of(values))) {
        return DIFFERENT;
      }
      end = next(message, end);
    }
    // Without batches, a file may omit all dictionaries.
    boolean complete = missing.isEmpty() || dictionaryOrder.length == 0 && reader.batchCount() == 0;
    return complete ? end : DIFFERENT;
  }

  private boolean batchesFollow(long start) {
    boolean optimized = uploadOptions.batches() == UploadOptions.BatchSizes.OPTIMIZED;
    boolean smallBefore = false;
    long end = start;
    for (int i = 0; i < reader.batchCount(); i++) {
      EncapsulatedMessage message = reader.batchMessage(i);
      RecordBatchHeader header = (RecordBatchHeader) message.message().header();
      long bodyLength = message.message().bodyLength();
      boolean small = bodyLength < BatchCoalescer.SMALL_BODY_BYTE_SIZE;
      boolean resized =
          optimized && (small && smallBefore || bodyLength > BatchSplitter.LARGE_BODY_BYTE_SIZE);
      if (resized || !follows(message, end) || !isVerbatim(message, header, schema.fields())) {
        return false;
      }
      smallBefore = small;
      end = next(message, end);
    }
    return true;
  }

  private boolean isVerbatim(
      EncapsulatedMessage message, RecordBatchHeader header, List<Field> fields) {
    return isVerbatim(message)
        && uploadOptions.codec().of(BodyCodecs.of(header)) == BodyCodecs.of(header)
        && CanonicalBody.isCanonical(fields, header, message.message().bodyLength());
  }

  /// Returns whether prefix and metadata are written as they arrived.
  private static boolean isVerbatim(EncapsulatedMessage message) {
    return CanonicalWriter.isCanonical(message) && CanonicalWriter.isFramed(message);
  }

  private static boolean follows(EncapsulatedMessage message, long end) {
    return end == ANYWHERE || message.byteOffset() == end;
  }

  private static long next(EncapsulatedMessage message, long end) {
    return end == ANYWHERE ? ANYWHERE : message.block().end();
  }
}
