package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.Flat.assertRejected;
import static dev.quiver.arrow.metadata.Flat.dictionary;
import static dev.quiver.arrow.metadata.Flat.field;
import static dev.quiver.arrow.metadata.Flat.int32;
import static dev.quiver.arrow.metadata.Flat.intType;
import static dev.quiver.arrow.metadata.Flat.schema;
import static dev.quiver.arrow.metadata.Flat.schemaMessage;
import static dev.quiver.arrow.metadata.FlatBytes.bytes;
import static dev.quiver.arrow.metadata.FlatBytes.int32s;
import static dev.quiver.arrow.metadata.FlatBytes.int64s;
import static dev.quiver.arrow.metadata.FlatBytes.table;
import static dev.quiver.arrow.metadata.FlatBytes.tables;
import static dev.quiver.arrow.metadata.FlatBytes.text;
import static dev.quiver.arrow.metadata.VtableSlots.*;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.FlatBytes.Table;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests that invalid schemas are rejected with an error that names the location.
///
/// `MalformedMetadataTest` covers messages, batches and footers, `MalformedFlatBufferTest` invalid
/// FlatBuffers buffers.
class MalformedSchemaTest {

  // ---- types ----

  @Test
  void rejectsUnknownTypes() {
    Table field = int32("a").put(FIELD_TYPE_TYPE, 27);
    assertUnsupported(
        field,
        "Expected a code of 0 (NONE) to 26 (LARGE_LIST_VIEW) but found 27 at field a,"
            + " Field.type_type");
    assertUnsupported(
        field.put(FIELD_TYPE_TYPE, 255),
        "Expected a code of 0 (NONE) to 26 (LARGE_LIST_VIEW) but found 255 at field a,"
            + " Field.type_type");
  }

  @Test
  void rejectsAFieldWithoutAType() {
    assertMalformed(
        int32("a").without(FIELD_TYPE_TYPE),
        "Expected the code of a type but found 0 (NONE) at field a, Field.type_type");
    assertMalformed(
        int32("a").without(FIELD_TYPE), "Expected a table but found none at field a, Field.type");
  }

  @Test
  void rejectsUnknownIntegerWidths() {
    for (int bitWidth : new int[] {0, -8, 7, 128, Integer.MAX_VALUE}) {
      assertUnsupported(
          field("a", TypeCode.INT, intType(bitWidth)),
          "Expected 8, 16, 32 or 64 but found " + bitWidth + " at field a, Int.bitWidth");
    }
  }

  @Test
  void rejectsUnknownConstants() {
    assertUnsupported(
        field("a", TypeCode.FLOATING_POINT, table().put(FLOATING_POINT_PRECISION, 3)),
        "Expected a code of 0 (HALF) to 2 (DOUBLE) but found 3 at field a,"
            + " FloatingPoint.precision");
    assertUnsupported(
        field("a", TypeCode.DATE, table().put(DATE_UNIT, -1)),
        "Expected a code of 0 (DAY) to 1 (MILLISECOND) but found -1 at field a, Date.unit");
    assertUnsupported(
        field("a", TypeCode.TIME, table().put(TIME_UNIT, 4)),
        "Expected a code of 0 (SECOND) to 3 (NANOSECOND) but found 4 at field a, Time.unit");
    assertUnsupported(
        field("a", TypeCode.TIMESTAMP, table().put(TIMESTAMP_UNIT, 4)),
        "Expected a code of 0 (SECOND) to 3 (NANOSECOND) but found 4 at field a, Timestamp.unit");
    assertUnsupported(
        field("a", TypeCode.DURATION, table().put(DURATION_UNIT, Short.MAX_VALUE)),
        "Expected a code of 0 (SECOND) to 3 (NANOSECOND) but found 32767 at field a,"
            + " Duration.unit");
    assertUnsupported(
        field("a", TypeCode.INTERVAL, table().put(INTERVAL_UNIT, 3)),
        "Expected a code of 0 (YEAR_MONTH) to 2 (MONTH_DAY_NANO) but found 3 at field a,"
            + " Interval.unit");
    assertUnsupported(
        field("a", TypeCode.UNION, table().put(UNION_MODE, 2)),
        "Expected a code of 0 (SPARSE) to 1 (DENSE) but found 2 at field a, Union.mode");
  }

