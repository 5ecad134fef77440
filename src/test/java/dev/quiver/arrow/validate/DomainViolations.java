package dev.quiver.arrow.validate;

import static dev.quiver.arrow.validate.RawArray.INT16;
import static dev.quiver.arrow.validate.RawArray.INT32;
import static dev.quiver.arrow.validate.RawArray.INT64;
import static dev.quiver.arrow.validate.RawArray.INT8;
import static dev.quiver.arrow.validate.RawArray.NONE;
import static dev.quiver.arrow.validate.RawArray.UTF8;
import static dev.quiver.arrow.validate.RawArray.array;
import static dev.quiver.arrow.validate.RawArray.bits;
import static dev.quiver.arrow.validate.RawArray.hex;
import static dev.quiver.arrow.validate.RawArray.int32Array;
import static dev.quiver.arrow.validate.RawArray.int32s;
import static dev.quiver.arrow.validate.RawArray.int64s;
import static dev.quiver.arrow.validate.RawArray.int8s;
import static dev.quiver.arrow.validate.Violation.below;
import static dev.quiver.arrow.validate.Violation.ofSchema;
import static dev.quiver.arrow.validate.Violation.violation;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;

/// Violations of the rules of [Level#DOMAIN], for [RuleTest].
final class DomainViolations {

  private static final ArrowType STRUCT = new ArrowType.Struct();
  private static final ArrowType BINARY = new ArrowType.Binary();
  private static final ArrowType RUNS = new ArrowType.RunEndEncoded();
  private static final ArrowType DATE = new ArrowType.Date(DateUnit.MILLISECOND);

  private DomainViolations() {}

  static Stream<Violation> all() {
    return Stream.of(
            decimals(),
            dates(),
            times(),
            nulls(),
            fields(),
            timezones(),
            extensionStorages(),
            extensionMetadata())
        .flatMap(violations -> violations);
  }

  private static Stream<Violation> decimals() {
    return Stream.of(
        decimal(3, 32, int32s(-999, 999, 1000), "Expected at most 3 digits but found 1000"),
        decimal(3, 32, int32s(-999, 999, -1000), "Expected at most 3 digits but found -1000"),
        decimal(
            18,
            64,
            int64s(-999_999_999_999_999_999L, 0, 1_000_000_000_000_000_000L),
            "Expected at most 18 digits but found 1000000000000000000"),
        decimal(2, 128, int64s(99, 0, -99, -1, 100, 0), "Expected at most 2 digits but found 100"),
        decimal(
            2, 128, int64s(99, 0, -99, -1, -100, -1), "Expected at most 2 digits but found -100"),
        decimal(
            2,
            128,
            int64s(99, 0, -99, -1, 0, 1),
            "Expected at most 2 digits but found 18446744073709551616"),
        decimal(
            38,
            128,
            hex(
                """
                ffffffff3f228a097ac4865aa84c3b4b 01000000c0dd75f6853b79a557b3c4b4
                00000000 40228a097ac4865aa84c3b4b\
                """),
            "Expected at most 38 digits but found 100000000000000000000000000000000000000"),
        decimal(
            1,
            256,
            int64s(9, 0, 0, 0, -9, -1, -1, -1, 10, 0, 0, 0),
            "Expected at most 1 digits but found 10"),
        decimal(
            1,
            256,
            int64s(9, 0, 0, 0, -9, -1, -1, -1, 0, 0, 0, -1),
            "Expected at most 1 digits but found"
                + " -6277101735386680763835789423207666416102355444464034512896"));
  }

  /// Returns a violation in the third of three slots.
  private static Violation decimal(
      int precision, int bitWidth, MemorySegment data, String sentence) {
    return violation(
        array(new ArrowType.Decimal(precision, 0, bitWidth), 3, NONE, data),
        Rule.DECIMAL_PRECISION,
        2,
        sentence + " at slots[2]");
  }

  private static Stream<Violation> dates() {
    String expected = "Expected whole days, a multiple of 86400000, but found ";
    RawArray dates = array(DATE, 4, bits("1011"), int64s(0, -86_400_000, 7, 9)).nulls(1);
    return Stream.of(
        violation(dates, Rule.DATE_WHOLE_DAYS, 3, expected + "9 at slots[3]"),
        below(
            "f.0",
            array(STRUCT, 3, bits("110")).nulls(1).children(array(DATE, 3, NONE, int64s(1, 0, -1))),
            Rule.DATE_WHOLE_DAYS,
            2,
            expected + "-1 at slots[2]"));
  }

  private static Stream<Violation> times() {
    String expected = "Expected a time of day, 0 to less than ";
    return Stream.of(
        time(TimeUnit.SECOND, int32s(0, 86_399, 86_400), expected + "86400, but found 86400"),
        time(TimeUnit.SECOND, int32s(0, 86_399, -1), expected + "86400, but found -1"),
        time(
            TimeUnit.MILLISECOND,
            int32s(0, 86_399_999, 86_400_000),
            expected + "86400000, but found 86400000"),
        time(
            TimeUnit.MICROSECOND,
            int64s(0, 86_399_999_999L, 86_400_000_000L),
            expected + "86400000000, but found 86400000000"),
        time(
            TimeUnit.NANOSECOND,
            int64s(0, 86_399_999_999_999L, 86_400_000_000_000L),
            expected + "86400000000000, but found 86400000000000"));
  }

