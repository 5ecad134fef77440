package dev.quiver.foreign.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.columnar.TimeUnit;
import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.ForeignFixture;
import dev.quiver.foreign.SqlLiterals;
import dev.quiver.input.Limits;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageEncoder;
import dev.quiver.metadata.MessageHeader.SchemaHeader;
import dev.quiver.metadata.MetadataVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files that the engine itself writes. What it does not write is in the tests of clients.
class ParquetFileTest extends ForeignFixture {

  private static ParquetFile copy(String name, String select, String options) {
    Path path = folder.resolve(name);
    rows(
        "COPY (%s) TO %s (FORMAT parquet%s)"
            .formatted(select, SqlLiterals.literal(path.toString()), options));
    return new ParquetFile(path.toString());
  }

  @Test
  void readsRowsAndNames() {
    ParquetFile file =
        copy(
            "rows.parquet",
            "SELECT 1 AS a, {'x': 2, 'y': [3]} AS s, 4 AS filename, 5 AS file_row_number, 6 AS rowid",
            "");
    assertThat(file.schema(engine.batches(file.schemaSql())).names())
        .containsExactly("a", "s", "filename", "file_row_number", "rowid");
    assertThat(rows(file.sql())).containsExactly(List.of(1L, List.of(2L, List.of(3L)), 4L, 5L, 6L));
  }

  @Test
  void statementsHaveColumnsOfTheSameCost() {
    String select =
        "SELECT r AS a, r AS \"it's\"\"\", {'x': r, 'y': [r]} AS s, repeat('long', 50) || r AS t, r AS b"
            + " FROM (SELECT range AS r FROM range(5000))";
    ParquetFile file = copy("costs.parquet", select, "");
    assertThat(columns(file, 1)).containsExactly("*");
    assertThat(columns(file, 2)).containsExactly("\"a\", \"it's\"\"\", \"s\"", "\"t\", \"b\"");
    List<RecordBatch> costs = engine.batches(file.costsSql());
    ParquetSchema schema = file.schema(engine.batches(file.schemaSql()));
    for (int count = 1; count <= 10; count++) {
      List<Field> joined = new ArrayList<>();
      for (String sql : file.statements(schema, costs, count)) {
        joined.addAll(engine.schema(sql).fields());
      }
      assertThat(joined).as("%d statements", count).isEqualTo(engine.schema(file.sql()).fields());
    }
  }

  /// The engine itself writes no such names.
  @Test
  void columnsThatTheEngineRenamesAreReadByOneStatement() {
    ParquetFile file = copy("names.parquet", "SELECT 1 AS a, 2 AS b", "");
    List<RecordBatch> costs = engine.batches(file.costsSql());
    for (List<String> names : List.of(List.of("a", "a"), List.of("a", "A"), List.of("a", ""))) {
      ParquetSchema schema = new ParquetSchema(names, List.of(), List.of(0, 1));
      assertThat(file.statements(schema, costs, 2)).as("%s", names).containsExactly(file.sql());
    }
  }

  @Test
  void fileWithoutRowsHasNoCosts() {
    ParquetFile file = copy("empty.parquet", "SELECT 1 AS a, 2 AS b WHERE false", "");
    assertThat(columns(file, 2)).containsExactly("\"a\"", "\"b\"");
  }

