package dev.quiver.arrow.validate;

import static dev.quiver.arrow.validate.RawArray.INT32;
import static dev.quiver.arrow.validate.RawArray.INT8;
import static dev.quiver.arrow.validate.RawArray.NONE;
import static dev.quiver.arrow.validate.RawArray.UTF8;
import static dev.quiver.arrow.validate.RawArray.array;
import static dev.quiver.arrow.validate.RawArray.bits;
import static dev.quiver.arrow.validate.RawArray.hex;
import static dev.quiver.arrow.validate.RawArray.int32Array;
import static dev.quiver.arrow.validate.RawArray.int32s;
import static dev.quiver.arrow.validate.RawArray.int8s;
import static dev.quiver.arrow.validate.RawArray.text;
import static dev.quiver.arrow.validate.RawArray.utf8Array;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests unusual but valid arrays, above all garbage in unobservable slots, and the number of
/// findings. [RuleTest] breaks each rule. [ObservedValuesTest] and [HostileArraysTest] use random
/// arrays.
class ValidatorTest {

  private static final ArrowType STRUCT = new ArrowType.Struct();
  private static final ArrowType LIST = new ArrowType.List();
  private static final ArrowType LIST_VIEW = new ArrowType.ListView();
  private static final ArrowType DENSE = new ArrowType.Union(UnionMode.DENSE, List.of(0, 1));
  private static final ArrowType SPARSE = new ArrowType.Union(UnionMode.SPARSE, List.of(0, 1));
  private static final ArrowType RUNS = new ArrowType.RunEndEncoded();

  /// Four slots of one byte; only slots 0 and 3 are valid text.
  private static final RawArray GARBAGE_AT_1_AND_2 =
      array(UTF8, 4, NONE, int32s(0, 1, 2, 3, 4), hex("61 ff ff 62"));

  private static void assertValid(RawArray given) {
    assertThat(Validator.validateDictionary(given.data(), Level.VALUES, "f")).isEmpty();
  }

  private static void assertFoundAt(String path, RawArray given, Long... indices) {
    assertThat(Validator.validateDictionary(given.data(), Level.VALUES, "f"))
        .allSatisfy(finding -> assertThat(finding.path()).isEqualTo(path))
        .extracting(Finding::index)
        .containsExactly(indices);
  }

  @Test
  void nullSlotsMayHoldAnything() {
    assertValid(array(UTF8, 4, bits("1001"), int32s(0, 1, 2, 3, 4), hex("61 ff ff 62")).nulls(2));
    assertValid(
        array(
                new ArrowType.Utf8View(),
                2,
                bits("10"),
                hex("ffffffff ffffffff ffffffff ffffffff 01000000 61000000 00000000 00000000"))
            .nulls(1));
    assertValid(
        array(UTF8, 2, bits("10"), int8s(-1, 0))
            .nulls(1)
            .indices(new ArrowType.Int(8, true), utf8Array("a")));
  }

  @Test
  void childrenOfNullStructsMayHoldAnything() {
    assertValid(array(STRUCT, 4, bits("1001")).nulls(2).children(GARBAGE_AT_1_AND_2));
    assertFoundAt("f.0", array(STRUCT, 4, bits("1011")).nulls(1).children(GARBAGE_AT_1_AND_2), 1L);
    RawArray inner = array(STRUCT, 4, bits("1110")).nulls(1).children(GARBAGE_AT_1_AND_2);
    assertValid(array(STRUCT, 4, bits("1001")).nulls(2).children(inner));
    assertFoundAt("f.0.0", array(STRUCT, 4, bits("1101")).nulls(1).children(inner), 2L);
  }

  @Test
  void slotsOfNullListsMayHoldAnything() {
    int[] offsets = {0, 1, 3, 4};
    assertValid(array(LIST, 3, bits("101"), int32s(offsets)).nulls(1).children(GARBAGE_AT_1_AND_2));
    assertFoundAt(
        "f.0", array(LIST, 3, NONE, int32s(offsets)).children(GARBAGE_AT_1_AND_2), 1L, 2L);
  }

  @Test
  void unreferencedListSlotsMayHoldAnything() {
    assertValid(array(LIST, 1, NONE, int32s(3, 4)).children(GARBAGE_AT_1_AND_2));
    assertValid(array(LIST, 1, NONE, int32s(0, 1)).children(GARBAGE_AT_1_AND_2));
    assertValid(
        array(LIST_VIEW, 3, bits("101"), int32s(3, 1, 0), int32s(1, 2, 1))
            .nulls(1)
            .children(GARBAGE_AT_1_AND_2));
    assertFoundAt(
        "f.0",
        array(LIST_VIEW, 3, NONE, int32s(3, 1, 0), int32s(1, 1, 1)).children(GARBAGE_AT_1_AND_2),
        1L);
  }

