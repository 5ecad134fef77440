package dev.quiver.store.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.SchemaMismatchException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchemaMatchTest {

  private static final DatasetName NAME = new DatasetName("flights");
  private static final ArrowType INT8 = new ArrowType.Int(8, true);
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final ArrowType LIST = new ArrowType.List();
  private static final ArrowType STRUCT = new ArrowType.Struct();

  private static Field field(String name, ArrowType type, Field... children) {
    return Field.of(name, true, type, children);
  }

  private static Field encoded(long id, ArrowType.Int indexType, boolean ordered) {
    return field("a", UTF8).withDictionary(new DictionaryEncoding(id, indexType, ordered));
  }

  private static Field extended(String... keysAndValues) {
    return field("a", UTF8)
        .withMetadata(
            new Metadata(
                IntStream.range(0, keysAndValues.length / 2)
                    .mapToObj(i -> KeyValue.of(keysAndValues[2 * i], keysAndValues[2 * i + 1]))
                    .toList()));
  }

  private static SchemaMismatchException mismatch(Schema stored, Schema uploaded) {
    return catchThrowableOfType(
        SchemaMismatchException.class,
        () -> SchemaMatch.of(stored, uploaded).throwIfDifferent(NAME));
  }

  private static List<String> sentences(Schema stored, Schema uploaded) {
    return mismatch(stored, uploaded).differences().stream()
        .map(difference -> difference.aspect() + ": " + difference.sentence())
        .toList();
  }

  private static List<String> sentences(Field stored, Field uploaded) {
    return sentences(Schema.of(stored), Schema.of(uploaded));
  }

  private static void assertMatch(Field stored, Field uploaded) {
    assertThatCode(
            () -> SchemaMatch.of(Schema.of(stored), Schema.of(uploaded)).throwIfDifferent(NAME))
        .doesNotThrowAnyException();
  }

  @Test
  void equalSchemasMatch() {
    Field nested = field("a", LIST, field("item", STRUCT, field("b", INT32), field("c", UTF8)));
    assertMatch(nested, nested);
    assertThatCode(() -> SchemaMatch.of(Schema.of(), Schema.of()).throwIfDifferent(NAME))
        .doesNotThrowAnyException();
  }

  @Test
  void ignoresDictionaryIdsIndexTypesMetadataEndiannessAndFeatures() {
    assertMatch(
        encoded(1, new ArrowType.Int(8, true), false),
        encoded(2, new ArrowType.Int(32, false), false));
    assertMatch(extended("pandas", "1"), extended("PARQUET:field_id", "2"));
    Schema plain = Schema.of(field("a", INT32));
    Schema other =
        new Schema(
            plain.fields(),
            Metadata.of(KeyValue.of("pandas", "{}"), KeyValue.of("ARROW:extension:name", "x")),
            Endianness.BIG,
            List.of(Feature.values()));
    assertThatCode(() -> SchemaMatch.of(plain, other).throwIfDifferent(NAME))
        .doesNotThrowAnyException();
  }

  @Test
  void reportsMissingFields() {
    assertThat(
            sentences(
                Schema.of(field("a", INT32), field("b", LIST, field("item", UTF8))),
                Schema.of(field("a", INT32))))
        .containsExactly("MISSING: Expected list<item: utf8> but found no field at field b");
  }

  @Test
  void reportsExtraFields() {
    assertThat(
            sentences(
                Schema.of(field("a", INT32)),
                Schema.of(field("z", UTF8), field("a", INT32), field("b", INT64))))
        .containsExactly(
            "EXTRA: Expected no field but found utf8 at field z",
            "EXTRA: Expected no field but found int64 at field b");
  }

  @Test
  void reportsTheFewestMovedFields() {
    Field[] fields =
        Stream.of("a", "b", "c", "d").map(name -> field(name, INT32)).toArray(Field[]::new);
    assertThat(sentences(Schema.of(fields), Schema.of(fields[3], fields[0], fields[1], fields[2])))
        .containsExactly("POSITION: Expected position 3 but found position 0 at field d");
    assertThat(sentences(Schema.of(fields), Schema.of(fields[1], fields[2], fields[3], fields[0])))
        .containsExactly("POSITION: Expected position 0 but found position 3 at field a");
    assertThat(sentences(Schema.of(fields), Schema.of(fields[3], fields[2], fields[1], fields[0])))
        .hasSize(3);
  }

  @Test
  void missingAndExtraFieldsDoNotMoveOthers() {
    assertThat(
            sentences(
                Schema.of(field("a", INT32), field("b", INT32), field("c", INT32)),
                Schema.of(field("z", INT32), field("b", INT32), field("c", INT32))))
        .containsExactly(
            "MISSING: Expected int32 but found no field at field a",
            "EXTRA: Expected no field but found int32 at field z");
  }

  @Test
  void comparesFieldsOfTheSameNameInOrder() {
    assertThat(
            sentences(
                Schema.of(field("a", INT32), field("a", UTF8)),
                Schema.of(field("a", INT32), field("a", INT64), field("a", INT8))))
        .containsExactly(
            "TYPE: Expected utf8 but found int64 at field a",
            "EXTRA: Expected no field but found int8 at field a");
    assertThat(
            sentences(
                Schema.of(field("a", INT32), field("a", UTF8)),
                Schema.of(field("a", UTF8), field("a", INT32))))
        .containsExactly(
            "TYPE: Expected int32 but found utf8 at field a",
            "TYPE: Expected utf8 but found int32 at field a");
  }

  @Test
  void reportsDifferentTypes() {
    assertThat(sentences(field("a", INT32), field("a", INT64)))
        .containsExactly("TYPE: Expected int32 but found int64 at field a");
    assertThat(
            sentences(
                field("a", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC")),
                field("a", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null))))
        .containsExactly("TYPE: Expected timestamp[us, UTC] but found timestamp[us] at field a");
    assertThat(
            sentences(
                field("a", LIST, field("item", INT32)),
                field("a", new ArrowType.LargeList(), field("item", UTF8))))
        .containsExactly(
            "TYPE: Expected list<item: int32> but found large_list<item: utf8> at field a");
  }

  @Test
  void reportsDifferentTypeParametersAndChildren() {
    assertThat(
            sentences(
                field("a", new ArrowType.FixedSizeList(2), field("item", INT32)),
                field("a", new ArrowType.FixedSizeList(3), field("item", INT64))))
        .containsExactly(
            "TYPE: Expected fixed_size_list[2] but found fixed_size_list[3] at field a",
            "TYPE: Expected int32 but found int64 at field a.item");
  }

  @Test
  void reportsDifferentTypeIdsOfAUnion() {
    assertThat(
            sentences(
                field("a", new ArrowType.Union(UnionMode.DENSE, List.of(0)), field("b", INT32)),
                field("a", new ArrowType.Union(UnionMode.DENSE, List.of(5)), field("b", INT32))))
        .containsExactly(
            "TYPE: Expected dense_union of type ids [0] but found dense_union of type ids [5] at"
                + " field a");
  }

  @Test
  void reportsDifferentNullability() {
    assertThat(sentences(Field.of("a", false, INT32), field("a", INT32)))
        .containsExactly("NULLABILITY: Expected not nullable but found nullable at field a");
    assertThat(sentences(field("a", INT32), Field.of("a", false, INT32)))
        .containsExactly("NULLABILITY: Expected nullable but found not nullable at field a");
  }

  @Test
  void reportsThatOnlyOneFieldIsDictionaryEncoded() {
    Field encoded = encoded(1, new ArrowType.Int(8, true), false);
    assertThat(sentences(encoded, field("a", UTF8)))
        .containsExactly(
            "ENCODING: Expected dictionary-encoded values but found plain values at field a");
    assertThat(sentences(field("a", INT32), encoded))
        .containsExactly(
            "ENCODING: Expected plain values but found dictionary-encoded values at field a",
            "TYPE: Expected int32 but found utf8 at field a");
  }

  @Test
  void reportsDifferentValueTypesOfDictionaries() {
    Field encoded = encoded(1, new ArrowType.Int(8, true), false);
    assertThat(sentences(encoded, field("a", INT64).withDictionary(encoded.dictionary())))
        .containsExactly("TYPE: Expected utf8 but found int64 at field a");
  }

  @Test
  void reportsThatOnlyOneDictionaryIsOrdered() {
    ArrowType.Int index = new ArrowType.Int(8, true);
    assertThat(sentences(encoded(1, index, true), encoded(1, index, false)))
        .containsExactly(
            "ORDER: Expected an ordered dictionary but found an unordered dictionary at field a");
  }

  @Test
  void reportsDifferentExtensions() {
    Field named = extended("ARROW:extension:name", "arrow.json", "other", "1");
    assertThat(sentences(named, field("a", UTF8)))
        .containsExactly(
            "EXTENSION: Expected ARROW:extension:name \"arrow.json\" but found no"
                + " ARROW:extension:name at field a");
    assertThat(sentences(field("a", UTF8), named))
        .containsExactly(
            "EXTENSION: Expected no ARROW:extension:name but found ARROW:extension:name"
                + " \"arrow.json\" at field a");
    assertThat(
            sentences(
                named,
                extended("ARROW:extension:metadata", "{}", "ARROW:extension:name", "arrow.json")))
        .containsExactly(
            "EXTENSION: Expected no ARROW:extension:metadata but found ARROW:extension:metadata"
                + " \"{}\" at field a");
  }

  @Test
  void emptyExtensionMetadataEqualsAbsentMetadata() {
    assertMatch(
        extended("ARROW:extension:name", "arrow.json"),
        extended("ARROW:extension:metadata", "", "ARROW:extension:name", "arrow.json"));
  }

  @Test
  void reportsDifferencesInChildren() {
    Field stored =
        field(
            "a",
            LIST,
            field(
                "item",
                STRUCT,
                field("b", INT32),
                Field.of("c", false, UTF8),
                field("d", LIST, field("item", INT8))));
    Field uploaded =
        field(
            "a",
            LIST,
            field(
                "element",
                STRUCT,
                Field.of("c", true, UTF8),
                field("b", INT32),
                field("d", LIST, field("item", UTF8)),
                field("e", INT64)));
    assertThat(sentences(stored, uploaded))
        .containsExactly(
            "NAME: Expected the name \"item\" but found \"element\" at field a.item",
            "POSITION: Expected position 0 but found position 1 at field a.item.b",
            "NULLABILITY: Expected not nullable but found nullable at field a.item.c",
            "TYPE: Expected int8 but found utf8 at field a.item.d.item",
            "EXTRA: Expected no field but found int64 at field a.item.e");
  }

  @Test
  void reportsDifferencesInDictionaryValues() {
    DictionaryEncoding encoding = new DictionaryEncoding(1, new ArrowType.Int(8, true), false);
    assertThat(
            sentences(
                field("a", LIST, field("item", INT32)).withDictionary(encoding),
                field("a", LIST, field("item", UTF8)).withDictionary(encoding)))
        .containsExactly("TYPE: Expected int32 but found utf8 at field a.item");
  }

  @Test
  void messageIsTheFirstDifference() {
    assertThat(mismatch(Schema.of(field("a", INT32)), Schema.of(field("a", UTF8))))
        .hasMessage(
            "Expected int32 but found utf8 at field a, the only difference from the schema of"
                + " flights");
    assertThat(mismatch(Schema.of(field("a", INT32)), Schema.of(field("b", INT32))))
        .hasMessage(
            "Expected int32 but found no field at field a, the first of 2 differences from the"
                + " schema of flights");
  }

  @Test
  void reportsAtMostAHundredDifferencesAndTheirTotal() {
    Schema stored = numbered(INT32, SchemaMatch.MAXIMUM + 50);
    SchemaMismatchException mismatch = mismatch(stored, numbered(UTF8, SchemaMatch.MAXIMUM + 50));
    assertThat(mismatch.differences()).hasSize(SchemaMatch.MAXIMUM);
    assertThat(mismatch.count()).isEqualTo(SchemaMatch.MAXIMUM + 50);
  }

  @Test
  void truncatesLongTypeDescriptions() {
    Field stored = field("a", LIST, field("b".repeat(5_000), INT32));
    assertThat(sentences(stored, field("a", STRUCT)))
        .singleElement()
        .satisfies(sentence -> assertThat(sentence).hasSizeLessThan(200).contains("bbb…"));
  }

  private static Schema numbered(ArrowType type, int count) {
    return Schema.of(
        IntStream.range(0, count).mapToObj(i -> field("f" + i, type)).toArray(Field[]::new));
  }
}
