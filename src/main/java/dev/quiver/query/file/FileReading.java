package dev.quiver.query.file;

import dev.quiver.cast.AppendedTypes;
import dev.quiver.cast.StoredTypes;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.JsonColumns;
import dev.quiver.foreign.JsonFile;
import dev.quiver.foreign.JsonOptions;
import dev.quiver.foreign.parquet.ParquetExport;
import dev.quiver.foreign.parquet.ParquetFile;
import dev.quiver.foreign.parquet.ParquetSchema;
import dev.quiver.input.Limits;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.LimitedSource;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageEncoder;
import dev.quiver.metadata.MessageHeader;
import dev.quiver.metadata.MetadataVersion;
import dev.quiver.query.execution.ResultBatches;
import dev.quiver.query.execution.WorkerLease;
import dev.quiver.worker.protocol.RunRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The statements that read one file, in order, by one worker.
final class FileReading {

  /// The bytes at both ends of a file that are looked at.
  private static final int ENDS_BYTE_SIZE = 4096;

  private final WorkerLease lease;
  private final Path file;
  private final Path scratchFolder;
  private final Limits limits;
  private final int threadCount;
  private final BooleanSupplier wanted;

  /// The schema of the dataset to which the rows are appended, or null.
  private final @Nullable Schema dataset;

  private final List<String> warnings = new ArrayList<>();
  private @Nullable Long rowCount;

  /// @param file in the worker's folder
  /// @param threadCount the maximum number of statements that read the rows at a time
  /// @param dataset the schema of the dataset to which the rows are appended, or null
  /// @param wanted returns whether the rows are still wanted
  FileReading(
      WorkerLease lease,
      Path file,
      Path scratchFolder,
      Limits limits,
      int threadCount,
      @Nullable Schema dataset,
      BooleanSupplier wanted) {
    this.lease = lease;
    this.file = file;
    this.scratchFolder = scratchFolder;
    this.limits = limits;
    this.threadCount = threadCount;
    this.dataset = dataset;
    this.wanted = wanted;
  }

  /// Returns the rows of the file as an IPC stream.
  ByteSource begin(FileOptions.ReadByWorker format) throws IOException {
    return switch (format) {
      case FileOptions.Json(JsonOptions options) -> json(new JsonFile(file.toString(), options));
      case FileOptions.Parquet() -> parquet(new ParquetFile(file.toString()));
    };
  }

  /// Returns sentences about what the rows lack of the file.
  List<String> warnings() {
    return warnings;
  }

  /// Returns the rows that the file says to have, or null if unknown.
  @Nullable Long rowCount() {
    return rowCount;
  }

  /// Returns the error with the row of its value if the engine does not tell a line.
  ///
  /// @param sql the statement that finds the row, or null
  private ForeignDataException located(ForeignDataException error, @Nullable String sql) {
    try {
      return sql == null ? error : result(sql, error::located, _ -> error);
    } catch (IOException | RuntimeException e) {
      return error;
    }
  }