  @Test
  void rejectsInvalidDecimals() {
    assertUnsupported(
        field("a", TypeCode.DECIMAL, decimal(5, 16)),
        "Expected 32, 64, 128 or 256 but found 16 at field a, Decimal.bitWidth");
    assertMalformed(
        field("a", TypeCode.DECIMAL, decimal(0, 128)),
        "Expected 1 to 38 digits for a bit width of 128 but found 0 at field a,"
            + " Decimal.precision");
    assertMalformed(
        field("a", TypeCode.DECIMAL, decimal(10, 32)),
        "Expected 1 to 9 digits for a bit width of 32 but found 10 at field a,"
            + " Decimal.precision");
    assertMalformed(
        field("a", TypeCode.DECIMAL, table()),
        "Expected 1 to 38 digits for a bit width of 128 but found 0 at field a,"
            + " Decimal.precision");
  }

  @Test
  void rejectsATimeWhoseWidthDoesNotMatchItsUnit() {
    assertMalformed(
        field("a", TypeCode.TIME, table().put(TIME_BIT_WIDTH, 64)),
        "Expected 32 for MILLISECOND but found 64 at field a, Time.bitWidth");
    assertMalformed(
        field("a", TypeCode.TIME, table().put(TIME_UNIT, 3)),
        "Expected 64 for NANOSECOND but found 32 at field a, Time.bitWidth");
  }

  @Test
  void rejectsNegativeSizes() {
    assertMalformed(
        field("a", TypeCode.FIXED_SIZE_BINARY, table().put(FIXED_SIZE_BINARY_BYTE_WIDTH, -1)),
        "Expected 0 or more but found -1 at field a, FixedSizeBinary.byteWidth");
    assertMalformed(
        field(
            "a",
            TypeCode.FIXED_SIZE_LIST,
            table().put(FIXED_SIZE_LIST_LIST_SIZE, Integer.MIN_VALUE),
            int32("b")),
        "Expected 0 or more but found -2147483648 at field a, FixedSizeList.listSize");
  }

  @Test
  void rejectsInvalidUnionIds() {
    assertMalformed(
        union(0, 1), "Expected an id for each of 3 children but found 2 at field a, Union.typeIds");
    assertMalformed(
        union(0, 128, 1), "Expected 0 to 127 but found 128 at field a, Union.typeIds[1]");
    assertMalformed(union(0, 1, -1), "Expected 0 to 127 but found -1 at field a, Union.typeIds[2]");
    assertMalformed(
        union(7, 1, 7),
        "Expected an id that no other child has but found 7 at field a, Union.typeIds[2]");
    Table[] children = IntStream.range(0, 129).mapToObj(i -> int32("c" + i)).toArray(Table[]::new);
    assertMalformed(
        field("a", TypeCode.UNION, table(), children),
        "Expected at most 128 children but found 129 at field a, Union.typeIds");
  }

  // ---- children ----

  @Test
  void rejectsAWrongNumberOfChildren() {
    assertMalformed(
        field("a", TypeCode.INT, intType(32), int32("b")),
        "Expected 0 children of int32 but found 1 at field a, Field.children");
    assertMalformed(
        field("a", TypeCode.LIST, table()),
        "Expected 1 child of list but found 0 at field a, Field.children");
    assertMalformed(
        field("a", TypeCode.LIST, table()).without(FIELD_CHILDREN),
        "Expected 1 child of list but found 0 at field a, Field.children");
    assertMalformed(
        field("a", TypeCode.MAP, table(), int32("b"), int32("c")),
        "Expected 1 child of map but found 2 at field a, Field.children");
    assertMalformed(
        field("a", TypeCode.RUN_END_ENCODED, table(), int32("b")),
        "Expected 2 children of run_end_encoded but found 1 at field a, Field.children");
  }

