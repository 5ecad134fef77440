package dev.quiver.foreign.parquet;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.SqlLiterals;
import dev.quiver.input.InputException;
import dev.quiver.input.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.Sha256;
import dev.quiver.metadata.MessageDecoder;
import dev.quiver.metadata.MessageHeader.SchemaHeader;
import java.lang.foreign.MemorySegment;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A Parquet file, and the statements that read it.
///
/// [#schemaSql] and [#arrowSchemaSql] come before [#sql]: the file may have what the engine would
/// lose, and may say which types its columns had in Arrow.
///
/// @param path the file, as the engine names it
public record ParquetFile(String path) {

  static final String ARROW_SCHEMA = "ARROW:schema";

  /// The key of the exact schema in files of our own.
  static final String EXACT_SCHEMA = "QUIVER:schema";

  static final int CONTINUATION = -1;

  /// The number up to which a sum of rows is exact.
  private static final double ROW_COUNT_MAXIMUM = 1L << 53;

  /// Returns the statement about the file's schema, whose result [#schema] reads.
  public String schemaSql() {
    return "SELECT name, num_children::BIGINT, type, precision::BIGINT FROM parquet_schema(%s) ORDER BY column_id"
        .formatted(SqlLiterals.literal(path));
  }

  /// Returns the statement for the Arrow schemas that the writer stored, whose result
  /// [#arrowSchema] reads.
  public String arrowSchemaSql() {
    return "SELECT key, value FROM parquet_kv_metadata(%s) WHERE key IN (%s::BLOB, %s::BLOB)"
        .formatted(
            SqlLiterals.literal(path),
            SqlLiterals.literal(ARROW_SCHEMA),
            SqlLiterals.literal(EXACT_SCHEMA));
  }

  /// Returns the statement that reads all rows.
  public String sql() {
    return "SELECT *" + reader();
  }

  private String reader() {
    return " FROM read_parquet(%s, hive_partitioning = false, union_by_name = false, filename = false)"
        .formatted(SqlLiterals.literal(path));
  }

  /// Returns the statement about what reading each sequence of values costs, and about its rows,
  /// whose result [#statements] and [#rowCount] read.
  public String costsSql() {
    // A value takes time of its own, beside that of its bytes; one of text more than others.
    return """
    SELECT column_id::BIGINT, sum(total_uncompressed_size::DOUBLE
      + num_values * CASE WHEN type = 'BYTE_ARRAY' THEN 16 ELSE 4 END),
      sum(row_group_num_rows::DOUBLE)
    FROM parquet_metadata(%s) GROUP BY column_id
    """
        .formatted(SqlLiterals.literal(path));
  }

  /// Returns statements that together do what [#sql] does: each reads the same rows and some of the
  /// columns, one after the other, and costs about the same. It is one statement if columns have
  /// the same name.
  ///
  /// @param costs all batches of the result of [#costsSql]
  /// @param count the maximum number of statements
  public List<String> statements(ParquetSchema schema, List<RecordBatch> costs, int count) {
    if (!schema.hasDistinctNames() || count == 1) {
      return List.of(sql());
    }
    return schema.groups(costs, count).stream()
        .map(group ->
            group.stream()
                .map(SqlLiterals::identifier)
                .collect(Collectors.joining(", ", "SELECT ", reader())))
        .toList();
  }

  /// Returns the rows that the file says to have, or null if it has none or says nonsense.
  ///
  /// @param costs all batches of the result of [#costsSql]
  public @Nullable Long rowCount(List<RecordBatch> costs) {
    for (RecordBatch batch : costs) {
      Array.FixedWidth rowCounts = (Array.FixedWidth) Array.of(batch.columns().get(2));
      // Each sequence of values is a part of all row groups.
      double count = rowCounts.isNull(0) ? 0 : rowCounts.floatingPoint(0);
      return count >= 1 && count <= ROW_COUNT_MAXIMUM ? (long) count : null;
    }
    return null;
  }

  /// Returns the schema in the result of [#schemaSql].
  ///
  /// @throws ForeignDataException if the engine would read a column with a loss
  public ParquetSchema schema(List<RecordBatch> result) {
    return ParquetSchema.of(result);
  }

  /// Returns the schema in the result of [#arrowSchemaSql], or null if the file has none that can
  /// be read. The data itself has all that is needed without it.
  ///
  /// Of a file of our own, that is the exact one. A tool that writes the data again may keep it,
  /// though it is no longer that of the data, but not the schema beside it for all readers.
  public @Nullable Schema arrowSchema(List<RecordBatch> result, Limits limits) {
    String stored = value(result, ARROW_SCHEMA);
    String exact = value(result, EXACT_SCHEMA);
    if (stored == null) {
      return null;
    }
    String prefix = exactPrefix(stored);
    return decode(
        exact != null && exact.startsWith(prefix) ? exact.substring(prefix.length()) : stored,
        limits);
  }

  /// Returns what precedes an exact schema, so that it counts only beside the other one.
  static String exactPrefix(String arrowSchema) {
    return Sha256.hex(arrowSchema) + ":";
  }

  private static @Nullable String value(List<RecordBatch> result, String key) {
    for (RecordBatch batch : result) {
      Array.Bytes keys = (Array.Bytes) Array.of(batch.columns().get(0));
      Array.Bytes values = (Array.Bytes) Array.of(batch.columns().get(1));
      for (long i = 0; i < batch.length(); i++) {
        if (!keys.isNull(i) && !values.isNull(i) && keys.text(i).equals(key)) {
          return values.text(i);
        }
      }
    }
    return null;
  }

  /// Returns whether the file has such a schema, be it readable or not: a type that Arrow lacks
  /// makes it unreadable.
  public boolean hasArrowSchema(List<RecordBatch> result) {
    return value(result, ARROW_SCHEMA) != null;
  }

  private static @Nullable Schema decode(String text, Limits limits) {
    try {
      MemorySegment message = MemorySegment.ofArray(Base64.getDecoder().decode(text.strip()));
      // Writers before version 0.15 of Arrow leave out the first four bytes.
      long start = LittleEndian.getInt32(message, 0) == CONTINUATION ? Integer.BYTES : 0;
      long byteSize = LittleEndian.getInt32(message, start);
      MemorySegment metadata = message.asSlice(start + Integer.BYTES, byteSize);
      return MessageDecoder.decode(metadata, limits).header() instanceof SchemaHeader(Schema schema)
          ? schema
          : null;
    } catch (IllegalArgumentException | IndexOutOfBoundsException | InputException e) {
      return null;
    }
  }

  /// Returns the exception for an error of the engine about a statement of this file.
  public ForeignDataException error(String message) {
    return ParquetErrors.of(message);
  }
}
