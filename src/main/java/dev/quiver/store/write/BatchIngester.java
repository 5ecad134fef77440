package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.transform.BatchCoalescer;
import dev.quiver.arrow.transform.BatchSplitter;
import dev.quiver.arrow.transform.BodyForm;
import dev.quiver.arrow.transform.CanonicalBody;
import dev.quiver.arrow.transform.DictionaryUnifier;
import dev.quiver.arrow.transform.RowRange;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.formats.BatchStream;
import dev.quiver.store.file.CanonicalWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An ingester of the record batches of an upload. Large batches are split, runs of small ones are
/// coalesced, and the others are stored as they arrived.
///
/// The body size as received decides which batches are large or small, because it is known before
/// they are read. The uncompressed size decides how large split and coalesced batches become.
///
/// Each batch is read once. Small ones are read into memory that they share with the batches they
/// wait for. Others are not read if they are in memory already.
final class BatchIngester implements AutoCloseable {

  private final UploadOptions uploadOptions;
  private final long batchByteSize;
  private final Level level;
  private final RecordBatchReader reader;
  private final @Nullable BatchStream stream;
  private final DictionaryUnifier unifier;
  private final BodyIngester bodies;
  private final CanonicalWriter writer;
  private final DictionaryIngester dictionaries;
  private final ScratchMemory batchMemory;
  private final AlternatingMemory waitingMemory;
  private final BatchCoalescer<IOException> coalescer;
  private final Warnings warnings;
  private final StatisticsCollector statistics;
  private @Nullable SmallBatch first;

  /// @param stream the record batches if they are in memory, or null
  BatchIngester(
      IngestContext context,
      RecordBatchReader reader,
      @Nullable BatchStream stream,
      DictionaryUnifier unifier,
      BodyIngester bodies,
      CanonicalWriter writer,
      DictionaryIngester dictionaries) {
    this.warnings = context.warnings();
    this.uploadOptions = context.uploadOptions();
    this.batchByteSize = context.options().batchBytes();
    this.level = level(context.options().level(), reader);
    this.reader = reader;
    this.stream = stream;
    this.unifier = unifier;
    this.bodies = bodies;
    this.writer = writer;
    this.dictionaries = dictionaries;
    this.batchMemory = new ScratchMemory(context.scratchFolder());
    this.waitingMemory = new AlternatingMemory(context.scratchFolder());
    this.statistics = new StatisticsCollector(context, writer, unifier);
    this.coalescer =
        new BatchCoalescer<>(batchByteSize, BatchCoalescer.METADATA_BYTE_SIZE, this::write);
  }

  /// Ingests a record batch.
  ///
  /// @param index the index of the batch in the upload
  /// @param body the source of exactly the bytes that the message declares
  void ingest(EncapsulatedMessage message, RecordBatchHeader header, long index, ByteSource body)
      throws IOException {
    long bodyLength = message.message().bodyLength();
    boolean resizable =
        uploadOptions.batches() == UploadOptions.BatchSizes.OPTIMIZED
            && CanonicalBody.isDisjoint(header, bodyLength);
    try (Arena batchArena = Arena.ofConfined()) {
      if (resizable && bodyLength < BatchCoalescer.SMALL_BODY_BYTE_SIZE) {
        MemorySegment memory = waitingMemory.scratch().allocate(bodyLength, Framing.BODY_ALIGNMENT);
        ingestSmall(
            message, header, index, bodies.read(message, body, memory, waitingMemory.arena()));
      } else {
        writeWaiting();
        boolean large = resizable && bodyLength > BatchSplitter.LARGE_BODY_BYTE_SIZE;
        ingestOther(message, header, index, body, large, batchArena);
      }
    } finally {
      batchMemory.reset();
    }
  }

  /// Writes the batches that wait to be coalesced.
  void writeWaiting() throws IOException {
    coalescer.flush();
    waitingMemory.reset();
  }

  private void write(BatchCoalescer.Run run) throws IOException {
    SmallBatch small = Objects.requireNonNull(first);
    begin();
    RecordBatch batch = run.concatenated(batchMemory);
    if (run.batches().size() == 1 && small.form != BodyForm.REENCODED) {
      bodies.write(small.message, small.header, small.columns, small.body, small.form, batchMemory);
    } else {
      writer.writeBatch(
          EncodedBody.of(batch.length(), batch.columns(), run.codec(), batchMemory),
          batch.customMetadata());
    }
    statistics.collect(batch.length(), batch.columns());
    batchMemory.reset();
    waitingMemory.alternate();
  }