  private ByteSource json(JsonFile json) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      JsonFile.requireWhole(start(channel), end(channel));
    }
    JsonColumns columns = result(json.columnsSql(), json::columns, json::error);
    String objectsSql = json.objectsSql(columns);
    if (objectsSql != null) {
      result(objectsSql, JsonFile::requireObjects, json::error);
    }
    if (dataset != null) {
      List<Field> read =
          columns.hasNested(dataset) ? schema(json.sql(columns), json::error).fields() : List.of();
      columns = json.appendedTo(dataset, columns, read);
    }
    String valuesSql = json.valuesSql(columns);
    if (valuesSql != null) {
      columns = result(valuesSql, columns::exact, json::error);
      warnings.addAll(columns.warnings());
    }
    return stream(json, columns);
  }

  private ByteSource stream(JsonFile json, JsonColumns columns) throws IOException {
    String sql = json.sql(columns);
    Schema schema = dataset == null ? null : schema(sql, json::error);
    return rows(
        List.of(sql),
        schema == null || dataset == null
            ? null
            : AppendedTypes.of(schema, schema, dataset).schema(),
        message -> {
          ForeignDataException error = json.error(message, columns);
          return located(error, json.rowSql(error, columns));
        });
  }

  private ByteSource parquet(ParquetFile parquet) throws IOException {
    ParquetSchema schema = result(parquet.schemaSql(), parquet::schema, parquet::error);
    schema
        .coarseTimestamps()
        .forEach(column ->
            warnings.add(
                "Column %s has 96-bit timestamps, rounded to microseconds".formatted(column)));
    Schema stored =
        result(parquet.arrowSchemaSql(), batches -> stored(parquet, batches), parquet::error);
    Schema read = schema(parquet.sql(), parquet::error);
    StoredTypes types = StoredTypes.of(read, names(schema, stored), stored);
    AppendedTypes appended =
        dataset == null ? null : AppendedTypes.of(read, types.schema(), dataset);
    Set<String> converted = appended == null ? Set.of() : appended.names();
    types.keptColumns().stream()
        .filter(column -> !converted.contains(column))
        .forEach(column ->
            warnings.add(
                "Column %s does not have the Arrow type that the file states".formatted(column)));
    types.unorderedColumns().stream()
        .filter(column -> !converted.contains(column))
        .forEach(column ->
            warnings.add(
                "Column %s has a dictionary without the order of its values".formatted(column)));
    List<String> statements =
        result(
            parquet.costsSql(),
            costs -> {
              rowCount = parquet.rowCount(costs);
              return parquet.statements(schema, costs, threadCount);
            },
            parquet::error);
    return rows(statements, appended == null ? types.schema() : appended.schema(), parquet::error);
  }

  /// Returns the names of the columns: those of the stored schema, if the file has them as distinct
  /// ones.
  private static List<String> names(ParquetSchema schema, @Nullable Schema stored) {
    return stored != null && ParquetExport.names(stored).equals(schema.names())
        ? stored.fields().stream().map(Field::name).toList()
        : schema.names();
  }

  /// Returns the Arrow schema that a file states, or null.
  private @Nullable Schema stored(ParquetFile parquet, List<RecordBatch> result) {
    Schema stored = parquet.arrowSchema(result, limits);
    if (stored == null && parquet.hasArrowSchema(result)) {
      warnings.add("The file states Arrow types that are not of the Arrow format");
    }
    return stored;
  }

  /// Returns the schema of a statement's result.
  private Schema schema(String sql, Function<String, RuntimeException> error) throws IOException {
    ByteSource limited = limited(stream("FROM (" + sql + ") LIMIT 0", null, error));
    try (ResultBatches batches = ResultBatches.of(limited, scratchFolder)) {
      batches.all();
      discard(limited);
      return batches.schema();
    }
  }

  /// Runs a statement with a short result.
  ///
  /// @param reader of all its batches
  private <T extends @Nullable Object> T result(
      String sql, Function<List<RecordBatch>, T> reader, Function<String, RuntimeException> error)
      throws IOException {
    ByteSource limited = limited(stream(sql, null, error));
    try (ResultBatches batches = ResultBatches.of(limited, scratchFolder)) {
      T read = reader.apply(batches.all());
      discard(limited);
      return read;
    }
  }

  /// Returns the first bytes that are not all blank.
  private static byte[] start(FileChannel channel) throws IOException {
    long byteOffset = 0;
    byte[] bytes = bytes(channel, byteOffset);
    while (bytes.length > 0 && JsonFile.isBlank(bytes)) {
      byteOffset += bytes.length;
      bytes = bytes(channel, byteOffset);
    }
    return bytes;
  }

  /// Returns the last bytes that are not all blank, with those after them.
  private static byte[] end(FileChannel channel) throws IOException {
    long byteOffset = Math.max(0, channel.size() - ENDS_BYTE_SIZE);
    byte[] bytes = bytes(channel, byteOffset);
    while (byteOffset > 0 && JsonFile.isBlank(bytes)) {
      byteOffset = Math.max(0, byteOffset - ENDS_BYTE_SIZE);
      bytes = bytes(channel, byteOffset);
    }
    return bytes;
  }

  /// Returns the bytes at an offset, as far as they decide on an end.
  private static byte[] bytes(FileChannel channel, long byteOffset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(ENDS_BYTE_SIZE);
    while (bytes.hasRemaining() && channel.read(bytes, byteOffset + bytes.position()) >= 0) {
      // Reads on.
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /// Reads to the end: the worker says that it is done after the end of the stream.
  static void discard(ByteSource rest) throws IOException {
    MemorySegment end = MemorySegment.ofArray(new byte[1]);
    while (rest.read(end) >= 0) {
      // Discarded.
    }
  }

  private ByteSource limited(ByteSource description) {
    return new LimitedSource(
        description, limits.metadataBytes(), "bytes in the description of a file");
  }

  /// Returns the metadata of a schema message.
  static MemorySegment metadata(Schema schema) {
    return MemorySegment.ofArray(
        MessageEncoder.encode(
            new Message(
                MetadataVersion.V5,
                new MessageHeader.SchemaHeader(schema),
                /* bodyLength= */ 0,
                Metadata.EMPTY)));
  }

  /// @param schema to which the columns are cast, or null
  private ByteSource stream(
      String sql, @Nullable Schema schema, Function<String, RuntimeException> error) {
    return stream(List.of(sql), /* ordered= */ false, schema, error);
  }

  /// Runs the statements that read all rows, in their order.
  ///
  /// @param statements with the columns of the file, one after the other
  /// @param schema to which the columns are cast, or null
  private ByteSource rows(
      List<String> statements, @Nullable Schema schema, Function<String, RuntimeException> error) {
    return stream(statements, /* ordered= */ true, schema, error);
  }

  private ByteSource stream(
      List<String> statements,
      boolean ordered,
      @Nullable Schema schema,
      Function<String, RuntimeException> error) {
    MemorySegment metadata = schema == null ? MemorySegment.NULL : metadata(schema);
    return lease.stream(
        new RunRequest(statements, ordered, List.of(), List.of(), metadata), wanted, error);
  }
}
