package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.text.CellText;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.transform.InvalidCastException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.BatchStream;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.file.UploadedMessages;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.SchemaDifference;
import dev.quiver.store.version.SchemaMismatchException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rows of an upload in the types of the dataset to which they are appended. Used by one
/// thread.
final class ConvertedRows implements FileBatchReader {

  /// A column that the upload lacks.
  private static final Field NONE = Field.of("", /* nullable= */ true, new ArrowType.Null());

  private final DatasetName name;
  private final ColumnCasts columns;
  private final WrittenFile uploaded;
  private final UploadedMessages messages;
  private final RecordBatchReader reader;
  private final ScratchMemory dictionaryMemory;
  private final ScratchMemory memory;
  private final Arena dictionaryArena = Arena.ofConfined();
  private Arena arena = Arena.ofConfined();
  private int nextBatch;
  private long rowCount;

  private ConvertedRows(
      DatasetName name,
      ColumnCasts columns,
      WrittenFile uploaded,
      UploadedMessages messages,
      Path scratchFolder) {
    this.name = name;
    this.columns = columns;
    this.uploaded = uploaded;
    this.messages = messages;
    this.reader = new RecordBatchReader(uploaded.schema(), Limits.ACCEPTED);
    this.dictionaryMemory = new ScratchMemory(scratchFolder);
    this.memory = new ScratchMemory(scratchFolder);
  }

  /// Writes the rows to another blob of the transaction.
  ///
  /// @param name the name of the dataset
  /// @param uploaded a file in a blob of the transaction
  /// @throws SchemaMismatchException if a value has no equal one in the type of its column
  static WrittenFile write(
      DatasetName name,
      ColumnCasts columns,
      WrittenFile uploaded,
      BlobStore store,
      DatasetOptions options,
      WriteTransaction transaction)
      throws IOException {
    UploadedMessages messages =
        UploadedMessages.of(transaction.upload(uploaded.key()), uploaded, options.limits());
    ConvertedRows rows =
        new ConvertedRows(name, columns, uploaded, messages, store.scratchFolder());
    long byteSize = uploaded.version().file().byteSize();
    try (BatchStream stream =
        new BatchStream(
            columns.schema(),
            rows,
            /* valid= */ false,
            rowByteSize -> BatchStream.requireRatio(rowByteSize, byteSize, options.limits()),
            rows::close)) {
      rows.readDictionaries();
      return Ingest.ingest(
          () -> new UploadData.Batches(stream, Long.MAX_VALUE),
          new UploadOptions(
              UploadOptions.BatchSizes.PRESERVED,
              new RequestedCodec(uploaded.version().file().codec())),
          store,
          options,
          transaction,
          // The upload has caused the same.
          new Warnings());
    }
  }

  private void readDictionaries() throws IOException {
    for (Map.Entry<Long, Block> dictionary : uploaded.dictionaries().entrySet()) {
      Block block = dictionary.getValue();
      MemorySegment body = messages.body(block, dictionaryArena, dictionaryMemory);
      var _ = reader.readDictionary(messages.message(block, 0), body, dictionaryMemory);
    }
  }

  @Override
  public @Nullable RecordBatch next() throws IOException {
    if (nextBatch == uploaded.recordBatches().size()) {
      return null;
    }
    arena.close();
    arena = Arena.ofConfined();
    memory.reset();
    Block block = uploaded.recordBatches().get(nextBatch++);
    MemorySegment body = messages.body(block, arena, memory);
    RecordBatch batch = reader.readBatch(messages.message(block, nextBatch), body, memory);
    List<ArrayData> cast = new ArrayList<>();
    for (int i = 0; i < columns.casts().size(); i++) {
      cast.add(column(batch, i));
    }
    rowCount += batch.length();
    return new RecordBatch(columns.schema(), batch.length(), cast, batch.customMetadata());
  }

  private ArrayData column(RecordBatch batch, int index) {
    int source = columns.sources().get(index);
    Cast cast = columns.casts().get(index);
    ArrayData column =
        source >= 0
            ? batch.columns().get(source)
            : new ArrayData(NONE, batch.length(), batch.length(), List.of(), List.of(), null);
    if (cast == null) {
      return column;
    }
    Field field = columns.schema().fields().get(index);
    try {
      ArrayData converted = cast.apply(column, memory);
      return new ArrayData(
          field,
          converted.length(),
          converted.nullCount(),
          converted.buffers(),
          converted.children(),
          converted.dictionary());
    } catch (InvalidCastException e) {
      throw lost(field, cast, column, e);
    }
  }

  private SchemaMismatchException lost(
      Field field, Cast cast, ArrayData column, InvalidCastException failure) {
    long slot = Casts.firstInvalid(cast, column, memory);
    String value = new CellText(column, TextOptions.DEFAULT).get(slot);
    String found = "%s in row %d".formatted(value == null ? "null" : value, rowCount + slot + 1);
    String expected =
        failure.value() == null && value != null
            ? failure.expected()
            : "a value of " + field.withDictionary(null).describeType();
    return new SchemaMismatchException(
        name,
        List.of(new SchemaDifference(field.name(), SchemaDifference.Aspect.VALUE, expected, found)),
        1);
  }

  @Override
  public void close() throws IOException {
    try (dictionaryMemory;
        memory) {
      arena.close();
      dictionaryArena.close();
    }
  }
}
