package dev.quiver.arrow.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.DictionaryIndex;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.Arena;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests the text of values on a page. [TypeTextTest] tests the text of each type.
class CellTextTest {

  private static final Field UTF8 = Field.of("text", true, new ArrowType.Utf8());
  private static final Field INT8 = Field.of("number", true, new ArrowType.Int(8, true));

  private static @Nullable String text(Field field, @Nullable Object value) {
    ArrayBuilder builder =
        new ArrayBuilder(Arena.ofAuto(), Map.of(7L, Arrays.asList("a", "b", null)));
    return new CellText(builder.array(field, Collections.singletonList(value)), TextOptions.DEFAULT)
        .get(0);
  }

  private static Field field(ArrowType type, Field... children) {
    return Field.of("field", true, type, children);
  }

  static Stream<Arguments> values() {
    return Stream.of(
        arguments(field(new ArrowType.Bool()), true, "true"),
        arguments(field(new ArrowType.FloatingPoint(Precision.DOUBLE)), Double.NaN, "NaN"),
        arguments(field(new ArrowType.Decimal(5, 2, 128)), new BigDecimal("-1.20"), "-1.20"),
        arguments(
            field(new ArrowType.Timestamp(TimeUnit.SECOND, "UTC")), 0, "1970-01-01T00:00:00Z"),
        arguments(field(new ArrowType.Binary()), new byte[] {1, -1}, "Af8="),
        arguments(field(new ArrowType.Binary()), new byte[0], ""),
        arguments(field(new ArrowType.LargeBinary()), new byte[91], "A".repeat(120) + "…"),
        arguments(field(new ArrowType.Utf8View()), " a \"view\", ", " a \"view\", "),
        arguments(field(new ArrowType.Utf8()), "x".repeat(120), "x".repeat(120)),
        arguments(field(new ArrowType.LargeUtf8()), "x".repeat(121), "x".repeat(120) + "…"),
        arguments(field(new ArrowType.Utf8()), "矢".repeat(121), "矢".repeat(120) + "…"),
        arguments(field(new ArrowType.Utf8()), "x".repeat(1_000_000), "x".repeat(120) + "…"),
        arguments(field(new ArrowType.List(), UTF8), Arrays.asList("a", null), "[\"a\",null]"),
        arguments(
            field(new ArrowType.ListView(), INT8),
            Collections.nCopies(1_000, 7),
            "[" + "7,".repeat(59) + "7…"),
        arguments(
            field(new ArrowType.Struct(), UTF8, INT8),
            List.of("a", 1),
            "{\"text\":\"a\",\"number\":1}"),
        arguments(
            field(new ArrowType.Union(UnionMode.DENSE, List.of(4, 5)), UTF8, INT8),
            new UnionValue(5, null),
            "{\"number\":null}"),
        arguments(
            field(UTF8.type())
                .withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, true), false)),
            "b",
            "b"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void formatsValuesLikeUnquotedCsvAndTruncatesThem(Field field, Object value, String expected) {
    assertThat(text(field, value)).isEqualTo(expected);
  }

  @Test
  void nullHasNoText() {
    Field runs =
        field(
            new ArrowType.RunEndEncoded(),
            Field.of("run_ends", false, new ArrowType.Int(16, true)),
            UTF8);
    Field encoded =
        UTF8.withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, true), false));
    assertThat(text(UTF8, null)).isNull();
    assertThat(text(field(new ArrowType.Null()), null)).isNull();
    assertThat(text(runs, null)).isNull();
    assertThat(text(encoded, null)).isNull();
    assertThat(text(encoded, new DictionaryIndex(2))).isNull();
  }

  @Test
  void truncationNeverSplitsACharacter() {
    String text = text(UTF8, "x".repeat(119) + "\uD83D\uDE80" + "y");
    assertThat(text).isEqualTo("x".repeat(119) + "…");
  }
}
