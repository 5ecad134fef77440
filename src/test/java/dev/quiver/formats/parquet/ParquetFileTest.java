package dev.quiver.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageEncoder;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import dev.quiver.formats.SqlLiterals;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that the engine writes. What it does not write is in the tests of clients.
class ParquetFileTest extends ForeignFixture {

  private static final PageMemory PAGES =
      PageMemory.of(new Limit("quiver.files.page-bytes", 4 << 20));

  private static final Schema TIMES =
      Schema.of(
          Field.of("t", false, new ArrowType.Timestamp(TimeUnit.SECOND, "Europe/Zurich")),
          Field.of("d", true, new ArrowType.Duration(TimeUnit.MILLISECOND)));

  private static Path copy(String name, String select, String options) {
    Path path = folder.resolve(name);
    engine.rows(
        "COPY (%s) TO %s (FORMAT parquet%s)"
            .formatted(select, SqlLiterals.literal(path.toString()), options));
    return path;
  }

  /// Writes a file that states a schema beside its columns.
  private static ParquetFile stating(String select, String text) throws IOException {
    return open(
        copy(
            "stating.parquet",
            select,
            ", KV_METADATA {other: 'x', \"ARROW:schema\": " + SqlLiterals.literal(text) + "}"));
  }

  private static ParquetFile open(Path path) throws IOException {
    return appended(path, /* dataset= */ null);
  }

  private static ParquetFile appended(Path path, @Nullable Schema dataset) throws IOException {
    return ParquetFile.open(path, Limits.DEFAULT, PAGES, _ -> {}, dataset, folder, () -> {});
  }

  private static List<List<@Nullable Object>> rows(ParquetFile file) throws IOException {
    return rows(file.read(CpuPool.PROCESS, folder), file.schema());
  }

  private static ForeignDataException error(Path path) {
    ForeignDataException error =
        catchThrowableOfType(ForeignDataException.class, () -> rows(open(path)));
    assertThat(error).isNotNull();
    assertThat(error.getMessage()).doesNotContain("it's");
    return error;
  }

  @Test
  void readsRowsAndNames() throws IOException {
    ParquetFile file =
        open(
            copy(
                "rows.parquet",
                "SELECT 1 AS a, {'x': 2, 'y': [3]} AS s, 4 AS filename, 5 AS file_row_number,"
                    + " 6 AS rowid",
                ""));
    assertThat(file.schema().fields())
        .extracting(Field::name)
        .containsExactly("a", "s", "filename", "file_row_number", "rowid");
    assertThat(rows(file)).containsExactly(List.of(1L, List.of(2L, List.of(3L)), 4L, 5L, 6L));
    assertThat(file.warnings()).isEmpty();
  }

  @Test
  void readsRowsOfAllRowGroups() throws IOException {
    String select = "SELECT range AS a, [range, range] AS b FROM range(50000)";
    ParquetFile groups = open(copy("groups.parquet", select, ", ROW_GROUP_SIZE 20480"));
    assertThat(groups.rowCount()).isEqualTo(50_000);
    assertThat(rows(groups)).isEqualTo(engine.rows(select));
    ParquetFile empty = open(copy("no-rows.parquet", select + " WHERE false", ""));
    assertThat(empty.rowCount()).isZero();
    assertThat(rows(empty)).isEmpty();
    assertThat(fields(empty.schema())).isEqualTo(fields(groups.schema()));
  }

