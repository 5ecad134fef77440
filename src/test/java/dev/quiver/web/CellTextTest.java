package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.ArrayBuilder;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DateUnit;
import dev.quiver.columnar.DictionaryEncoding;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.IntervalUnit;
import dev.quiver.columnar.IntervalValue;
import dev.quiver.columnar.Precision;
import dev.quiver.columnar.TimeUnit;
import dev.quiver.columnar.UnionMode;
import dev.quiver.columnar.UnionValue;
import java.lang.foreign.Arena;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// How a value of each type reads on the page.
class CellTextTest {

  private static final Field UTF8 = Field.of("text", true, new ArrowType.Utf8());
  private static final Field INT8 = Field.of("number", true, new ArrowType.Int(8, true));

  private static String text(Field field, Object value) {
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto(), Map.of(7L, List.of("a", "b")));
    return CellText.of(Array.of(builder.array(field, Collections.singletonList(value))), 0);
  }

  private static Field field(ArrowType type, Field... children) {
    return Field.of("field", true, type, children);
  }

  static Stream<Arguments> values() {
    return Stream.of(
        arguments(field(new ArrowType.Bool()), true, "true"),
        arguments(field(new ArrowType.Int(8, true)), -1, "-1"),
        arguments(field(new ArrowType.Int(8, false)), 255, "255"),
        arguments(field(new ArrowType.Int(64, true)), Long.MIN_VALUE, "-9223372036854775808"),
        arguments(field(new ArrowType.FloatingPoint(Precision.HALF)), 0.5f, "0.5"),
        arguments(field(new ArrowType.FloatingPoint(Precision.SINGLE)), 0.1f, "0.1"),
        arguments(field(new ArrowType.FloatingPoint(Precision.DOUBLE)), Double.NaN, "NaN"),
        arguments(field(new ArrowType.Decimal(5, 2, 128)), new BigDecimal("-1.20"), "-1.20"),
        arguments(field(new ArrowType.Decimal(76, 0, 256)), new BigDecimal("7"), "7"),
        arguments(field(new ArrowType.Date(DateUnit.DAY)), -1, "1969-12-31"),
        arguments(field(new ArrowType.Date(DateUnit.DAY)), Integer.MAX_VALUE, "+5881580-07-11"),
        arguments(field(new ArrowType.Date(DateUnit.MILLISECOND)), 86_400_000L, "1970-01-02"),
        arguments(
            field(new ArrowType.Date(DateUnit.MILLISECOND)), Long.MAX_VALUE, "+292278994-08-17"),
        arguments(field(new ArrowType.Time(TimeUnit.SECOND, 32)), 61, "00:01:01"),
        arguments(field(new ArrowType.Time(TimeUnit.SECOND, 32)), -1, "-1 s"),
        arguments(field(new ArrowType.Time(TimeUnit.SECOND, 32)), 86_400, "86400 s"),
        arguments(
            field(new ArrowType.Timestamp(TimeUnit.SECOND, "UTC")), 0, "1970-01-01 00:00:00Z"),
        arguments(
            field(new ArrowType.Timestamp(TimeUnit.NANOSECOND, null)),
            1L,
            "1970-01-01 00:00:00.000000001"),
        arguments(
            field(new ArrowType.Timestamp(TimeUnit.SECOND, null)),
            Long.MAX_VALUE,
            "9223372036854775807 s"),
        arguments(field(new ArrowType.Duration(TimeUnit.MILLISECOND)), 5, "5 ms"),
        arguments(
            field(new ArrowType.Interval(IntervalUnit.DAY_TIME)),
            new IntervalValue.DayTime(1, 2),
            "0100000002000000"),
        arguments(field(new ArrowType.FixedSizeBinary(2)), new byte[] {1, -1}, "01ff"),
        arguments(field(new ArrowType.Binary()), new byte[] {1, -1}, "01ff"),
        arguments(field(new ArrowType.LargeBinary()), new byte[17], "00".repeat(16) + "…"),
        arguments(field(new ArrowType.Utf8View()), "a view", "a view"),
        arguments(field(new ArrowType.LargeUtf8()), "x".repeat(121), "x".repeat(120) + "…"),
        arguments(field(new ArrowType.Utf8()), "x".repeat(1_000_000), "x".repeat(120) + "…"),
        arguments(field(new ArrowType.List(), UTF8), Arrays.asList("a", null), "a, null"),
        arguments(
            field(new ArrowType.ListView(), INT8),
            List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"),
        arguments(field(new ArrowType.Struct(), UTF8, INT8), List.of("a", 1), "text a, number 1"),
        arguments(
            field(new ArrowType.Union(UnionMode.DENSE, List.of(4, 5)), UTF8, INT8),
            new UnionValue(5, 9),
            "9"),
        arguments(
            field(UTF8.type())
                .withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, true), false)),
            "b",
            "b"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueReadsAsPeopleWriteIt(Field field, Object value, String expected) {
    assertThat(text(field, value)).isEqualTo(expected);
  }

  @Test
  void nullIsNull() {
    assertThat(CellText.of(Array.of(nulls()), 0)).isEqualTo("null");
  }

  private static dev.quiver.columnar.ArrayData nulls() {
    return new ArrayBuilder(Arena.ofAuto()).array(UTF8, Collections.singletonList(null));
  }

  @Test
  void aCharacterIsNotSplit() {
    String text = text(UTF8, "x".repeat(119) + "\uD83D\uDE80" + "y");
    assertThat(text).isEqualTo("x".repeat(119) + "…");
  }
}