  private static Violation time(TimeUnit unit, MemorySegment data, String sentence) {
    return violation(
        array(new ArrowType.Time(unit, ArrowType.Time.bitWidthOf(unit)), 3, NONE, data),
        Rule.TIME_OF_DAY,
        2,
        sentence + " at slots[2]");
  }

  private static Stream<Violation> nulls() {
    String sentence = "Expected a value, since the field is not nullable, but found null at slots";
    RawArray child = array(INT32, 3, bits("010"), int32s(1, 2, 3)).nulls(2).required();
    return Stream.of(
        below(
            "f.0",
            array(STRUCT, 3, bits("110")).nulls(1).children(child),
            Rule.NOT_NULLABLE,
            2,
            sentence + "[2]"),
        below(
            "f.0",
            array(STRUCT, 1, NONE).children(array(new ArrowType.Null(), 1).nulls(1).required()),
            Rule.NOT_NULLABLE,
            0,
            sentence + "[0]"),
        below(
            "f.0",
            array(STRUCT, 2, NONE)
                .children(
                    array(UTF8, 2, bits("01"), int8s(0, 0))
                        .nulls(1)
                        .indices(new ArrowType.Int(8, true), RawArray.utf8Array("a"))
                        .required()),
            Rule.NOT_NULLABLE,
            1,
            sentence + "[1]"),
        // These slots are not null themselves but refer to null values.
        requiredChild(
            array(UTF8, 3, bits("111"), int8s(0, 1, -1))
                .indices(new ArrowType.Int(8, false), manyValuesAndANull()),
            2,
            sentence),
        requiredChild(
            array(UTF8, 3, NONE, int8s(0, 0, 0))
                .indices(new ArrowType.Int(8, false), array(new ArrowType.Null(), 1).nulls(1)),
            0,
            sentence),
        requiredChild(
            array(RUNS, 3)
                .children(int32Array(2, 5), array(INT32, 2, bits("01"), int32s(7, 8)).nulls(1)),
            2,
            sentence),
        requiredChild(
            array(RUNS, 3)
                .children(
                    int32Array(2, 5),
                    array(UTF8, 2, NONE, int8s(0, 2))
                        .indices(
                            new ArrowType.Int(8, true),
                            array(RUNS, 3)
                                .children(
                                    int32Array(2, 3),
                                    array(INT32, 2, bits("01"), int32s(7, 8)).nulls(1)))),
            2,
            sentence));
  }

  /// Returns a violation in the only child of a three-slot struct, which is not nullable.
  private static Violation requiredChild(RawArray child, long slot, String sentence) {
    return below(
        "f.0",
        array(STRUCT, 3, NONE).children(child.required()),
        Rule.NOT_NULLABLE,
        slot,
        sentence + "[" + slot + "]");
  }

  /// Returns 256 values, the last one null.
  private static RawArray manyValuesAndANull() {
    return array(INT8, 256, bits("0" + "1".repeat(255)), int8s(new int[256])).nulls(1);
  }

  private static Stream<Violation> fields() {
    Field key = Field.of("key", false, UTF8);
    Field nullableKey = Field.of("key", true, UTF8);
    Field value = Field.of("value", true, UTF8);
    String sentence = "Expected a non-nullable field but found a nullable one at Field.nullable";
    return Stream.of(
        ofSchema(
            Field.of(
                "f", true, new ArrowType.Map(false), Field.of("entries", true, STRUCT, key, value)),
            "f.entries",
            Rule.CHILD_NULLABLE,
            sentence),
        ofSchema(
            Field.of(
                "f",
                true,
                new ArrowType.Map(false),
                Field.of("entries", false, STRUCT, nullableKey, value)),
            "f.entries.key",
            Rule.CHILD_NULLABLE,
            sentence),
        ofSchema(
            Field.of(
                "f", true, new ArrowType.RunEndEncoded(), Field.of("run_ends", true, INT32), value),
            "f.run_ends",
            Rule.CHILD_NULLABLE,
            sentence));
  }

  private static Stream<Violation> timezones() {
    return Stream.of("Europe/Atlantis", "+24:00", "+01:60", "+1", "utc\u0000", "x".repeat(101))
        .map(timezone ->
            ofSchema(
                Field.of("f", true, new ArrowType.Timestamp(TimeUnit.SECOND, timezone)),
                "f",
                Rule.TIMEZONE,
                "Expected a time zone of the tz database, or an offset such as +01:00, but found"
                    + " \"%s\" at Timestamp.timezone"
                        .formatted(
                            timezone.length() > 100
                                ? timezone.substring(0, 100) + "…"
                                : timezone)));
  }

