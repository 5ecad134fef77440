package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.batch;
import static dev.quiver.arrow.text.Rendered.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Tests values that are cut after a number of bytes, compared with Java's strings.
class CutValuesTest {

  private static final List<Integer> MAXIMA = List.of(1, 2, 3, 4, 5, 7, 11, 12, 13, 100, 512, 2000);

  private static String render(TextFormat format, long maximum, Field field, List<?> values)
      throws IOException {
    return Rendered.render(
        format, TextOptions.cut(JsonNumbers.NUMBER, maximum), batch(field, values));
  }

  static List<ArrowType> texts() {
    return List.of(new ArrowType.Utf8(), new ArrowType.LargeUtf8(), new ArrowType.Utf8View());
  }

  static List<ArrowType> binaries() {
    return List.of(
        new ArrowType.Binary(),
        new ArrowType.LargeBinary(),
        new ArrowType.BinaryView(),
        new ArrowType.FixedSizeBinary(60));
  }

  /// Returns the longest prefix of whole characters, by encoding one character after the other.
  private static String cut(String text, int maximum) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= maximum) {
      return text;
    }
    StringBuilder prefix = new StringBuilder();
    int byteSize = 0;
    for (int codePoint : text.codePoints().toArray()) {
      byteSize += Character.toString(codePoint).getBytes(StandardCharsets.UTF_8).length;
      if (byteSize > maximum) {
        break;
      }
      prefix.appendCodePoint(codePoint);
    }
    return prefix + "…";
  }

  private static List<String> randomTexts() {
    Random random = new Random(7);
    String[] characters = {"a", " ", ",", "\"", "\n", "\t", "\\", "\u0001", "é", "東", "🏔", "…"};
    List<String> texts = new ArrayList<>(List.of("", "a", "東京", "🏔️🏔️"));
    for (int length : new int[] {3, 9, 12, 13, 14, 40, 511, 513, 1535, 1537, 5000}) {
      for (int i = 0; i < 6; i++) {
        StringBuilder text = new StringBuilder();
        random
            .ints(length, 0, i < 2 ? 1 : characters.length)
            .forEach(character -> text.append(characters[character]));
        texts.add(text.toString());
      }
    }
    return texts;
  }

  @ParameterizedTest
  @MethodSource("texts")
  void cutsTextBetweenCharacters(ArrowType type) throws IOException {
    List<String> texts = randomTexts();
    for (int maximum : MAXIMA) {
      List<String> expected = texts.stream().map(text -> cut(text, maximum)).toList();
      JsonNode json =
          JsonMapper.shared().readTree(render(TextFormat.JSON, maximum, field(type), texts));
      List<String> found = new ArrayList<>();
      json.forEach(row -> found.add(row.iterator().next().asString()));
      assertThat(found).as("JSON at " + maximum).isEqualTo(expected);
      assertThat(csv(render(TextFormat.CSV, maximum, field(type), texts)))
          .as("CSV at " + maximum)
          .isEqualTo(expected);
      assertThat(tsv(render(TextFormat.TSV, maximum, field(type), texts)))
          .as("TSV at " + maximum)
          .isEqualTo(expected);
    }
  }

  /// Returns the cells of a single column of CSV, without its name.
  private static List<String> csv(String text) {
    List<String> cells = new ArrayList<>();
    int at = text.indexOf("\r\n") + 2;
    while (at < text.length()) {
      StringBuilder cell = new StringBuilder();
      if (text.charAt(at) == '"') {
        for (at++; text.charAt(at) != '"' || text.charAt(at + 1) == '"'; at++) {
          at += text.charAt(at) == '"' ? 1 : 0;
          cell.append(text.charAt(at));
        }
        at++;
      } else {
        for (; text.charAt(at) != '\r'; at++) {
          cell.append(text.charAt(at));
        }
      }
      assertThat(text.substring(at, at + 2)).isEqualTo("\r\n");
      at += 2;
      cells.add(cell.toString());
    }
    return cells;
  }

  private static List<String> tsv(String text) {
    List<String> cells = new ArrayList<>();
    text.lines().skip(1).forEach(line -> cells.add(line.translateEscapes()));
    return cells;
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void cutsBinaryBeforeItIsEncoded(ArrowType type) throws IOException {
    byte[] bytes = new byte[60];
    new Random(3).nextBytes(bytes);
    for (int maximum : new int[] {1, 2, 3, 12, 13, 59, 60, 61}) {
      byte[] kept = java.util.Arrays.copyOf(bytes, Math.min(60, maximum));
      String expected = Base64.getEncoder().encodeToString(kept) + (maximum < 60 ? "…" : "");
      assertThat(render(TextFormat.JSON_LINES, maximum, field(type), List.of(bytes)))
          .isEqualTo("{\"c\":\"" + expected + "\"}\n");
      assertThat(render(TextFormat.CSV, maximum, field(type), List.of(bytes)))
          .isEqualTo("c\r\n" + expected + "\r\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "JSON_LINES | {\"c\":{\"a long key\":[\"abc…\",\"abc\",null,\"é…\"]}}",
        "CSV | \"{\"\"a long key\"\":[\"\"abc…\"\",\"\"abc\"\",null,\"\"é…\"\"]}\"",
        "TSV | {\"a long key\":[\"abc…\",\"abc\",null,\"é…\"]}"
      })
  void cutsNestedValuesButNoKeys(TextFormat format, String expected) throws IOException {
    Field texts =
        Field.of("value", true, new ArrowType.List(), Field.of("item", true, new ArrowType.Utf8()));
    Field map =
        Field.of(
            "c",
            true,
            new ArrowType.Map(false),
            Field.of(
                "entries",
                false,
                new ArrowType.Struct(),
                Field.of("key", false, new ArrowType.Utf8()),
                texts));
    List<@Nullable Object> items = new ArrayList<>(List.of("abcd", "abc", "éé"));
    items.add(2, null);
    String text = render(format, 3, map, List.of(List.of(List.of("a long key", items))));
    assertThat(text.strip().lines().toList().getLast()).isEqualTo(expected);
  }

  @Test
  void neverCutsNumbers() throws IOException {
    Field number = field(new ArrowType.Int(64, true));
    assertThat(render(TextFormat.CSV, 1, number, List.of(123456789L)))
        .isEqualTo("c\r\n123456789\r\n");
  }

  @Test
  void cellsOfPagesAreCut() {
    var column = batch(field(new ArrowType.Utf8()), List.of("Zürich")).columns().getFirst();
    assertThat(new CellText(column, TextOptions.cut(JsonNumbers.NUMBER, 2)).get(0)).isEqualTo("Z…");
    assertThat(new CellText(column, TextOptions.DEFAULT).get(0)).isEqualTo("Zürich");
  }

  @Test
  void rejectsAMaximumOfNoBytes() {
    assertThatThrownBy(() -> TextOptions.cut(JsonNumbers.NUMBER, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a value of 1 byte or more but found 0");
  }
}
