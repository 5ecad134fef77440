package dev.quiver.dataset.ingest;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.dataset.file.CanonicalWriter;
import dev.quiver.ipc.BodyCodecs;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.Framing;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.storage.BlobStore;
import dev.quiver.transform.BatchJoiner;
import dev.quiver.transform.BatchSplitter;
import dev.quiver.transform.BodyForm;
import dev.quiver.transform.CanonicalBody;
import dev.quiver.transform.DictionaryUnifier;
import dev.quiver.transform.RowRange;
import dev.quiver.validate.Level;
import dev.quiver.validate.Validator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes in the record batches of an upload: those of a size that suits readers as they came, of
/// larger ones parts, of runs of smaller ones what they make together.
///
/// Which batches are large or small, their bodies as they came decide, since that is known before
/// they are read; how large parts and joined batches get, their bytes without compression.
///
/// A batch that waits is read once, into the memory of those it waits with. When it turns out not
/// to fit, these are written, it stays where it is, and those that come next are read into the
/// other memory.
final class BatchIngester implements AutoCloseable {

  private final UploadOptions wanted;
  private final long batchByteSize;
  private final Level level;
  private final RecordBatchReader reader;
  private final DictionaryUnifier unifier;
  private final BodyIngester bodies;
  private final CanonicalWriter writer;
  private final DictionaryIngester dictionaries;
  private final ScratchMemory batchMemory;
  private final BatchJoiner waiting;
  private final Warnings warnings;
  private ScratchMemory waitingMemory;

  /// Where the first that waits may be, alone.
  private ScratchMemory firstMemory;

  private @Nullable Small first;
  private Codec waitingCodec = Codec.NONE;
  private int waitingCount;
  private long waitingMetadataByteSize;

  BatchIngester(
      UploadOptions wanted,
      DatasetOptions options,
      RecordBatchReader reader,
      DictionaryUnifier unifier,
      BodyIngester bodies,
      CanonicalWriter writer,
      DictionaryIngester dictionaries,
      BlobStore store,
      Warnings warnings) {
    this.warnings = warnings;
    this.wanted = wanted;
    this.batchByteSize = options.batchBytes();
    this.level = level(options.level(), reader);
    this.reader = reader;
    this.unifier = unifier;
    this.bodies = bodies;
    this.writer = writer;
    this.dictionaries = dictionaries;
    this.batchMemory = new ScratchMemory(store.scratchFolder());
    this.waitingMemory = new ScratchMemory(store.scratchFolder());
    this.firstMemory = new ScratchMemory(store.scratchFolder());
    this.waiting = new BatchJoiner(batchByteSize);
  }

  /// Takes in a record batch.
  ///
  /// @param index of the batch among those of the upload
  /// @param body from where its bytes are read, as many as the message says
  void take(EncapsulatedMessage message, RecordBatchHeader header, long index, ByteSource body)
      throws IOException {
    long bodyLength = message.message().bodyLength();
    boolean fitted =
        wanted.batches() == UploadOptions.BatchSizes.OPTIMIZED
            && CanonicalBody.isDisjoint(header, bodyLength);
    try (Arena batchArena = Arena.ofConfined()) {
      if (fitted && bodyLength < BatchJoiner.SMALL_BODY_BYTE_SIZE) {
        MemorySegment memory = waitingMemory.allocate(bodyLength, Framing.BODY_ALIGNMENT);
        takeSmall(message, header, index, bodies.read(message, body, memory, batchArena));
      } else {
        writeWaiting();
        boolean large = fitted && bodyLength > BatchSplitter.LARGE_BODY_BYTE_SIZE;
        takeOther(message, header, index, body, large, batchArena);
      }
    } finally {
      batchMemory.reset();
    }
  }

  /// Writes what waits to be joined with more.
  void writeWaiting() throws IOException {
    writeJoined();
    firstMemory.reset();
  }