  @Test
  void slotsOfNullFixedSizeListsMayHoldAnything() {
    ArrowType pairs = new ArrowType.FixedSizeList(2);
    RawArray garbageAt2And3 = array(UTF8, 4, NONE, int32s(0, 1, 2, 3, 4), hex("61 62 ff ff"));
    assertValid(array(pairs, 2, bits("01")).nulls(1).children(garbageAt2And3));
    assertFoundAt("f.0", array(pairs, 2, NONE).children(garbageAt2And3), 2L, 3L);
    assertValid(array(new ArrowType.FixedSizeList(0), 5, NONE).children(garbageAt2And3));
  }

  @Test
  void unselectedUnionSlotsMayHoldAnything() {
    RawArray ints = int32Array(1, 2, 3, 4);
    assertValid(array(SPARSE, 4, int8s(0, 1, 1, 0)).children(GARBAGE_AT_1_AND_2, ints));
    assertFoundAt(
        "f.0", array(SPARSE, 4, int8s(0, 1, 0, 0)).children(GARBAGE_AT_1_AND_2, ints), 2L);
    assertValid(
        array(DENSE, 3, int8s(0, 1, 0), int32s(0, 2, 3)).children(GARBAGE_AT_1_AND_2, ints));
    assertFoundAt(
        "f.0",
        array(DENSE, 3, int8s(0, 1, 0), int32s(1, 2, 3)).children(GARBAGE_AT_1_AND_2, ints),
        1L);
  }

  @Test
  void runsUnderNullParentsMayHoldAnything() {
    RawArray runs = array(RUNS, 8).children(int32Array(1, 2, 5, 8), GARBAGE_AT_1_AND_2);
    assertValid(array(STRUCT, 8, bits("11100001")).nulls(4).children(runs));
    assertFoundAt("f.0.1", array(STRUCT, 8, bits("11110001")).nulls(3).children(runs), 2L);
  }

  @Test
  void ignoresNullEntriesOfNullMaps() {
    RawArray entries =
        array(STRUCT, 2, bits("10")).nulls(1).children(utf8Array("a", "b"), int32Array(1, 2));
    ArrowType map = new ArrowType.Map(false);
    assertValid(array(map, 2, bits("10"), int32s(0, 1, 2)).nulls(1).children(entries));
    assertFoundAt("f.0", array(map, 2, NONE, int32s(0, 1, 2)).children(entries), 0L);
  }

  @Test
  void emptyArraysMayLackBuffers() {
    assertValid(array(UTF8, 0, NONE, NONE, NONE));
    assertValid(array(UTF8, 0, NONE, int32s(0), NONE));
    assertValid(array(LIST, 0, NONE, NONE).children(utf8Array()));
    assertValid(array(LIST_VIEW, 0, NONE, NONE, NONE).children(utf8Array()));
    assertValid(array(DENSE, 0, NONE, NONE).children(utf8Array(), utf8Array()));
    assertValid(array(RUNS, 0).children(int32Array(), utf8Array()));
    assertValid(
        array(new ArrowType.Map(true), 0, NONE, NONE)
            .children(array(STRUCT, 0, NONE).children(utf8Array(), utf8Array())));
  }

  @Test
  void buffersAndChildrenMayBeLongerThanNeeded() {
    assertValid(array(UTF8, 1, hex("ff ff ff"), int32s(0, 1, 99), text("abc")));
    assertValid(array(STRUCT, 1, NONE).children(int32Array(1, 2), utf8Array("a", "b", "c")));
    assertValid(array(SPARSE, 1, int8s(0)).children(int32Array(1, 2), utf8Array("a", "b")));
    assertValid(array(RUNS, 1).children(int32Array(3, 9), utf8Array("a", "b", "c")));
  }

  @Test
  void firstOffsetMayExceedZero() {
    assertValid(array(UTF8, 2, NONE, int32s(1, 2, 4), hex("ff 61 c3 a4 ff")));
  }

  @Test
  void nullCountMayBeUnknownAndValidityMayHaveNoNulls() {
    assertValid(array(INT32, 3, bits("101"), int32s(1, 2, 3)).nulls(-1));
    assertValid(array(INT32, 3, bits("111"), int32s(1, 2, 3)));
    assertValid(array(new ArrowType.Null(), 3).nulls(3));
  }

