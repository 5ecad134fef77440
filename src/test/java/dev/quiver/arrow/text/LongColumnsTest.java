package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.UTF8;
import static dev.quiver.arrow.text.Rendered.batch;
import static dev.quiver.arrow.text.Rendered.field;
import static dev.quiver.arrow.text.Rendered.named;
import static dev.quiver.arrow.text.Rendered.render;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests columns and values longer than a window, read in order and out of order.
class LongColumnsTest {

  private static final int LENGTH = 1_000;

  private final Random random = new Random(7);

  static Stream<ArrowType> texts() {
    return Stream.of(UTF8, new ArrowType.LargeUtf8(), new ArrowType.Utf8View());
  }

  private static String json(String text) {
    String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
    return "\"" + escaped.replace("\n", "\\n").replace("\t", "\\t") + "\"";
  }

  private static String cell(String text) {
    boolean quoted = text.isEmpty() || text.matches("(?s).*[,\"\n\r].*|[ \t].*|.*[ \t]");
    return quoted ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
  }

  private static void assertColumn(Field field, List<@Nullable String> values) throws IOException {
    StringJoiner lines = new StringJoiner("\n", "", "\n");
    StringJoiner cells = new StringJoiner("\r\n", "c\r\n", "\r\n");
    for (String value : values) {
      lines.add("{\"c\":" + (value == null ? "null" : json(value)) + "}");
      cells.add(value == null ? "" : cell(value));
    }
    assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch(field, values)).split("\n"))
        .isEqualTo(lines.toString().split("\n"));
    assertThat(render(TextFormat.CSV, JsonNumbers.NUMBER, batch(field, values)).split("\r\n"))
        .isEqualTo(cells.toString().split("\r\n"));
  }

  /// Tests lengths around the sizes of the words, pieces and parts in which text is copied.
  @ParameterizedTest
  @MethodSource("texts")
  void escapesAtEveryPositionOfEveryLength(ArrowType type) throws IOException {
    List<@Nullable String> values = new ArrayList<>();
    for (int length = 0; length <= 20; length++) {
      values.add("x".repeat(length));
      for (int i = 0; i < length; i++) {
        for (String mark : List.of("\"", ",", "\n", "\\", " ", "é")) {
          values.add("x".repeat(i) + mark + "x".repeat(length - i - 1));
        }
      }
    }
    for (int boundary : new int[] {512, 1_024, 1_536, 3_072}) {
      for (int length = boundary - 9; length <= boundary + 9; length++) {
        values.add("x".repeat(length));
        values.add("x".repeat(length - 1) + "\"");
        values.add("\n" + "x".repeat(length) + ",");
        values.add("x".repeat(length) + "\t");
        values.add("x".repeat(boundary - 4) + "\"\"" + "x".repeat(length));
      }
    }
    assertColumn(field(type), values);
  }

  @ParameterizedTest
  @MethodSource("texts")
  void writesEveryNull(ArrowType type) throws IOException {
    List<@Nullable String> values = new ArrayList<>();
    for (int i = 0; i < LENGTH; i++) {
      values.add(random.nextInt(3) == 0 ? null : "value " + i);
    }
    assertColumn(field(type), values);
  }

  @Test
  void readsSlotsOutOfOrder() throws IOException {
    List<String> dictionary =
        IntStream.range(0, LENGTH).mapToObj(i -> "value".repeat(i % 5) + i).toList();
    List<Integer> indices = random.ints(LENGTH, 0, LENGTH).boxed().toList();
    Field text = named("t", UTF8).withDictionary(new DictionaryEncoding(1, Rendered.INT64, false));
    Field number =
        named("n", Rendered.INT64)
            .withDictionary(new DictionaryEncoding(2, new ArrowType.Int(16, true), false));
    Schema schema = Schema.of(text, number);
    List<Long> numbers = IntStream.range(0, LENGTH).mapToObj(i -> i * 1_000L).toList();
    ArrayBuilder builder =
        new ArrayBuilder(
            Arena.ofAuto(), Map.of(1L, List.copyOf(dictionary), 2L, List.copyOf(numbers)));
    StringBuilder expected = new StringBuilder();
    indices.forEach(
        i -> expected.append("{\"t\":\"%s\",\"n\":%d}\n".formatted(dictionary.get(i), i * 1_000)));
    assertThat(
            render(
                TextFormat.JSON_LINES,
                JsonNumbers.NUMBER,
                builder.recordBatch(
                    schema,
                    LENGTH,
                    List.of(
                        indices.stream().map(dictionary::get).toList(),
                        indices.stream().map(numbers::get).toList()))))
        .isEqualTo(expected.toString());
  }

  @Test
  void writesLongBinaryAsASingleBase64String() throws IOException {
    List<byte[]> values = new ArrayList<>();
    StringBuilder expected = new StringBuilder();
    for (int length = 0; length < 5_000; length += 1 + length / 4) {
      byte[] value = new byte[length];
      random.nextBytes(value);
      values.add(value);
      expected
          .append("{\"c\":\"")
          .append(Base64.getEncoder().encodeToString(value))
          .append("\"}\n");
    }
    for (ArrowType type : List.of(new ArrowType.Binary(), new ArrowType.BinaryView())) {
      assertThat(render(TextFormat.JSON_LINES, JsonNumbers.NUMBER, batch(field(type), values)))
          .isEqualTo(expected.toString());
    }
  }

  @Test
  void quotesALongNameOnlyWhereNeeded() throws IOException {
    for (String mark : List.of("", ",", "\"", " ")) {
      String name = "n".repeat(600) + mark;
      assertThat(
              render(
                  TextFormat.CSV,
                  JsonNumbers.NUMBER,
                  batch(named(name, Rendered.INT8), List.of(1))))
          .isEqualTo(cell(name) + "\r\n1\r\n");
      assertThat(
              render(
                  TextFormat.JSON_LINES,
                  JsonNumbers.NUMBER,
                  batch(named(name, Rendered.INT8), List.of(1))))
          .isEqualTo("{" + json(name) + ":1}\n");
    }
  }
}
