package dev.quiver.dataset.ingest;

import dev.quiver.columnar.Endianness;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.file.CanonicalWriter;
import dev.quiver.input.InputException;
import dev.quiver.ipc.BodyCodecs;
import dev.quiver.ipc.DictionaryFields;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.FileReader;
import dev.quiver.ipc.Framing;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.transform.BatchCoalescer;
import dev.quiver.transform.BatchSplitter;
import dev.quiver.transform.CanonicalBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A received file, and the decision whether its messages can be stored byte for byte where they
/// lie. The decision needs only metadata, and is made before anything is written.
///
/// The messages can stay if [CanonicalWriter] would copy each of them. Each message must be
/// canonical, and each dictionary must occur once, before those that refer to it. No batch may need
/// to be split, coalesced or recompressed.
final class VerbatimFile {

  /// The end of the previous message if messages may lie anywhere.
  private static final long ANYWHERE = -1;

  /// The end of a part that cannot be stored unchanged.
  static final long DIFFERENT = -2;

  private final MemorySegment file;
  private final FileReader reader;
  private final Schema schema;
  private final @Nullable EncapsulatedMessage first;
  private final int[] dictionaryOrder;
  private final UploadOptions uploadOptions;

  /// @param first the schema message that follows the magic, or null if absent
  /// @param dictionaryOrder the order in which the dictionaries are read
  VerbatimFile(
      MemorySegment file,
      FileReader reader,
      @Nullable EncapsulatedMessage first,
      int[] dictionaryOrder,
      UploadOptions uploadOptions) {
    this.file = file;
    this.reader = reader;
    this.schema = reader.footer().schema();
    this.first = first;
    this.dictionaryOrder = dictionaryOrder;
    this.uploadOptions = uploadOptions;
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
