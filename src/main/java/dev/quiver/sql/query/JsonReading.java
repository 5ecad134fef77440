package dev.quiver.sql.query;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LimitedSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageEncoder;
import dev.quiver.arrow.transform.AppendedTypes;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.json.JsonColumns;
import dev.quiver.formats.json.JsonFile;
import dev.quiver.formats.json.JsonOptions;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.worker.RunRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The statements that read one file of JSON, in order, by one worker.
final class JsonReading {

  /// The bytes at both ends of a file that are looked at.
  private static final int ENDS_BYTE_SIZE = 4096;

  private final WorkerLease lease;
  private final Path file;
  private final JsonFile json;
  private final Path scratchFolder;
  private final Limits limits;

  /// The schema of the dataset to which the rows are appended, or null.
  private final @Nullable Schema dataset;

  private final List<String> warnings = new ArrayList<>();

  /// @param file in the worker's folder
  /// @param dataset the schema of the dataset to which the rows are appended, or null
  JsonReading(
      WorkerLease lease,
      Path file,
      JsonOptions options,
      Path scratchFolder,
      Limits limits,
      @Nullable Schema dataset) {
    this.lease = lease;
    this.file = file;
    this.json = new JsonFile(file.toString(), options);
    this.scratchFolder = scratchFolder;
    this.limits = limits;
    this.dataset = dataset;
  }

  /// Returns the rows of the file as an IPC stream.
  ByteSource begin() throws IOException {
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
    return stream(columns);
  }

  /// Returns sentences about what the rows lack of the file.
  List<String> warnings() {
    return warnings;
  }

  /// Returns the error with the row of its value if the engine reports no line.
  ///
  /// @param sql the statement that finds the row, or null
  private ForeignDataException located(ForeignDataException error, @Nullable String sql) {
    try {
      return sql == null ? error : result(sql, error::located, _ -> error);
    } catch (IOException | RuntimeException e) {
      return error;
    }
  }

  private ByteSource stream(JsonColumns columns) throws IOException {
    String sql = json.sql(columns);
    Schema schema = dataset == null ? null : schema(sql, json::error);
    return stream(
        sql,
        /* ordered= */ true,
        schema == null || dataset == null
            ? null
            : AppendedTypes.of(schema, schema, dataset).schema(),
        message -> {
          ForeignDataException error = json.error(message, columns);
          return located(error, json.rowSql(error, columns));
        });
  }

  /// Returns the schema of a statement's result.
  private Schema schema(String sql, Function<String, RuntimeException> error) throws IOException {
    ByteSource limited =
        limited(stream("FROM (" + sql + ") LIMIT 0", /* ordered= */ false, null, error));
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
    ByteSource limited = limited(stream(sql, /* ordered= */ false, null, error));
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

  /// @param schema to which the columns are cast, or null
  private ByteSource stream(
      String sql,
      boolean ordered,
      @Nullable Schema schema,
      Function<String, RuntimeException> error) {
    MemorySegment metadata =
        schema == null
            ? MemorySegment.NULL
            : MemorySegment.ofArray(MessageEncoder.encode(Message.of(schema)));
    return lease.stream(new RunRequest(sql, ordered, List.of(), List.of(), metadata), error);
  }
}