  /// Writes what waits. What was read besides, into the same memory, lives on.
  private void writeJoined() throws IOException {
    Small small = first;
    if (small == null) {
      return;
    }
    begin();
    RecordBatch joined = waiting.join(batchMemory);
    if (waitingCount == 1 && small.form != BodyForm.REENCODED) {
      bodies.write(small.message, small.header, small.columns, small.body, small.form, batchMemory);
    } else {
      writer.writeBatch(
          EncodedBody.of(joined.length(), joined.columns(), waitingCodec, batchMemory),
          joined.customMetadata());
    }
    first = null;
    waitingCount = 0;
    waitingMetadataByteSize = 0;
    batchMemory.reset();
    firstMemory.reset();
    ScratchMemory reused = firstMemory;
    firstMemory = waitingMemory;
    waitingMemory = reused;
  }

  @Override
  public void close() throws IOException {
    try (batchMemory;
        ScratchMemory _ = waitingMemory) {
      firstMemory.close();
    }
  }

  private void takeSmall(
      EncapsulatedMessage message, RecordBatchHeader header, long index, MemorySegment body)
      throws IOException {
    RecordBatch batch = reader.readBatch(message, body, waitingMemory);
    validate(message, index, batch, MessageIngester.LEVEL);
    List<ArrayData> columns = unifier.rewritten(batch.columns(), waitingMemory);
    RecordBatch unified =
        new RecordBatch(unifier.schema(), batch.length(), columns, batch.customMetadata());
    Codec codec = wanted.codec().of(BodyCodecs.of(header));
    boolean alike =
        waitingCodec == codec
            && waitingMetadataByteSize + message.metaDataLength() <= BatchJoiner.METADATA_BYTE_SIZE;
    if (waitingCount > 0 && !(alike && waiting.add(unified))) {
      writeJoined();
    }
    if (waitingCount == 0) {
      waiting.add(unified);
      BodyForm form = bodies.form(message, header, reader.schema().fields());
      first = new Small(message, header, batch.columns(), body, form);
      waitingCodec = codec;
    }
    waitingCount++;
    waitingMetadataByteSize += message.metaDataLength();
  }

  private void takeOther(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      long index,
      ByteSource body,
      boolean large,
      Arena batchArena)
      throws IOException {
    begin();
    BodyForm form = bodies.form(message, header, reader.schema().fields());
    boolean copied = form == BodyForm.VERBATIM && !large;
    MemorySegment read =
        copied
            ? bodies.copy(message, body, bodies.memory(message), batchArena)
            : bodies.read(message, body, bodies.memory(message), batchArena);
    RecordBatch batch = reader.readBatch(message, read, batchMemory);
    boolean asItIs = !large && form != BodyForm.REENCODED;
    validate(message, index, batch, asItIs ? level : MessageIngester.LEVEL);
    if (large) {
      writeParts(message, header, batch, read, form);
    } else if (!copied) {
      bodies.write(message, header, batch.columns(), read, form, batchMemory);
    }
  }

  private void writeParts(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      RecordBatch batch,
      MemorySegment body,
      BodyForm form)
      throws IOException {
    List<RowRange> ranges = BatchSplitter.split(batch, batchByteSize);
    if (ranges.size() == 1) {
      bodies.write(message, header, batch.columns(), body, form, batchMemory);
      return;
    }
    for (RowRange range : ranges) {
      RecordBatch part = range.of(batch, waitingMemory);
      List<ArrayData> columns = unifier.rewritten(part.columns(), waitingMemory);
      writer.writeBatch(
          EncodedBody.of(
              part.length(), columns, wanted.codec().of(BodyCodecs.of(header)), waitingMemory),
          part.customMetadata());
      waitingMemory.reset();
    }
  }

  /// How far batches are checked whose values nothing looks at. With dictionaries that cannot be
  /// said before the end: when one outgrows its indices, all batches are written again.
  private static Level level(Level wanted, RecordBatchReader reader) {
    return wanted == Level.VALUES || !reader.dictionaryFields().byId().isEmpty()
        ? MessageIngester.LEVEL
        : wanted;
  }

  /// Before the first batch, readers want all dictionaries.
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

  /// A batch that waits.
  ///
  /// @param columns as they came
  /// @param form by the dictionaries as they were when it came
  private record Small(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      List<ArrayData> columns,
      MemorySegment body,
      BodyForm form) {}
}