  @Test
  void rejectsMapEntriesThatAreNotPairs() {
    assertMalformed(
        field("a", TypeCode.MAP, table(), int32("b")),
        "Expected a struct of a key and a value but found int32 at field a, Field.children");
    assertMalformed(
        field("a", TypeCode.MAP, table(), field("b", TypeCode.STRUCT, table(), int32("k"))),
        "Expected a struct of a key and a value but found struct<k: int32 not null> at field a,"
            + " Field.children");
    assertMalformed(
        field(
            "a",
            TypeCode.MAP,
            table(),
            dictionary(field("b", TypeCode.STRUCT, table(), int32("k"), int32("v")), 0)),
        "Expected a struct of a key and a value but found dictionary<int8, struct<k: int32 not"
            + " null, v: int32 not null>> at field a, Field.children");
  }

  @Test
  void rejectsRunEndsThatAreNotSignedIntegers() {
    assertMalformed(
        runs(field("ends", TypeCode.INT, intType(8))),
        "Expected run ends of int16, int32 or int64 but found int8 at field a, Field.children");
    assertMalformed(
        runs(field("ends", TypeCode.INT, table().put(INT_BIT_WIDTH, 32))),
        "Expected run ends of int16, int32 or int64 but found uint32 at field a, Field.children");
    assertMalformed(
        runs(dictionary(int32("ends"), 0)),
        "Expected run ends of int16, int32 or int64 but found dictionary<int8, int32> at field a,"
            + " Field.children");
  }

  @Test
  void errorNamesThePathOfTheField() {
    Table inner = field("c", TypeCode.INT, intType(7));
    Table list = field("", TypeCode.LIST, table(), inner);
    assertUnsupported(
        field("a", TypeCode.STRUCT, table(), int32("b"), list),
        "Expected 8, 16, 32 or 64 but found 7 at field a..c, Int.bitWidth");
  }

  // ---- dictionaries ----

  @Test
  void rejectsAnInvalidDictionaryEncoding() {
    assertUnsupported(
        int32("a").put(FIELD_DICTIONARY, table().put(DICTIONARY_ENCODING_DICTIONARY_KIND, 1)),
        "Expected 0 (DenseArray) but found 1 at field a, DictionaryEncoding.dictionaryKind");
    assertUnsupported(
        int32("a").put(FIELD_DICTIONARY, table().put(DICTIONARY_ENCODING_INDEX_TYPE, intType(24))),
        "Expected 8, 16, 32 or 64 but found 24 at field a, Int.bitWidth");
  }

  @Test
  void rejectsASharedDictionaryWithTwoValueTypes() {
    Table text = field("b", TypeCode.UTF8, table());
    Table list = field("c", TypeCode.LIST, table(), dictionary(text, 3));
    assertRejected(
        schemaMessage(dictionary(int32("a"), 3), list),
        MalformedInputException.class,
        "Expected dictionary 3 of int32 as in field \"a\" but found utf8 at field c.b,"
            + " DictionaryEncoding.id");
    assertRejected(
        schemaMessage(
            dictionary(field("a", TypeCode.LIST, table(), int32("x")), 3),
            dictionary(field("b", TypeCode.LIST, table(), dictionary(int32("x"), 4)), 3)),
        MalformedInputException.class,
        "Expected dictionary 3 of list<x: int32 not null> as in field \"a\" but found"
            + " list<x: dictionary<int8, int32> not null> at field b, DictionaryEncoding.id");
  }

  @Test
  void rejectsADictionaryThatContainsItself() {
    Table item = dictionary(int32("item"), 3);
    Table struct = field("s", TypeCode.STRUCT, table(), item);
    assertRejected(
        schemaMessage(dictionary(field("a", TypeCode.LIST, table(), struct), 3)),
        MalformedInputException.class,
        "Expected a dictionary other than 3, which contains this field but found dictionary 3 at field"
            + " a.s.item, DictionaryEncoding.id");
  }

