package dev.quiver.store.write;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.text.CellText;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.transform.InvalidCastException;
import dev.quiver.arrow.transform.RowRange;
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
import dev.quiver.store.version.SchemaMismatchException.Remedy;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rows of an upload in the types of the dataset to which they are appended. A batch is split
/// if its values are too large for an array of a type, such as text of more than 2 GiB for `utf8`.
/// Used by one thread.
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
  private final ScratchMemory convertedMemory;
  private final Arena dictionaryArena = Arena.ofConfined();
  private Arena arena = Arena.ofConfined();
  private int nextBatch;
  private long rowCount;

  /// The batch that was read last, or null before the first.
  private @Nullable RecordBatch batch;

  /// The first row of the batch that was not returned yet.
  private long nextRow;

  /// The maximum number of its rows that are returned at once.
  private long maximumLength;

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
    this.convertedMemory = new ScratchMemory(scratchFolder);
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
    ConvertedRows rows = open(name, columns, uploaded, store, options, transaction);
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

  /// Returns whether all values have equal ones in the types of their columns. Nothing is written.
  ///
  /// @param uploaded a file in a blob of the transaction
  static boolean converts(
      DatasetName name,
      ColumnCasts columns,
      WrittenFile uploaded,
      BlobStore store,
      DatasetOptions options,
      WriteTransaction transaction)
      throws IOException {
    try (ConvertedRows rows = open(name, columns, uploaded, store, options, transaction)) {
      Cancellation cancellation = Cancellation.current();
      rows.readDictionaries();
      while (rows.next() != null) {
        cancellation.throwIfRequested();
      }
      return true;
    } catch (SchemaMismatchException | InvalidDataException | TooLargeInputException e) {
      return false;
    }
  }

  private static ConvertedRows open(
      DatasetName name,
      ColumnCasts columns,
      WrittenFile uploaded,
      BlobStore store,
      DatasetOptions options,
      WriteTransaction transaction)
      throws IOException {
    UploadedMessages messages =
        UploadedMessages.of(transaction.upload(uploaded.key()), uploaded, options.limits());
    return new ConvertedRows(name, columns, uploaded, messages, store.scratchFolder());
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
    convertedMemory.reset();
    RecordBatch current = batch;
    if (current == null || nextRow == current.length()) {
      if (nextBatch == uploaded.recordBatches().size()) {
        return null;
      }
      current = read();
      batch = current;
      nextRow = 0;
      maximumLength = current.length();
    }
    while (true) {
      long allocatedBefore = allocatedByteSize;
      RowRange range = new RowRange(nextRow, Math.min(maximumLength, current.length() - nextRow));
      try {
        RecordBatch converted = converted(current, range);
        nextRow += range.length();
        rowCount += range.length();
        return converted;
      } catch (InvalidCastException e) {
        // Of fewer rows, the values fit into one array.
        maximumLength = Math.ceilDiv(range.length(), 2);
        allocatedByteSize = allocatedBefore;
        convertedMemory.reset();
      }
    }
  }

  private RecordBatch read() throws IOException {
    arena.close();
    arena = Arena.ofConfined();
    memory.reset();
    Block block = uploaded.recordBatches().get(nextBatch++);
    MemorySegment body = messages.body(block, arena, memory);
    EncapsulatedMessage message = messages.message(block, nextBatch);
    RecordBatch read = reader.readBatch(message, body, memory);
    if (!isValid) {
      requireValid(Validator.validate(read, Level.VALUES), message);
    }
    return read;
  }

  /// @throws InvalidCastException if the values of several rows are too large for one array
  private RecordBatch converted(RecordBatch whole, RowRange range) {
    RecordBatch rows =
        range.length() == whole.length() ? whole : range.of(whole, convertedMemory::allocate);
    List<ArrayData> cast = new ArrayList<>();
    for (int i = 0; i < columns.casts().size(); i++) {
      cast.add(column(rows, i));
    }
    return new RecordBatch(columns.schema(), rows.length(), cast, rows.customMetadata());
  }

  private ArrayData column(RecordBatch rows, int index) {
    int source = columns.sources().get(index);
    Cast cast = columns.casts().get(index);
    ArrayData column =
        source >= 0
            ? rows.columns().get(source)
            : new ArrayData(NONE, rows.length(), rows.length(), List.of(), List.of(), null);
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
      if (e.isTooLarge() && rows.length() > 1) {
        throw e;
      }
      throw lost(field, cast, column, e);
    }
  }

  /// Allocates memory for converted values, after a check that it is no more than they may take: a
  /// few bytes can state billions of nulls, or the same value again and again.
  private MemorySegment allocate(long byteSize, long alignment) {
    allocatedByteSize += byteSize;
    BatchStream.requireRatio(
        allocatedByteSize, uploaded.version().file().byteSize(), messages.limits());
    return convertedMemory.allocate(byteSize, alignment);
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
        Remedy.DATA);
  }

  @Override
  public void close() throws IOException {
    try (dictionaryMemory;
        memory;
        convertedMemory) {
      arena.close();
      dictionaryArena.close();
    }
  }
}