  @Test
  void rowsAreThoseOfAllRowGroups() {
    String rows = "SELECT range AS a, [range, range] AS b FROM range(50000)";
    ParquetFile groups = copy("groups.parquet", rows, ", ROW_GROUP_SIZE 20480");
    ParquetFile empty = copy("no-rows.parquet", rows + " WHERE false", "");
    assertThat(groups.rowCount(engine.batches(groups.costsSql()))).isEqualTo(50_000);
    assertThat(empty.rowCount(engine.batches(empty.costsSql()))).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "9007199254740992, 9007199254740992",
    "0,",
    "-1,",
    "1e16,",
    "sqrt(2) * 'nan'::DOUBLE,",
    "NULL,"
  })
  void rowCountsThatAreNonsenseAreUnknown(String stated, @Nullable Long expected) {
    List<RecordBatch> costs =
        engine.batches("SELECT 0::BIGINT, 1::DOUBLE, (%s)::DOUBLE".formatted(stated));
    assertThat(new ParquetFile("").rowCount(costs)).isEqualTo(expected);
  }

  /// Returns the columns that each statement selects.
  private static List<String> columns(ParquetFile file, int count) {
    ParquetSchema schema = file.schema(engine.batches(file.schemaSql()));
    return file.statements(schema, engine.batches(file.costsSql()), count).stream()
        .map(sql -> sql.substring("SELECT ".length(), sql.indexOf(" FROM ")))
        .toList();
  }

  @Test
  void foldersAreNoColumns() throws IOException {
    Files.createDirectories(folder.resolve("x=1"));
    ParquetFile file = copy("x=1/f.parquet", "SELECT 7 AS a", "");
    assertThat(rows(file.sql())).containsExactly(List.of(7L));
  }

  @Test
  void readsTheSchemaThatAnArrowWriterStored() {
    Schema schema =
        Schema.of(
            Field.of("t", false, new ArrowType.Timestamp(TimeUnit.SECOND, "Europe/Zurich")),
            Field.of("d", true, new ArrowType.Duration(TimeUnit.MILLISECOND)));
    byte[] flatbuffer =
        MessageEncoder.encode(
            new Message(MetadataVersion.V5, new SchemaHeader(schema), 0, Metadata.EMPTY));
    for (boolean legacy : List.of(false, true)) {
      ByteBuffer message =
          ByteBuffer.allocate(flatbuffer.length + 8).order(ByteOrder.LITTLE_ENDIAN);
      if (!legacy) {
        message.putInt(-1);
      }
      message.putInt(flatbuffer.length).put(flatbuffer);
      String text =
          Base64.getEncoder().encodeToString(Arrays.copyOf(message.array(), message.position()));
      assertThat(stored(text)).as("legacy %s", legacy).isEqualTo(schema);
    }
  }

  /// With a key that says so, the engine itself makes a type of its own of such bytes.
  @Test
  void geometriesAreBytes() {
    String key =
        "{\"version\":\"1.0.0\",\"primary_column\":\"g\",\"columns\":{\"g\":{\"encoding\":\"WKB\","
            + "\"geometry_types\":[\"Point\"]}}}";
    ParquetFile file =
        copy(
            "geo.parquet",
            "SELECT '\\x01'::BLOB AS g",
            ", KV_METADATA {geo: " + SqlLiterals.literal(key) + "}");
    assertThat(fields(engine.schema(file.sql()))).containsExactly("g: binary");
  }

  @Test
  void schemasThatCannotBeReadAreAbsent() {
    assertThat(stored("no base64!")).isNull();
    assertThat(stored("")).isNull();
    assertThat(stored("/////wAA")).isNull();
    assertThat(stored(Base64.getEncoder().encodeToString(new byte[100]))).isNull();
    assertThat(stored("/////3////8AAAAA")).isNull();
    ParquetFile plain = copy("plain.parquet", "SELECT 1 AS a", "");
    assertThat(plain.arrowSchema(engine.batches(plain.arrowSchemaSql()), Limits.DEFAULT)).isNull();
    assertThat(plain.hasArrowSchema(engine.batches(plain.arrowSchemaSql()))).isFalse();
  }

  private static @Nullable Schema stored(String text) {
    ParquetFile file =
        copy(
            "stored.parquet",
            "SELECT 1 AS a",
            ", KV_METADATA {other: 'x', \"ARROW:schema\": " + SqlLiterals.literal(text) + "}");
    assertThat(file.hasArrowSchema(engine.batches(file.arrowSchemaSql()))).isTrue();
    return file.arrowSchema(engine.batches(file.arrowSchemaSql()), Limits.DEFAULT);
  }

  /// The engine reads such columns as floats, and cannot write them. So these rows stand for what
  /// it says of a file.
  @Test
  void rejectsDecimalsThatBecomeFloats() {
    assertThat(nodes("('x', NULL, 'INT64', 38)").names()).containsExactly("x");
    assertThatThrownBy(() -> nodes("('x', NULL, 'FIXED_LEN_BYTE_ARRAY', 39)"))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage("Expected decimals of at most 38 digits but found 39 in column x");
    assertThatThrownBy(() ->
            nodes(
                "('a', 2, NULL, NULL), ('b', 1, NULL, NULL), ('c', NULL, 'INT32', NULL),"
                    + " ('d', NULL, 'FIXED_LEN_BYTE_ARRAY', 60)"))
        .hasMessage("Expected decimals of at most 38 digits but found 60 in column a.d");
  }

  @Test
  void namesAreThoseOfTheUppermostColumns() {
    ParquetSchema schema =
        nodes(
            "('a', 2, NULL, NULL), ('b', 1, NULL, NULL), ('c', NULL, 'INT96', NULL),"
                + " ('d', NULL, 'INT32', NULL), ('a', NULL, 'INT96', NULL), ('', NULL, 'INT32', NULL)");
    assertThat(schema.names()).containsExactly("a", "a", "");
    assertThat(schema.coarseTimestamps()).containsExactly("a.b.c", "a");
  }

  private static ParquetSchema nodes(String values) {
    return new ParquetFile("x")
        .schema(
            engine.batches(
                "SELECT n, c::BIGINT, t, p::BIGINT FROM (VALUES ('schema', 9, NULL, NULL), "
                    + values
                    + ") v(n, c, t, p)"));
  }

  @Test
  void tellsDamagedFiles() throws IOException {
    ParquetFile whole =
        copy("whole.parquet", "SELECT range AS a, md5(range::VARCHAR) AS b FROM range(5000)", "");
    byte[] bytes = Files.readAllBytes(Path.of(whole.path()));
    for (byte[] damaged :
        List.of(Arrays.copyOf(bytes, bytes.length / 2), latin1("PAR1"), new byte[0])) {
      ParquetFile file = new ParquetFile(write("damaged.parquet", damaged).toString());
      for (String sql : List.of(file.schemaSql(), file.arrowSchemaSql(), file.sql())) {
        assertThat(error(sql, file::error))
            .hasMessage(
                "Expected a Parquet file but found other bytes at its end: it is truncated or of"
                    + " another format");
      }
    }
    byte[] footer = bytes.clone();
    Arrays.fill(footer, footer.length - 200, footer.length - 100, (byte) 0xFF);
    byte[] pages = bytes.clone();
    Arrays.fill(pages, 4, 200, (byte) 0xFF);
    for (byte[] damaged : List.of(footer, pages)) {
      ParquetFile file = new ParquetFile(write("damaged.parquet", damaged).toString());
      assertThat(error(file.sql(), file::error))
          .hasMessage("Expected a Parquet file but found a damaged one");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "File '/a' is encrypted, but 'encryption_config' was not set"
            + "| Expected a Parquet file without encryption but found an encrypted one",
        "File is encrypted but no file crypto metadata is set"
            + "| Expected a Parquet file without encryption but found an encrypted one",
        "Failed to read file \"/a\": Unsupported compression codec \"LZO\". Supported options are x"
            + "| Expected a Parquet file with a codec of none, snappy, gzip, brotli, lz4, lz4_raw or"
            + " zstd but found LZO",
        "Not implemented Error: Parquet type BSON"
            + "| Expected a Parquet file of encodings and types that are supported but found others",
        "Failed to read '/a': Need at least one non-root column in the file"
            + "| Expected a Parquet file with at least one column but found none",
        "TProtocolException: Invalid data | Expected a Parquet file but found a damaged one",
        "The sky fell | The file cannot be read as Parquet"
      })
  void namesWhatCannotBeRead(String message, String told) {
    assertThat(new ParquetFile("x").error(message)).hasMessage(told);
  }
}