  // ---- text ----

  @Test
  void rejectsNamesAndKeysThatAreNotUtf8() {
    assertMalformed(
        int32("").put(FIELD_NAME, bytes('a', 0xC3, 0x28)),
        "Expected UTF-8 but found other bytes at Field.name");
    assertMalformed(
        field("t", TypeCode.TIMESTAMP, table().put(TIMESTAMP_TIMEZONE, bytes(0xED, 0xA0, 0x80))),
        "Expected UTF-8 but found other bytes at field t, Timestamp.timezone");
    assertMalformed(
        withMetadata(table().put(KEY_VALUE_KEY, bytes(0xC0, 0x80))),
        "Expected UTF-8 but found other bytes at field a, KeyValue.key");
  }

  @Test
  void rejectsAMetadataEntryWithoutAKey() {
    assertMalformed(
        withMetadata(table().put(KEY_VALUE_VALUE, text("value"))),
        "Expected a key but found none at field a, KeyValue.key");
  }

  // ---- the schema itself ----

  @Test
  void rejectsUnknownEndiannessAndFeatures() {
    assertRejected(
        Flat.message(HeaderCode.SCHEMA, schema().put(SCHEMA_ENDIANNESS, 2)),
        UnsupportedInputException.class,
        "Expected a code of 0 (LITTLE) to 1 (BIG) but found 2 at Schema.endianness");
    assertRejected(
        Flat.message(HeaderCode.SCHEMA, schema().put(SCHEMA_FEATURES, int64s(1, 2, 3))),
        UnsupportedInputException.class,
        "Expected a feature of 0 to 2 but found 3 at Schema.features[1]");
  }

  @Test
  void limitsTheNumberOfFields() {
    Table fields =
        schemaMessage(field("s", TypeCode.STRUCT, table(), int32("a"), int32("b")), int32("c"));
    Flat.assertRejected(
        () -> MessageDecoder.decode(FlatBytes.build(fields), limits(3, 64)),
        TooLargeInputException.class,
        "Expected at most 3 fields in a schema (schema-fields) but found 4 at field"
            + " s, Field.children");
    MessageDecoder.decode(FlatBytes.build(fields), limits(4, 64));
  }

  @Test
  void limitsTheNestingDepth() {
    Table field = int32("x");
    for (int i = 0; i < 3; i++) {
      field = field("x", TypeCode.LIST, table(), field);
    }
    Table message = schemaMessage(field);
    Flat.assertRejected(
        () -> MessageDecoder.decode(FlatBytes.build(message), limits(100, 3)),
        TooLargeInputException.class,
        "Expected at most 3 levels of fields (schema-depth-levels) but found 4 at"
            + " field x.x.x, Field.children");
    MessageDecoder.decode(FlatBytes.build(message), limits(100, 4));
  }

  private static Limits limits(long fields, long depth) {
    return Limits.of(1 << 20, 1 << 20, 1000, fields, depth, 1 << 20, 1000, 1000);
  }

  private static Table decimal(int precision, int bitWidth) {
    return table().put(DECIMAL_PRECISION, precision).put(DECIMAL_BIT_WIDTH, bitWidth);
  }

  private static Table union(int... typeIds) {
    return field(
        "a",
        TypeCode.UNION,
        table().put(UNION_TYPE_IDS, int32s(typeIds)),
        int32("x"),
        int32("y"),
        int32("z"));
  }

  private static Table runs(Table runEnds) {
    return field("a", TypeCode.RUN_END_ENCODED, table(), runEnds, int32("values"));
  }

  private static Table withMetadata(Table entry) {
    return int32("a").put(FIELD_CUSTOM_METADATA, tables(entry));
  }

  private static void assertMalformed(Table field, String error) {
    assertRejected(schemaMessage(field), MalformedInputException.class, error);
  }

  private static void assertUnsupported(Table field, String error) {
    assertRejected(schemaMessage(field), UnsupportedInputException.class, error);
  }
}