  @Test
  void zeroNullCountOverridesTheValidity() {
    assertValid(array(INT32, 3, bits("000"), int32s(1, 2, 3)));
    assertValid(array(INT32, 9, bits("0"), int32s(1, 2, 3, 4, 5, 6, 7, 8, 9)));
    assertValid(array(RUNS, 2).children(array(INT32, 1, bits("0"), int32s(2)), utf8Array("a")));
    assertFoundAt(
        "f", array(UTF8, 4, bits("1001"), int32s(0, 1, 2, 3, 4), hex("61 ff ff 62")), 1L, 2L);
    assertFoundAt("f.0", array(STRUCT, 4, bits("0000")).children(GARBAGE_AT_1_AND_2), 1L, 2L);
    RawArray entries = array(STRUCT, 1, bits("0")).children(utf8Array("a"), int32Array(1));
    assertValid(array(new ArrowType.Map(false), 1, NONE, int32s(0, 1)).children(entries));
  }

  @Test
  void dictionaryMayBeMissingIfAllSlotsAreNull() {
    assertValid(
        array(UTF8, 2, bits("00"), int8s(5, 5)).nulls(2).indices(new ArrowType.Int(8, true), null));
  }

  @Test
  void listViewsMayOverlapInAnyOrder() {
    assertValid(
        array(LIST_VIEW, 4, NONE, int32s(2, 0, 1, 0), int32s(1, 3, 2, 0))
            .children(utf8Array("ä", "b", "c")));
  }

  @Test
  void unsignedIndicesUseTheirWholeRange() {
    RawArray dictionary = array(INT8, 256, NONE, int8s(new int[256]));
    RawArray indices = array(INT8, 2, NONE, int8s(0, 255));
    assertValid(indices.indices(new ArrowType.Int(8, false), dictionary));
    assertFoundAt("f", indices.indices(new ArrowType.Int(8, true), dictionary), 1L);
  }

  /// Covers a null that no slot of a required field refers to, and one that only an unobservable
  /// slot refers to.
  @Test
  void dictionariesOfRequiredFieldsMayHoldUnobservedNulls() {
    RawArray dictionary = array(UTF8, 3, bits("101"), int32s(0, 1, 1, 2), text("ab")).nulls(1);
    RawArray unused = array(UTF8, 2, NONE, int8s(2, 0));
    RawArray used = array(UTF8, 2, NONE, int8s(1, 0));
    ArrowType.Int int8 = new ArrowType.Int(8, true);
    for (RawArray given :
        List.of(
            array(STRUCT, 2, NONE).children(unused.indices(int8, dictionary).required()),
            array(STRUCT, 2, bits("10"))
                .nulls(1)
                .children(used.indices(int8, dictionary).required()),
            array(STRUCT, 2, NONE).children(used.indices(int8, dictionary)))) {
      assertThat(Validator.validateDictionary(given.data(), Level.DOMAIN, "f")).isEmpty();
    }
  }

  /// This also holds if slots are checked one by one because nulls are possible.
  @Test
  void datesInDaysMayHaveAnyValue() {
    for (int[] values : List.of(new int[] {1, -1, 20_000, 7}, new int[4])) {
      RawArray days =
          array(new ArrowType.Date(DateUnit.DAY), 4, bits("1111"), int32s(values)).nulls(-1);
      RawArray row = array(STRUCT, 4, NONE).children(days.required());
      assertThat(Validator.validateDictionary(row.data(), Level.DOMAIN, "f")).isEmpty();
    }
  }

  @Test
  void checksLongChildrenOfListViewsInFull() {
    int length = (int) ObservedRange.SCATTERED_SLOTS_MAXIMUM + 1;
    RawArray indices =
        array(UTF8, length, NONE, int8s(new int[length])).indices(new ArrowType.Int(8, true), null);
    RawArray views = array(LIST_VIEW, 0, NONE, NONE, NONE).children(indices.nulls(-1));
    assertThat(Validator.validateDictionary(views.data(), Level.VALUES, "f"))
        .hasSize(Validator.FINDINGS_MAXIMUM);
  }

  @Test
  void stopsAfterTheMaximumNumberOfFindings() {
    ArrayData array = array(UTF8, 500, NONE, int32s(ascending(501)), garbage(500)).data();
    assertThat(Validator.validateDictionary(array, Level.VALUES, "f"))
        .hasSize(Validator.FINDINGS_MAXIMUM)
        .last()
        .extracting(Finding::index)
        .isEqualTo(99L);
  }

