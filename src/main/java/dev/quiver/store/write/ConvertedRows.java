package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
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
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
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
  private long allocatedByteSize;

  /// Whether the values were validated as they arrived.
  private final boolean isValid;

  private ConvertedRows(
      DatasetName name,
      ColumnCasts columns,
      WrittenFile uploaded,
      UploadedMessages messages,
      Path scratchFolder) {
    this.name = name;
    this.columns = columns;
    this.uploaded = uploaded;
    this.isValid = uploaded.version().file().level().compareTo(Level.VALUES) >= 0;
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
          // The findings of the upload are known already.
          new Warnings());
    }
  }

  private void readDictionaries() throws IOException {
    for (Map.Entry<Long, Block> dictionary : uploaded.dictionaries().entrySet()) {
      Block block = dictionary.getValue();
      MemorySegment body = messages.body(block, dictionaryArena, dictionaryMemory);
      EncapsulatedMessage message = messages.message(block, 0);
      ArrayData values = reader.readDictionary(message, body, dictionaryMemory);
      if (!isValid) {
        requireValid(Validator.validateDictionary(values, Level.VALUES, ""), message);
      }
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
    EncapsulatedMessage message = messages.message(block, nextBatch);
    RecordBatch batch = reader.readBatch(message, body, memory);
    if (!isValid) {
      requireValid(Validator.validate(batch, Level.VALUES), message);
    }
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
      ArrayData converted = cast.apply(column, this::allocate);
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

  /// Allocates memory for converted values, after a check that it is no more than they may take: a
  /// few bytes can state billions of nulls, or the same value again and again.
  private MemorySegment allocate(long byteSize, long alignment) {
    allocatedByteSize += byteSize;
    BatchStream.requireRatio(
        allocatedByteSize, uploaded.version().file().byteSize(), messages.limits());
    return memory.allocate(byteSize, alignment);
  }

  private static void requireValid(List<Finding> findings, EncapsulatedMessage message) {
    if (!findings.isEmpty()) {
      throw new InvalidDataException(findings, message.place());
    }
  }

  private SchemaMismatchException lost(
      Field field, Cast cast, ArrayData column, InvalidCastException failure) {
    long slot = Casts.firstInvalid(cast, column, this::allocate);
    String value = new CellText(column, TextOptions.DEFAULT).get(slot);
    String found = "%s in row %d".formatted(value == null ? "null" : value, rowCount + slot + 1);
    String expected =
        failure.value() == null && value != null
            ? failure.expected()
            : "a value of " + field.withDictionary(null).describeType();
    return new SchemaMismatchException(
        name,
        List.of(new SchemaDifference(field.name(), SchemaDifference.Aspect.VALUE, expected, found)),
        1,
        /* lacksColumns= */ false);
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