  private static Stream<Violation> extensionStorages() {
    Field metadata = Field.of("metadata", false, BINARY);
    Field nullableMetadata = Field.of("metadata", true, BINARY);
    Field value = Field.of("value", true, BINARY);
    ArrowType utc = new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC");
    Field offset = Field.of("offset_minutes", true, INT16);
    Field item = Field.of("item", true, INT64);
    String tensor = "{\"shape\":[2,3]}";
    String variant = "struct<metadata: binary not null> with value or typed_value";
    String withOffset = "struct<timestamp: timestamp[UTC], offset_minutes: int16>";
    return Stream.of(
        storage("json", "", Field.of("f", true, BINARY), "text"),
        storage("uuid", "", Field.of("f", true, UTF8), "fixed_size_binary[16]"),
        storage("bool8", "", Field.of("f", true, INT16), "int8"),
        storage(
            "fixed_shape_tensor",
            tensor,
            Field.of("f", true, new ArrowType.FixedSizeList(5), item),
            "fixed_size_list[6]"),
        storage(
            "fixed_shape_tensor",
            tensor,
            Field.of("f", true, new ArrowType.List(), item),
            "fixed_size_list[6]"),
        storage(
            "fixed_shape_tensor",
            "{\"shape\":[2147483647,2147483647,2147483647]}",
            Field.of("f", true, new ArrowType.FixedSizeList(5), item),
            "fixed_size_list[9223372036854775807]"),
        storage(
            "variable_shape_tensor",
            "",
            Field.of("f", true, STRUCT, Field.of("data", true, new ArrowType.List(), item)),
            "struct<data: list, shape: fixed_size_list<int32>>"),
        storage("parquet.variant", "", Field.of("f", true, STRUCT, metadata), variant),
        storage(
            "parquet.variant", "", Field.of("f", true, STRUCT, nullableMetadata, value), variant),
        storage("parquet.variant", "", Field.of("f", true, BINARY), variant),
        storage(
            "timestamp_with_offset",
            "",
            Field.of("f", true, STRUCT, Field.of("timestamp", true, INT64), offset),
            withOffset),
        storage(
            "timestamp_with_offset",
            "",
            Field.of("f", true, STRUCT, offset, Field.of("timestamp", true, utc)),
            withOffset));
  }

  private static Violation storage(String name, String metadata, Field field, String expected) {
    return ofSchema(
        extension(field, name, metadata),
        "f",
        Rule.EXTENSION_STORAGE,
        "Expected %s but found %s at ARROW:extension:name"
            .formatted(expected, field.describeType()));
  }

  private static Stream<Violation> extensionMetadata() {
    Field uuid = Field.of("f", true, new ArrowType.FixedSizeBinary(16));
    Field number = Field.of("f", true, INT8);
    Field text = Field.of("f", true, UTF8);
    Field item = Field.of("item", true, INT64);
    Field tensor = Field.of("f", true, new ArrowType.FixedSizeList(6), item);
    Field variable =
        Field.of(
            "f",
            true,
            STRUCT,
            Field.of("data", true, new ArrowType.List(), item),
            Field.of("shape", true, new ArrowType.FixedSizeList(2), Field.of("n", true, INT32)));
    String fixed = "a JSON object with the shape, and names and permutation of its dimensions";
    String dimensions = "a JSON object that describes 2 dimensions, or nothing";
    String opaque = "a JSON object with type_name and vendor_name";
    return Stream.of(
        metadata("uuid", "{}", uuid, "nothing"),
        metadata("bool8", "x", number, "nothing"),
        metadata("json", "[]", text, "a JSON object or nothing"),
        metadata("json", "{} {}", text, "a JSON object or nothing"),
        metadata(
            "json", "{\"a\":\"" + "x".repeat(70_000) + "\"}", text, "a JSON object or nothing"),
        metadata("opaque", "{\"type_name\":\"a\"}", number, opaque),
        metadata("opaque", "[".repeat(5_000), number, opaque),
        metadata("fixed_shape_tensor", "", tensor, fixed),
        metadata("fixed_shape_tensor", "{\"shape\":[2,-3]}", tensor, fixed),
        metadata("fixed_shape_tensor", "{\"shape\":[2,3],\"dim_names\":[\"a\"]}", tensor, fixed),
        metadata("fixed_shape_tensor", "{\"shape\":[2,3],\"permutation\":[0,0]}", tensor, fixed),
        metadata("fixed_shape_tensor", "{\"shape\":[2,3],\"permutation\":[0,2]}", tensor, fixed),
        metadata("variable_shape_tensor", "{\"uniform_shape\":[1]}", variable, dimensions));
  }

  private static Violation metadata(String name, String metadata, Field field, String expected) {
    String found =
        metadata.isEmpty()
            ? "nothing"
            : metadata.length() > 100 ? metadata.substring(0, 100) + "…" : metadata;
    return ofSchema(
        extension(field, name, metadata),
        "f",
        Rule.EXTENSION_METADATA,
        "Expected %s but found %s at ARROW:extension:metadata".formatted(expected, found));
  }

  static Field extension(Field field, String name, String metadata) {
    return field.withMetadata(
        Metadata.of(
            KeyValue.of("ARROW:extension:name", "arrow." + name),
            KeyValue.of("ARROW:extension:metadata", metadata)));
  }
}
