package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Values of each Arrow type, which the engine must find equal to literals of SQL.
class LiteralsTest extends EngineFixture {

  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final Field ITEM = Field.of("item", true, INT32);

  @ParameterizedTest
  @MethodSource("values")
  void valueEqualsTheLiteral(Field field, Object value, String type, String literal) {
    boolean nulls = !(field.type() instanceof ArrowType.Union);
    List<Object> values = nulls ? Arrays.asList(value, null, value) : List.of(value, value);
    try (Session session = engine.connect();
        TestTable table = new TestTable(Schema.of(field), false)) {
      table.add(Map.of(7L, List.of("other", "value")), List.of(values));
      String sql =
          "SELECT typeof(f), f IS NOT DISTINCT FROM "
              + literal
              + ", f = "
              + literal
              + ", hash(f) = hash("
              + literal
              + "::"
              + type
              + ") FROM t";
      List<Object> expected = List.of(type, true, true, true);
      List<List<@Nullable Object>> rows = TestEngine.rows(session, sql, Map.of("t", table));
      assertThat(rows.getFirst()).as("%s %s", field, literal).isEqualTo(expected);
      assertThat(rows.getLast()).isEqualTo(expected);
      if (nulls) {
        assertThat(rows.get(1)).startsWith(type, false, null);
      }
    }
  }