  private static int[] ascending(int count) {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = i;
    }
    return values;
  }

  private static MemorySegment garbage(int byteSize) {
    return int8s(new int[byteSize]).fill((byte) 0xFF);
  }

  @Test
  void valuesOfADictionaryMayBeNullEvenIfNotNullable() {
    RawArray values = array(INT32, 2, bits("01"), int32s(1, 2)).nulls(1).required();
    assertThat(Validator.validateDictionary(values.data(), Level.DOMAIN, "f")).isEmpty();
  }

  @Test
  void acceptsTimezonesOfTheTzDatabaseAndOffsets() {
    Stream.of("UTC", "Etc/UTC", "Europe/Zurich", "EST", "Zulu", "+00:00", "-23:59", "+05:30", "")
        .map(timezone -> new ArrowType.Timestamp(TimeUnit.NANOSECOND, timezone))
        .forEach(type -> assertValidSchema(Field.of("f", true, type)));
  }

  @Test
  void acceptsEveryStorageOfExtensionTypes() {
    Field item = Field.of("item", true, INT32);
    ArrowType binary = new ArrowType.LargeBinary();
    Field metadata =
        Field.of("metadata", false, binary).withDictionary(new DictionaryEncoding(0, INT8, false));
    Field typed = Field.of("typed_value", true, INT32);
    Field timestamp = Field.of("timestamp", false, new ArrowType.Timestamp(TimeUnit.SECOND, "UTC"));
    Field runs =
        Field.of(
            "offset_minutes",
            false,
            RUNS,
            Field.of("run_ends", false, INT32),
            Field.of("values", true, new ArrowType.Int(16, true)));
    Field shape = Field.of("shape", true, new ArrowType.FixedSizeList(3), item);
    Field data = Field.of("data", true, LIST, item);
    assertExtension("json", "{}", Field.of("f", true, new ArrowType.Utf8View()));
    assertExtension("uuid", "", Field.of("f", true, new ArrowType.FixedSizeBinary(16)));
    assertExtension("bool8", "", Field.of("f", true, INT8));
    assertExtension(
        "opaque",
        "{\"type_name\":\"a\",\"vendor_name\":\"b\",\"c\":0}",
        Field.of("f", true, new ArrowType.Null()));
    assertExtension("parquet.variant", "", Field.of("f", true, STRUCT, typed, metadata));
    assertExtension("timestamp_with_offset", "", Field.of("f", true, STRUCT, timestamp, runs));
    assertExtension(
        "fixed_shape_tensor",
        "{\"shape\":[3,2],\"permutation\":[1,0],\"dim_names\":[\"a\",\"b\"]}",
        Field.of("f", true, new ArrowType.FixedSizeList(6), item));
    assertExtension(
        "fixed_shape_tensor",
        "{\"shape\":[0,2147483647,2147483647,2147483647]}",
        Field.of("f", true, new ArrowType.FixedSizeList(0), item));
    assertExtension("variable_shape_tensor", "", Field.of("f", true, STRUCT, shape, data));
    assertExtension(
        "variable_shape_tensor",
        "{\"uniform_shape\":[400,null,3],\"permutation\":[2,0,1]}",
        Field.of("f", true, STRUCT, data, shape));
    assertExtension("unknown.extension", "x", Field.of("f", true, INT32));
  }

  private static void assertExtension(String name, String metadata, Field field) {
    assertValidSchema(DomainViolations.extension(field, name, metadata));
  }

  private static void assertValidSchema(Field field) {
    assertThat(Validator.validate(Schema.of(field), Level.DOMAIN)).isEmpty();
  }

  /// Without truncation, each of many findings could repeat a name as long as the metadata.
  @Test
  void truncatesLongPaths() {
    Field field = Field.of("a".repeat(3_000), true, INT32);
    FieldPath path = FieldPath.of(Field.of("x".repeat(5_000), true, STRUCT)).child(field);
    assertThat(path).hasToString("…" + "a".repeat(1_000));
    Field end = Field.of("b".repeat(999), true, INT32);
    assertThat(path.child(end)).hasToString("…." + "b".repeat(999));
    assertThat(FieldPath.of(end).child(Field.of("", true, INT32)))
        .hasToString("b".repeat(999) + ".");
    // No surrogate pair is split.
    assertThat(FieldPath.of(Field.of("a" + "😀".repeat(600), true, INT32)))
        .hasToString("…" + "😀".repeat(500));
    assertThat(FieldPath.of(Field.of("😀".repeat(600) + "a", true, INT32)))
        .hasToString("…" + "😀".repeat(499) + "a");
  }

  @Test
  void truncatesLongText() {
    String timezone = "-".repeat(99) + "😀";
    Schema schema =
        Schema.of(Field.of("f", true, new ArrowType.Timestamp(TimeUnit.SECOND, timezone)));
    assertThat(Validator.validate(schema, Level.DOMAIN))
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.sentence()).contains("\"" + "-".repeat(99) + "…\""));
  }
}