  @Override
  public void close() throws IOException {
    try (batchMemory) {
      waitingMemory.close();
    }
  }

  private void ingestSmall(
      EncapsulatedMessage message, RecordBatchHeader header, long index, MemorySegment body)
      throws IOException {
    ScratchMemory memory = waitingMemory.scratch();
    RecordBatch batch = reader.readBatch(message, body, memory);
    validate(message, index, batch, MessageIngester.LEVEL);
    List<ArrayData> columns = unifier.rewritten(batch.columns(), memory);
    RecordBatch unified =
        new RecordBatch(unifier.schema(), batch.length(), columns, batch.customMetadata());
    coalescer.add(
        unified, uploadOptions.codec().of(BodyCodecs.of(header)), message.metaDataLength());
    if (coalescer.size() == 1) {
      BodyForm form = bodies.form(message, header, reader.schema().fields());
      first = new SmallBatch(message, header, batch.columns(), body, form);
    }
  }

  private void ingestOther(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      long index,
      ByteSource body,
      boolean large,
      Arena batchArena)
      throws IOException {
    begin();
    BodyForm arrived = bodies.form(message, header, reader.schema().fields());
    // Encoding a batch in memory gives the same bytes as copying its body.
    BodyForm form = stream == null ? arrived : BodyForm.REENCODED;
    boolean copied = form == BodyForm.VERBATIM && !large;
    MemorySegment read;
    RecordBatch batch;
    if (stream == null) {
      read =
          copied
              ? bodies.copy(message, body, bodies.memory(message), batchArena)
              : bodies.read(message, body, bodies.memory(message), batchArena);
      batch = reader.readBatch(message, read, batchMemory);
    } else {
      read = MemorySegment.NULL;
      batch = stream.batch();
    }
    boolean unchanged = !large && arrived != BodyForm.REENCODED;
    Level batchLevel = unchanged ? level : MessageIngester.LEVEL;
    if (stream == null || !stream.isValid()) {
      validate(message, index, batch, batchLevel);
    }
    List<RowRange> parts = large ? BatchSplitter.split(batch, batchByteSize) : List.of();
    if (parts.size() > 1) {
      writeParts(batch, parts, uploadOptions.codec().of(BodyCodecs.of(header)));
      return;
    }
    if (!copied) {
      bodies.write(message, header, batch.columns(), read, form, batchMemory);
    }
    if (batchLevel.compareTo(Level.VALUES) >= 0) {
      statistics.collectArrived(batch.length(), batch.columns(), batchMemory);
    }
  }

  private void writeParts(RecordBatch batch, List<RowRange> ranges, Codec codec)
      throws IOException {
    // No batch is waiting, so its memory is free.
    ScratchMemory memory = waitingMemory.scratch();
    for (RowRange range : ranges) {
      RecordBatch part = range.of(batch, memory);
      List<ArrayData> columns = unifier.rewritten(part.columns(), memory);
      writer.writeBatch(
          EncodedBody.of(part.length(), columns, codec, memory), part.customMetadata());
      statistics.collect(part.length(), columns);
      memory.reset();
    }
  }

  /// Returns the level at which batches that are copied are validated. With dictionaries, it is
  /// unknown until the end whether batches are copied: if a dictionary outgrows its indices, all
  /// batches are rewritten.
  private static Level level(Level configured, RecordBatchReader reader) {
    return configured == Level.VALUES || !reader.dictionaryFields().byId().isEmpty()
        ? MessageIngester.LEVEL
        : configured;
  }

  /// Writes the missing dictionaries before the first batch, because readers expect them there.
  private void begin() throws IOException {
    if (writer.batchCount() == 0) {
      dictionaries.writeMissing();
    }
  }

  private void validate(
      EncapsulatedMessage message, long index, RecordBatch batch, Level batchLevel) {
    warnings.addDomain(
        Validator.validate(batch, batchLevel),
        batchLevel,
        message.place().withDetail("record batch " + index));
  }

  /// A small batch that waits to be coalesced.
  ///
  /// @param columns the columns as they arrived
  /// @param form the form of its body, given the dictionaries at its arrival
  private record SmallBatch(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      List<ArrayData> columns,
      MemorySegment body,
      BodyForm form) {}
}