  static Stream<Arguments> values() {
    return Stream.of(
        value(new ArrowType.Bool(), true, "BOOLEAN", "true"),
        value(extension(new ArrowType.Int(8, true), "arrow.bool8"), 5, "BOOLEAN", "true"),
        value(new ArrowType.Int(8, true), -128, "TINYINT", "(-128)"),
        value(new ArrowType.Int(16, false), 65535, "USMALLINT", "65535"),
        value(new ArrowType.Int(32, true), -2147483648L, "INTEGER", "(-2147483648)"),
        value(
            new ArrowType.Int(64, false),
            new BigInteger("18446744073709551615"),
            "UBIGINT",
            "18446744073709551615"),
        value(new ArrowType.FloatingPoint(Precision.HALF), -1.5, "FLOAT", "-1.5::FLOAT"),
        value(new ArrowType.FloatingPoint(Precision.SINGLE), Double.NaN, "FLOAT", "'nan'::FLOAT"),
        value(new ArrowType.FloatingPoint(Precision.DOUBLE), 0.1, "DOUBLE", "0.1::DOUBLE"),
        value(new ArrowType.Decimal(3, 1, 32), big("-999"), "DECIMAL(3,1)", "-99.9"),
        value(new ArrowType.Decimal(9, 2, 32), big("123456789"), "DECIMAL(9,2)", "1234567.89"),
        value(new ArrowType.Decimal(4, 0, 64), big("-9999"), "DECIMAL(4,0)", "-9999"),
        value(
            new ArrowType.Decimal(12, 2, 128),
            big("-999999999999"),
            "DECIMAL(12,2)",
            "-9999999999.99"),
        value(new ArrowType.Decimal(7, 2, 128), big("-1234567"), "DECIMAL(7,2)", "-12345.67"),
        value(
            new ArrowType.Decimal(38, 10, 128),
            big("-" + "9".repeat(38)),
            "DECIMAL(38,10)",
            "-9999999999999999999999999999.9999999999"),
        value(
            new ArrowType.Decimal(38, 0, 256),
            big("-" + "8".repeat(38)),
            "DECIMAL(38,0)",
            "-" + "8".repeat(38)),
        value(new ArrowType.Decimal(5, 0, 256), big("-12345"), "DECIMAL(5,0)", "-12345"),
        value(new ArrowType.Decimal(2, 4, 32), big("-42"), "DECIMAL(4,4)", "-0.0042"),
        value(UTF8, "", "VARCHAR", "''"),
        value(UTF8, "twelve bytes", "VARCHAR", "'twelve bytes'"),
        value(new ArrowType.LargeUtf8(), "thirteen byte", "VARCHAR", "'thirteen byte'"),
        value(new ArrowType.Utf8View(), "eight by", "VARCHAR", "'eight by'"),
        value(new ArrowType.Utf8View(), "Größe, 矢, 😀", "VARCHAR", "'Größe, 矢, 😀'"),
        value(extension(UTF8, "arrow.json"), "{\"a\":1}", "JSON", "'{\"a\":1}'::JSON"),
        value(new ArrowType.Binary(), bytes(0, 255), "BLOB", "'\\x00\\xFF'::BLOB"),
        value(new ArrowType.FixedSizeBinary(3), bytes(1, 2, 3), "BLOB", "'\\x01\\x02\\x03'::BLOB"),
        value(
            extension(new ArrowType.FixedSizeBinary(16), "arrow.uuid"),
            bytes(0xF0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
            "UUID",
            "'f0010203-0405-0607-0809-0a0b0c0d0e0f'::UUID"),
        value(new ArrowType.Date(DateUnit.DAY), -1, "DATE", "DATE '1969-12-31'"),
        value(new ArrowType.Date(DateUnit.MILLISECOND), -86_400_000L, "DATE", "DATE '1969-12-31'"),
        value(new ArrowType.Time(TimeUnit.SECOND, 32), 3661, "TIME", "TIME '01:01:01'"),
        value(new ArrowType.Time(TimeUnit.MILLISECOND, 32), 5, "TIME", "TIME '00:00:00.005'"),
        value(new ArrowType.Time(TimeUnit.MICROSECOND, 64), 5, "TIME", "TIME '00:00:00.000005'"),
        value(
            new ArrowType.Time(TimeUnit.NANOSECOND, 64),
            5,
            "TIME_NS",
            "'00:00:00.000000005'::TIME_NS"),
        value(
            timestamp(TimeUnit.SECOND, null),
            -1,
            "TIMESTAMP_S",
            "'1969-12-31 23:59:59'::TIMESTAMP_S"),
        value(
            timestamp(TimeUnit.MILLISECOND, ""),
            1,
            "TIMESTAMP_MS",
            "'1970-01-01 00:00:00.001'::TIMESTAMP_MS"),
        value(
            timestamp(TimeUnit.MICROSECOND, null),
            1,
            "TIMESTAMP",
            "'1970-01-01 00:00:00.000001'::TIMESTAMP"),
        value(
            timestamp(TimeUnit.NANOSECOND, null),
            1,
            "TIMESTAMP_NS",
            "'1970-01-01 00:00:00.000000001'::TIMESTAMP_NS"),
        value(
            timestamp(TimeUnit.SECOND, "Europe/Paris"),
            -1,
            "TIMESTAMP WITH TIME ZONE",
            "'1969-12-31 23:59:59+00'::TIMESTAMPTZ"),
        value(
            timestamp(TimeUnit.MILLISECOND, "+05:00"),
            1,
            "TIMESTAMP WITH TIME ZONE",
            "'1970-01-01 05:00:00.001+05'::TIMESTAMPTZ"),
        value(new ArrowType.Duration(TimeUnit.SECOND), 90, "INTERVAL", "INTERVAL '90 seconds'"),
        value(new ArrowType.Duration(TimeUnit.NANOSECOND), -2000, "INTERVAL", "INTERVAL '-2 us'"),
        value(
            new ArrowType.Interval(IntervalUnit.YEAR_MONTH),
            14,
            "INTERVAL",
            "INTERVAL '14 months'"),
        value(
            new ArrowType.Interval(IntervalUnit.DAY_TIME),
            new IntervalValue.DayTime(2, -3),
            "INTERVAL",
            "INTERVAL '2 days -3 ms'"),
        value(
            new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO),
            new IntervalValue.MonthDayNano(1, 2, 3000),
            "INTERVAL",
            "INTERVAL '1 month 2 days 3 us'"),
        nested(new ArrowType.List(), List.of(1, 2), "INTEGER[]", "[1, 2]", ITEM),
        nested(new ArrowType.LargeListView(), List.of(3), "INTEGER[]", "[3]", ITEM),
        nested(
            new ArrowType.FixedSizeList(2),
            List.of(1, 2),
            "INTEGER[2]",
            "[1, 2]::INTEGER[2]",
            ITEM),
        nested(
            new ArrowType.Struct(),
            Arrays.asList(1, "x"),
            "STRUCT(a INTEGER, b VARCHAR)",
            "{'a': 1, 'b': 'x'}",
            Field.of("a", true, INT32),
            Field.of("b", true, UTF8)),
        nested(
            new ArrowType.Map(false),
            List.of(List.of("k", 1), List.of("l", 2)),
            "MAP(VARCHAR, INTEGER)",
            "MAP {'k': 1, 'l': 2}",
            Field.of(
                "entries",
                false,
                new ArrowType.Struct(),
                Field.of("key", false, UTF8),
                Field.of("value", true, INT32))),
        Arguments.of(
            Field.of(
                "f",
                true,
                new ArrowType.Union(UnionMode.DENSE, List.of(5, 7)),
                Field.of("n", true, INT32),
                Field.of("s", true, UTF8)),
            new UnionValue(7, "x"),
            "UNION(n INTEGER, s VARCHAR)",
            "union_value(s := 'x')::UNION(n INTEGER, s VARCHAR)"),
        nested(
            new ArrowType.RunEndEncoded(),
            "value",
            "VARCHAR",
            "'value'",
            Field.of("run_ends", false, new ArrowType.Int(16, true)),
            Field.of("values", true, UTF8)),
        Arguments.of(
            Field.of("f", true, UTF8)
                .withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, false), false)),
            "value",
            "VARCHAR",
            "'value'"));
  }

  private static Arguments value(ArrowType type, Object value, String name, String literal) {
    return value(Field.of("f", true, type), value, name, literal);
  }

  private static Arguments value(Field field, Object value, String name, String literal) {
    return Arguments.of(field, value, name, literal);
  }

  private static Arguments nested(
      ArrowType type, Object value, String name, String literal, Field... children) {
    return Arguments.of(Field.of("f", true, type, children), value, name, literal);
  }

  private static Field extension(ArrowType type, String name) {
    return Field.of("f", true, type)
        .withMetadata(Metadata.of(KeyValue.of("ARROW:extension:name", name)));
  }

  private static ArrowType timestamp(TimeUnit unit, @Nullable String zone) {
    return new ArrowType.Timestamp(unit, zone);
  }

  private static BigInteger big(String digits) {
    return new BigInteger(digits);
  }

  private static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.of(bytes);
  }
}
