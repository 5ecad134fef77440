package dev.quiver.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.ArrowType.Decimal;
import dev.quiver.arrow.type.ArrowType.FixedSizeBinary;
import dev.quiver.arrow.type.ArrowType.FixedSizeList;
import dev.quiver.arrow.type.ArrowType.Int;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The types that a Parquet file states, and the statement that writes it. The tests of clients
/// read such files.
class ParquetExportTest {

  private static final ArrowType INT32 = new Int(32, true);

  private static List<String> restorable(Set<Integer> uniformColumns, Field... fields) {
    return RestorableTypes.of(Schema.of(fields), uniformColumns).fields().stream()
        .map(Field::toString)
        .toList();
  }

  private static Field extension(Field storage, String name) {
    return storage.withMetadata(
        Metadata.of(KeyValue.of("ARROW:extension:name", name), KeyValue.of("unit", "m")));
  }

  @Test
  void typesAreThoseThatReadersRestore() {
    Field item = Field.of("item", false, INT32);
    assertThat(
            restorable(
                Set.of(1),
                Field.of("a", false, new FixedSizeList(2), item),
                Field.of("b", true, new FixedSizeList(2), item),
                Field.of("c", true, new ArrowType.Duration(TimeUnit.SECOND)),
                Field.of("d", true, new ArrowType.Timestamp(TimeUnit.SECOND, "Asia/Kathmandu")),
                Field.of("e", true, new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC")),
                Field.of("f", true, new ArrowType.Time(TimeUnit.SECOND, 32)),
                Field.of("g", true, new Decimal(5, 2, 256)),
                Field.of("h", true, new FixedSizeBinary(16)),
                Field.of("i", true, new ArrowType.LargeListView(), item),
                Field.of("j", true, new ArrowType.Timestamp(TimeUnit.MILLISECOND, null)),
                Field.of("k", true, new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC"))))
        .containsExactly(
            "a: list<item: int32>",
            "b: fixed_size_list[2]<item: int32>",
            "c: duration[s]",
            "d: timestamp[us, Asia/Kathmandu]",
            "e: timestamp[ns, UTC]",
            "f: time64[us]",
            "g: decimal128(5, 2)",
            "h: binary",
            "i: large_list<item: int32>",
            "j: timestamp[ms]",
            "k: timestamp[us, UTC]");
  }

  @Test
  void restoresOnlyUnorderedDictionariesOfText() {
    DictionaryEncoding encoding = new DictionaryEncoding(7, new Int(8, true), true);
    assertThat(
            restorable(
                Set.of(),
                Field.of("a", true, new ArrowType.Utf8()).withDictionary(encoding),
                Field.of("b", true, INT32).withDictionary(encoding)))
        .containsExactly("a: dictionary<int8, utf8>", "b: int32");
  }

  /// polars has its categories as views, and looks for text with large offsets in a file.
  @Test
  void restoresDictionariesOfViewsAsLargeText() {
    DictionaryEncoding encoding = new DictionaryEncoding(7, new Int(32, false), false);
    Field views = Field.of("v", true, new ArrowType.Utf8View());
    assertThat(
            restorable(
                Set.of(),
                views.withDictionary(encoding),
                Field.of("l", true, new ArrowType.LargeList(), views.withDictionary(encoding)),
                views.withName("w")))
        .containsExactly(
            "v: dictionary<uint32, large_utf8>",
            "l: large_list<v: dictionary<uint32, large_utf8>>",
            "w: utf8_view");
  }

  @Test
  void statesColumnsOfNullsAsTheirText() {
    DictionaryEncoding encoding = new DictionaryEncoding(7, new Int(32, true), false);
    Field text = Field.of("a", true, new ArrowType.Utf8()).withDictionary(encoding);
    assertThat(restorable(Set.of(0), text, text.withName("b")))
        .containsExactly("a: utf8", "b: dictionary<int32, utf8>");
    assertThat(new ParquetExport(Schema.of(text)).nullsSql())
        .isEqualTo("SELECT count(\"a\") > 0 OR count(*) = 0 FROM rows");
  }

  @Test
  void extensionTypesAreStatedOfTheSameStorageAlone() {
    Schema schema =
        Schema.of(
            extension(Field.of("kept", true, INT32), "some.number"),
            extension(Field.of("id", true, new FixedSizeBinary(16)), "arrow.uuid"),
            extension(Field.of("lost", true, new FixedSizeBinary(4)), "some.bytes"));
    List<Field> fields = RestorableTypes.of(schema, Set.of()).fields();
    assertThat(fields)
        .extracting(field -> field.metadata().entries().size())
        .containsExactly(2, 2, 1);
    assertThat(StorableTypes.of(schema).fields())
        .extracting(field -> field.metadata().entries().size())
        .containsExactly(0, 1, 0);
  }

  @Test
  void columnsHaveDistinctNames() {
    assertThat(
            restorable(
                Set.of(),
                Field.of("a", true, INT32),
                Field.of("A", true, INT32),
                Field.of("", true, INT32)))
        .containsExactly("a: int32", "A_1: int32", "C2: int32");
  }

  private static void assertUnrepresentable(Field field, String column, String type) {
    assertThatThrownBy(() -> new ParquetExport(Schema.of(field)))
        .isInstanceOfSatisfying(
            UnrepresentableTypeException.class,
            failure -> {
              assertThat(failure.column()).isEqualTo(column);
              assertThat(failure.type()).isEqualTo(type);
              assertThat(failure).hasMessageContaining(" but found type " + type);
            });
  }

  @Test
  void typesThatParquetLacksAreNamed() {
    Field union = Field.of("u", true, new ArrowType.Union(UnionMode.SPARSE, List.of(0)), a());
    assertUnrepresentable(
        Field.of("l", true, new ArrowType.List(), union), "l.u", "sparse_union<a: int32>");
    assertUnrepresentable(
        Field.of("i", true, new ArrowType.Interval(IntervalUnit.YEAR_MONTH)),
        "i",
        "interval[year_month]");
    assertUnrepresentable(Field.of("d", true, new Decimal(39, 0, 256)), "d", "decimal256(39, 0)");
    assertUnrepresentable(Field.of("d", true, new Decimal(5, -1, 128)), "d", "decimal128(5, -1)");
    assertUnrepresentable(Field.of("d", true, new Decimal(5, 39, 128)), "d", "decimal128(5, 39)");
    assertUnrepresentable(Field.of("s", true, new ArrowType.Struct()), "s", "struct");
    assertUnrepresentable(
        Field.of("s", true, new ArrowType.Struct(), a(), a().withName("A")),
        "s",
        "struct<a: int32, A: int32>");
    assertThatThrownBy(() -> new ParquetExport(Schema.of()))
        .hasMessage("Expected at least one column, as Parquet does, but found none");
    assertThat(new ParquetExport(Schema.of(Field.of("d", true, new Decimal(38, 38, 256)))))
        .isNotNull();
  }

  private static Field a() {
    return Field.of("a", true, INT32);
  }

  @Test
  void groupsOfWideRowsHaveFewer() {
    assertThat(ParquetExport.groupRowCount(0)).isEqualTo(122_880);
    assertThat(ParquetExport.groupRowCount(273)).isEqualTo(122_880);
    assertThat(ParquetExport.groupRowCount(546)).isEqualTo(61_440);
    assertThat(ParquetExport.groupRowCount(1L << 40)).isEqualTo(2_048);
  }

  @Test
  void keepsTextOfTheSchemaOutOfTheStatement() {
    Field list = Field.of("x\" FROM y; --", true, new FixedSizeList(2), a());
    ParquetExport export = new ParquetExport(Schema.of(list));
    assertThat(export.nullsSql())
        .isEqualTo("SELECT coalesce(bool_or(\"x\"\" FROM y; --\" IS NULL), false) FROM rows");
    assertThat(export.sql("/it's/file", Set.of(), 1)).contains("TO '/it''s/file' (FORMAT");
  }

  @Test
  void metadataIsWrittenAsKeysOfTheFooter() {
    Metadata metadata =
        Metadata.of(
            KeyValue.of("author", "it's \"x\""),
            KeyValue.of("Author", "in another case"),
            KeyValue.of("", "without a key"),
            KeyValue.of("zero\0", "x"),
            KeyValue.of("arrow:schema", "taken"),
            KeyValue.of("QUIVER:schema", "stale"),
            KeyValue.of("q'k", "y"),
            new KeyValue("bytes", ByteString.of(new byte[] {0, (byte) 0xFE, 'a'})));
    ParquetExport export = new ParquetExport(Schema.of(a()).withMetadata(metadata));
    assertThat(export.sql("/file", Set.of(), 1))
        .endsWith(", 'author': 'it''s \"x\"', 'q''k': 'y', 'bytes': '\\x00\\xfe\\x61'::BLOB})");
  }

  /// @param names of the columns, separated by blanks
  @ParameterizedTest
  @CsvSource({"a b, true", "b a c, true", "a, false", "x b, false"})
  void geographyIsWrittenWithAllOfItsColumns(String names, boolean isWritten) {
    String value =
        "{\"x\": {\"columns\": {\"no\": 1}}, \"primary_column\": \"a\","
            + " \"columns\": {\"a\": {\"crs\": {\"c\": []}}, \"b\": {}}}";
    for (String geo : List.of(value, "no JSON", "{\"columns\": [", "[]", "")) {
      Schema schema =
          Schema.of(
                  Arrays.stream(names.split(" "))
                      .map(name -> a().withName(name))
                      .toArray(Field[]::new))
              .withMetadata(Metadata.of(KeyValue.of("geo", geo)));
      assertThat(new ParquetExport(schema).sql("/file", Set.of(), 1).contains(", 'geo': '"))
          .as(geo)
          .isEqualTo(isWritten || !geo.equals(value));
    }
  }

  private static Schema schema(String names, String key, String value) {
    return Schema.of(
            Arrays.stream(names.split(" ")).map(name -> a().withName(name)).toArray(Field[]::new))
        .withMetadata(Metadata.of(KeyValue.of(key, value), KeyValue.of("author", "ada")));
  }

  /// @param names of the columns, separated by blanks
  @ParameterizedTest
  @CsvSource({
    "a b, true, true",
    "b a, true, true",
    "a, false, false",
    "a c, false, false",
    "a b c, false, true"
  })
  void schemasOfOtherColumnsAreLeftOut(String names, boolean isWritten, boolean isPandasWritten) {
    String fields =
        "[{\"type\": \"long\", \"name\": \"a\", \"metadata\": {\"name\": \"x\"}},"
            + " {\"name\": \"b\", \"type\": {\"fields\": [{\"name\": \"c\"}]}}]";
    String record = "{\"type\": \"record\", \"name\": \"r\", \"fields\": " + fields + "}";
    for (String key :
        List.of(
            "org.apache.spark.sql.parquet.row.metadata",
            "parquet.avro.schema",
            "avro.schema",
            "iceberg.schema")) {
      assertThat(written(schema(names, key, record), key)).as(key).isEqualTo(isWritten);
      assertThat(written(schema(names, key, "{\"fields\": 3}"), key)).as(key).isTrue();
    }
    String pandas =
        "{\"index_columns\": [{\"kind\": \"range\"}], \"columns\": ["
            + "{\"name\": \"a\", \"field_name\": \"a\", \"metadata\": null},"
            + " {\"name\": null, \"field_name\": \"b\"}]}";
    assertThat(written(schema(names, "pandas", pandas), "pandas")).isEqualTo(isPandasWritten);
  }

  private static boolean written(Schema schema, String key) {
    return written(new ParquetExport(schema), key);
  }

  private static boolean written(ParquetExport export, String key) {
    String sql = export.sql("/file", Set.of(), 1);
    assertThat(sql).contains(", 'author': 'ada'");
    return sql.contains(", '" + key + "': '");
  }

  /// A selection within a column leaves all names of columns as they were.
  @Test
  void aSchemaIsLeftOutIfAColumnHasOnlySomeOfItsChildren() {
    String key = "parquet.avro.schema";
    Schema stored = schema("a b", key, "{\"fields\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}");
    Schema part =
        stored.withFields(List.of(stored.fields().get(0), a().withName("b").withNullable(false)));
    assertThat(written(new ParquetExport(stored, stored), key)).isTrue();
    assertThat(written(new ParquetExport(part, stored), key)).isFalse();
  }

  /// Keys and values count, those of fields at any depth as well.
  @ParameterizedTest
  @CsvSource({"1, true", "0, false"})
  void metadataOfTheSchemaIsBounded(int left, boolean fits) {
    Metadata half = Metadata.of(KeyValue.of("k", "x".repeat((1 << 20) - 1)));
    Metadata rest = Metadata.of(KeyValue.of("k", "x".repeat((1 << 20) - 1 - left)));
    Schema schema =
        Schema.of(
                Field.of("s", true, new ArrowType.Struct(), a().withMetadata(rest)),
                a().withMetadata(Metadata.of(KeyValue.of("", fits ? "" : "x"))))
            .withMetadata(half);
    if (fits) {
      assertThat(new ParquetExport(schema).sql("/file", Set.of(), 1)).contains("'k': '");
    } else {
      assertThatThrownBy(() -> new ParquetExport(schema))
          .isInstanceOf(TooLargeInputException.class)
          .hasMessageStartingWith(
              "Expected at most 2097152 bytes of metadata in the schema of the rows (a Parquet file)"
                  + " but found 2097153");
    }
  }
}