  @Test
  void ignoresFoldersAsColumns() throws IOException {
    Files.createDirectories(folder.resolve("x=1"));
    assertThat(rows(open(copy("x=1/f.parquet", "SELECT 7 AS a", "")))).containsExactly(List.of(7L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void columnsHaveTheTypesThatTheFileStates(boolean legacy) throws IOException {
    byte[] flatbuffer =
        MessageEncoder.encode(
            new Message(MetadataVersion.V5, new SchemaHeader(TIMES), 0, Metadata.EMPTY));
    ByteBuffer message = ByteBuffer.allocate(flatbuffer.length + 8).order(ByteOrder.LITTLE_ENDIAN);
    if (!legacy) {
      message.putInt(-1);
    }
    message.putInt(flatbuffer.length).put(flatbuffer);
    String text =
        Base64.getEncoder().encodeToString(Arrays.copyOf(message.array(), message.position()));
    ParquetFile file =
        stating("SELECT TIMESTAMPTZ '1970-01-01 00:00:01+00' AS t, 2::BIGINT AS d", text);
    assertThat(file.schema()).isEqualTo(TIMES.withMetadata(Metadata.of(KeyValue.of("other", "x"))));
    assertThat(file.warnings()).isEmpty();
    assertThat(rows(file)).containsExactly(List.of(1L, 2L));
  }

  @Test
  void columnsWithAValueOutsideItsStatedTypeKeepTheirs() throws IOException {
    Schema stated =
        Schema.of(
            Field.of("a", true, new ArrowType.Int(32, true)),
            Field.of("b", true, new ArrowType.Int(8, true)),
            Field.of(
                "c",
                true,
                new ArrowType.Struct(),
                Field.of("x", true, new ArrowType.Time(TimeUnit.SECOND, 32))),
            Field.of("d", true, new ArrowType.FixedSizeBinary(2)),
            Field.of("e", true, new ArrowType.LargeUtf8()),
            Field.of(
                "f",
                true,
                new ArrowType.FixedSizeList(2),
                Field.of("item", true, new ArrowType.Int(32, true))));
    ParquetFile file =
        stating(
            "SELECT CASE WHEN r = 70000 THEN 4294967295 ELSE r END::UINTEGER AS a,"
                + " (r % 100)::INTEGER AS b,"
                + " {'x': TIME '01:02:03' + INTERVAL (r // 99999) MILLISECOND} AS c,"
                + " encode('ab') AS d, 't' AS e, [1, 2, 3][:1 + (r < 99999)::INT] AS f"
                + " FROM range(100000) x(r)",
            StatedSchema.encode(stated));
    assertThat(fields(file.schema()))
        .containsExactly(
            "a: uint32",
            "b: int8",
            "c: struct<x: time64[us]>",
            "d: fixed_size_binary[2]",
            "e: large_utf8",
            "f: list<item: int32>");
    String sentence = "Column %s does not have the Arrow type that the file states";
    assertThat(file.warnings())
        .containsExactly(sentence.formatted("a"), sentence.formatted("c"), sentence.formatted("f"));
    List<List<@Nullable Object>> rows = rows(file);
    assertThat(rows).hasSize(100_000);
    assertThat(rows.get(70_000).getFirst()).isEqualTo(4_294_967_295L);
  }

  /// Only types that the columns are to have are compared to their values.
  @Test
  void reportsAValueOutsideTheTypeOfTheDataset() throws IOException {
    Path path =
        copy(
            "fraction.parquet",
            "SELECT TIMESTAMPTZ '1970-01-01 00:00:01+00'"
                + " + CASE WHEN r = 70000 THEN INTERVAL 500 MILLISECOND ELSE INTERVAL 0 SECOND END AS t,"
                + " 2::BIGINT AS d FROM range(100000) x(r)",
            ", KV_METADATA {\"ARROW:schema\": "
                + SqlLiterals.literal(StatedSchema.encode(TIMES))
                + "}");
    ForeignDataException error =
        catchThrowableOfType(
            ForeignDataException.class,
            () -> rows(appended(path, TIMES.withMetadata(Metadata.EMPTY))));
    assertThat(error)
        .hasMessage("Expected a multiple of 1000000 but found 1500000 in column t, row 70,001");
    assertThat(error.column()).isEqualTo("t");
    assertThat(error.value()).isEqualTo("1500000");
    assertThat(error.row()).isEqualTo(70_001);
  }

  @Test
  void typesThatColumnsDoNotHaveAreNamed() throws IOException {
    ParquetFile file = stating("SELECT 'x' AS t, 2::BIGINT AS d", StatedSchema.encode(TIMES));
    assertThat(fields(file.schema())).containsExactly("t: utf8", "d: duration[ms]");
    assertThat(file.warnings())
        .containsExactly("Column t does not have the Arrow type that the file states");
  }

  @Test
  void exactSchemaCountsOnlyBesideTheOther() throws IOException {
    Schema exact = Schema.of(Field.of("d", true, new ArrowType.Int(8, false)));
    String stated =
        StatedSchema.encode(Schema.of(Field.of("d", true, new ArrowType.Int(16, true))));
    String other = StatedSchema.encode(Schema.of(Field.of("d", true, new ArrowType.Int(32, true))));
    for (String beside : List.of(stated, other)) {
      String keys =
          ", KV_METADATA {\"ARROW:schema\": %s, \"QUIVER:schema\": %s}"
              .formatted(
                  SqlLiterals.literal(beside),
                  SqlLiterals.literal(StatedSchema.encodeExact(exact, stated)));
      assertThat(fields(open(copy("exact.parquet", "SELECT 7::BIGINT AS d", keys)).schema()))
          .containsExactly(beside.equals(stated) ? "d: uint8" : "d: int32");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"no base64!", "", "/////wAA", "AAAAAAAAAAAAAAAAAAAA", "/////3////8AAAAA"})
  void schemasThatCannotBeReadAreNamed(String text) throws IOException {
    ParquetFile file = stating("SELECT 1 AS a", text);
    assertThat(fields(file.schema())).containsExactly("a: int32");
    assertThat(file.warnings())
        .containsExactly("The file states Arrow types that are not of the Arrow format");
  }

  @Test
  void appendedRowsHaveTheTypesOfTheDataset() throws IOException {
    Path path = copy("appended.parquet", "SELECT 5::BIGINT AS n, 300::BIGINT AS m", "");
    Schema dataset = Schema.of(Field.of("m", true, new ArrowType.Int(16, true)));
    ParquetFile file = appended(path, dataset);
    assertThat(fields(file.schema())).containsExactly("n: int64", "m: int16");
    assertThat(rows(file)).containsExactly(List.of(5L, 300L));
    Schema narrow = Schema.of(Field.of("m", true, new ArrowType.Int(8, true)));
    assertThatThrownBy(() -> rows(appended(path, narrow)))
        .isInstanceOfSatisfying(
            ForeignDataException.class,
            e -> {
              assertThat(e.column()).isEqualTo("m");
              assertThat(e.value()).isEqualTo("300");
            });
  }

  /// The footer prevails over the stated schema, and keeps the keys that it alone has.
  @Test
  void keysOfTheFooterAreMetadata() throws IOException {
    Schema stated =
        Schema.of(Field.of("a", true, new ArrowType.Int(32, true)))
            .withMetadata(
                Metadata.of(
                    KeyValue.of("twice", "1"),
                    KeyValue.of("changed", "old"),
                    KeyValue.of("alone", "x"),
                    KeyValue.of("twice", "2"),
                    KeyValue.of("changed", "older")));
    String keys =
        ", KV_METADATA {twice: '1', changed: 'new', added: '\\x00'::BLOB, \"ARROW:schema\": %s}"
            .formatted(SqlLiterals.literal(StatedSchema.encode(stated)));
    ParquetFile file = open(copy("keys.parquet", "SELECT 1 AS a", keys));
    assertThat(file.schema().metadata().entries())
        .containsExactlyInAnyOrder(
            KeyValue.of("twice", "1"),
            KeyValue.of("alone", "x"),
            KeyValue.of("twice", "2"),
            KeyValue.of("changed", "new"),
            KeyValue.of("added", "\0"));
    assertThat(file.warnings()).isEmpty();
    ParquetFile plain = open(copy("plain.parquet", "SELECT 1 AS a", ", KV_METADATA {author: 'x'}"));
    assertThat(plain.schema().metadata()).isEqualTo(Metadata.of(KeyValue.of("author", "x")));
    ParquetFile other = stating("SELECT 1 AS b", StatedSchema.encode(stated));
    assertThat(other.schema().metadata()).isEqualTo(Metadata.of(KeyValue.of("other", "x")));
  }

  /// With a key that says so, the engine itself makes a type of its own of such bytes.
  @Test
  void geometriesAreBytes() throws IOException {
    String key =
        "{\"version\":\"1.0.0\",\"primary_column\":\"g\",\"columns\":{\"g\":{\"encoding\":\"WKB\","
            + "\"geometry_types\":[\"Point\"]}}}";
    ParquetFile file =
        open(
            copy(
                "geo.parquet",
                "SELECT '\\x01'::BLOB AS g",
                ", KV_METADATA {geo: " + SqlLiterals.literal(key) + "}"));
    assertThat(fields(file.schema())).containsExactly("g: binary");
  }

  @Test
  void tellsDamagedFiles() throws IOException {
    byte[] bytes =
        Files.readAllBytes(
            copy(
                "whole.parquet",
                "SELECT range AS a, md5(range::VARCHAR) AS b FROM range(5000)",
                ""));
    for (byte[] damaged :
        List.of(Arrays.copyOf(bytes, bytes.length / 2), latin1("PAR1"), new byte[0])) {
      assertThat(error(write("damaged.parquet", damaged)))
          .hasMessage(
              "Expected a Parquet file but found other bytes at its end: it is truncated or of"
                  + " another format");
    }
    byte[] footer = bytes.clone();
    Arrays.fill(footer, footer.length - 200, footer.length - 100, (byte) 0xFF);
    byte[] pages = bytes.clone();
    Arrays.fill(pages, 4, 200, (byte) 0xFF);
    for (byte[] damaged : List.of(footer, pages)) {
      assertThat(error(write("damaged.parquet", damaged))).hasMessageStartingWith("Expected ");
    }
  }

  /// A file may state any type. Its null values would take terabytes.
  @Test
  void statedTypesDoNotTakeMoreMemoryThanRowsMay() throws IOException {
    for (ArrowType type :
        List.of(
            new ArrowType.FixedSizeBinary(Integer.MAX_VALUE),
            new ArrowType.FixedSizeList(Integer.MAX_VALUE))) {
      boolean isList = type instanceof ArrowType.FixedSizeList;
      Field item = Field.of("item", true, new ArrowType.Int(32, true));
      Field field = isList ? Field.of("d", true, type, item) : Field.of("d", true, type);
      ParquetFile file =
          stating(
              "SELECT NULL::%s AS d FROM range(60000)".formatted(isList ? "INTEGER[]" : "BLOB"),
              StatedSchema.encode(Schema.of(field)));
      assertThat(fields(file.schema()))
          .containsExactly(isList ? "d: list<item: int32>" : "d: binary");
      assertThat(file.warnings())
          .containsExactly("Column d does not have the Arrow type that the file states");
      assertThat(rows(file)).hasSize(60_000);
    }
  }

  @Test
  void footerHasALimit() {
    Path path = copy("footer.parquet", "SELECT 1 AS a", "");
    Limits limits = Limits.of(20, 1, 1, 1, 1, 1, 1, 1);
    assertThatThrownBy(() -> ParquetFile.open(path, limits, PAGES, _ -> {}, null, folder, () -> {}))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("metadata-bytes");
  }

  /// The only page of a column has 400,000 bytes.
  @Test
  void pagesHaveALimit() throws IOException {
    Path path =
        copy(
            "pages.parquet",
            "SELECT range * 7919 % 1000003 AS a FROM range(50000)",
            ", COMPRESSION uncompressed");
    ParquetFile file =
        ParquetFile.open(
            path,
            Limits.DEFAULT,
            PageMemory.of(new Limit("quiver.files.page-bytes", 200_000)),
            _ -> {},
            /* dataset= */ null,
            folder,
            () -> {});
    assertThatThrownBy(() -> rows(file))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.files.page-bytes");
    assertThat(rows(open(path))).hasSize(50_000);
  }

  @Test
  void readingEndsWhenItIsNotWanted() throws IOException {
    Path path = copy("many.parquet", "SELECT range AS a FROM range(500000)", "");
    AtomicInteger calls = new AtomicInteger();
    RuntimeException unwanted = new IllegalStateException("unwanted");
    ParquetFile file =
        ParquetFile.open(
            path,
            Limits.DEFAULT,
            PageMemory.of(new Limit("quiver.files.page-bytes", 64 << 20)),
            _ -> {},
            /* dataset= */ null,
            folder,
            () -> {
              if (calls.incrementAndGet() > 2) {
                throw unwanted;
              }
            });
    assertThatThrownBy(() -> rows(file)).isSameAs(unwanted);
  }
}
