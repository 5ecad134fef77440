package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.UTF8;
import static dev.quiver.arrow.text.Rendered.batch;
import static dev.quiver.arrow.text.Rendered.field;
import static dev.quiver.arrow.text.Rendered.render;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Tests the text of extension types: UUIDs against those of the JDK, and JSON against Jackson.
class ExtensionTextTest {

  private static final UUID FIRST = UUID.fromString("0f010203-0405-0607-0809-0a0b0c0d0eff");
  private static final UUID SECOND = new UUID(-1, -2);

  private static final JsonMapper JACKSON =
      JsonMapper.builder()
          .disable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static Field extension(Field field, String name) {
    return field.withMetadata(Metadata.of(KeyValue.of(Field.EXTENSION_NAME, name)));
  }

  private static Field uuids() {
    return extension(field(new ArrowType.FixedSizeBinary(16)), "arrow.uuid");
  }

  private static Field json() {
    return extension(field(UTF8), "arrow.json");
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  private static String text(TextFormat format, Field field, @Nullable Object... values)
      throws IOException {
    return render(format, TextOptions.DEFAULT, batch(field, asList(values)));
  }

  @Test
  void writesUuidsAsTextInEveryFormat() throws IOException {
    Object[] values = {bytes(FIRST), null, bytes(SECOND)};
    assertThat(text(TextFormat.JSON_LINES, uuids(), values))
        .isEqualTo("{\"c\":\"%s\"}\n{\"c\":null}\n{\"c\":\"%s\"}\n".formatted(FIRST, SECOND));
    assertThat(text(TextFormat.CSV, uuids(), values))
        .isEqualTo("c\r\n%s\r\n\r\n%s\r\n".formatted(FIRST, SECOND));
    assertThat(text(TextFormat.TSV, uuids(), values)).startsWith("c\n%s\n".formatted(FIRST));
  }

  @Test
  void writesRandomUuids() throws IOException {
    Random random = new Random(3);
    List<UUID> uuids = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      uuids.add(new UUID(random.nextLong(), random.nextLong()));
    }
    Object[] values = uuids.stream().map(ExtensionTextTest::bytes).toArray();
    assertThat(text(TextFormat.CSV, uuids(), values))
        .isEqualTo(
            uuids.stream().map(uuid -> uuid + "\r\n").collect(Collectors.joining("", "c\r\n", "")));
  }

  @Test
  void writesUuidsWithinOtherTypes() throws IOException {
    Field uuid = uuids().withName("id");
    Field list = field(new ArrowType.List(), uuid);
    Field struct = field(new ArrowType.Struct(), uuid);
    Field entries =
        Field.of(
            "entries",
            false,
            new ArrowType.Struct(),
            uuid.withNullable(false),
            Field.of("value", true, UTF8));
    Field map = field(new ArrowType.Map(false), entries);
    byte[] first = bytes(FIRST);
    assertThat(text(TextFormat.JSON_LINES, list, asList(first, null)))
        .isEqualTo("{\"c\":[\"%s\",null]}\n".formatted(FIRST));
    assertThat(text(TextFormat.JSON_LINES, struct, List.of(first)))
        .isEqualTo("{\"c\":{\"id\":\"%s\"}}\n".formatted(FIRST));
    assertThat(text(TextFormat.JSON_LINES, map, List.of(List.of(first, "x"))))
        .isEqualTo("{\"c\":[[\"%s\",\"x\"]]}\n".formatted(FIRST));
    assertThat(text(TextFormat.CSV, list, List.of(first)))
        .isEqualTo("c\r\n\"[\"\"%s\"\"]\"\r\n".formatted(FIRST));
  }

  @Test
  void cutsNoUuids() throws IOException {
    assertThat(
            render(
                TextFormat.CSV,
                TextOptions.cut(JsonNumbers.NUMBER, 3),
                batch(uuids(), List.of(bytes(FIRST)))))
        .contains(FIRST.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ \"a\" : [ 1 , \" b \" ] } | {\"a\":[1,\" b \"]}",
        "[] | []",
        "`\n[\r\n\t1.50e+3\n]\n` | [1.50e+3]",
        "` \"x\\\\\\\" \\n\" ` | \"x\\\\\\\" \\n\"",
        "12345678901234567890.10 | 12345678901234567890.10",
        "null | null",
        "{\"a\":1,\"a\":2} | {\"a\":1,\"a\":2}",
      })
  void writesJsonOnOneLine(String text, String expected) throws IOException {
    assertThat(text(TextFormat.JSON_LINES, json(), text)).isEqualTo("{\"c\":" + expected + "}\n");
    assertThat(text(TextFormat.JSON, json(), text)).isEqualTo("[\n{\"c\":" + expected + "}\n]\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "[1,]", "NaN", "01", "{a:1}", "1 2", "\"\n\"", "'x'"})
  void writesInvalidJsonAsString(String text) throws IOException {
    String line = text(TextFormat.JSON_LINES, json(), text);
    assertThat(JACKSON.readTree(line).get("c").asString()).isEqualTo(text);
  }

  @Test
  void writesJsonInCellsAsItsText() throws IOException {
    assertThat(text(TextFormat.CSV, json(), "{ \"a\": 1 }", null, ""))
        .isEqualTo("c\r\n\"{ \"\"a\"\": 1 }\"\r\n\r\n\"\"\r\n");
    assertThat(text(TextFormat.TSV, json(), "{\"a\":\n\"\\t\"}"))
        .isEqualTo("c\n{\"a\":\\n\"\\\\t\"}\n");
  }

  @Test
  void writesJsonWithinCellsOfJson() throws IOException {
    Field list = field(new ArrowType.List(), json());
    assertThat(text(TextFormat.CSV, list, List.of("{ \"a\\n\": 1 }")))
        .isEqualTo("c\r\n\"[{\"\"a\\n\"\":1}]\"\r\n");
    assertThat(text(TextFormat.TSV, list, List.of("{ \"a\\n\": 1 }")))
        .isEqualTo("c\n[{\"a\\\\n\":1}]\n");
  }

  @Test
  void writesNamesOfMembersAsStrings() throws IOException {
    Field entries =
        Field.of(
            "entries",
            false,
            new ArrowType.Struct(),
            json().withNullable(false),
            json().withName("v"));
    Field map = field(new ArrowType.Map(false), entries);
    assertThat(text(TextFormat.JSON_LINES, map, List.of(List.of("1", "1"))))
        .isEqualTo("{\"c\":{\"1\":1}}\n");
  }

  @Test
  void writesCutJsonAsString() throws IOException {
    String cut =
        render(
            TextFormat.JSON_LINES,
            TextOptions.cut(JsonNumbers.NUMBER, 4),
            batch(json(), List.of("[12, 34]", "[ 1]")));
    assertThat(cut).isEqualTo("{\"c\":\"[12,…\"}\n{\"c\":[1]}\n");
  }

  @Test
  void writesJsonOfLimitedDepth() throws IOException {
    String deepest = "[".repeat(JsonGrammar.DEPTH_MAXIMUM) + "]".repeat(JsonGrammar.DEPTH_MAXIMUM);
    assertThat(text(TextFormat.JSON_LINES, json(), deepest)).isEqualTo("{\"c\":" + deepest + "}\n");
    assertThat(text(TextFormat.JSON_LINES, json(), "[" + deepest + "]"))
        .isEqualTo("{\"c\":\"[" + deepest + "]\"}\n");
  }

  /// Many readers reject a whole document for half a surrogate pair.
  @Test
  void writesHalvesOfSurrogatePairsAsStrings() throws IOException {
    for (String whole : List.of("\"\\ud83d\\ude00\"", "{\"\\uD83D\\uDE00\":1}", "\"\\u0041\"")) {
      assertThat(text(TextFormat.JSON_LINES, json(), whole)).isEqualTo("{\"c\":" + whole + "}\n");
    }
    for (String half :
        List.of(
            "\"\\ud800\"",
            "\"\\ud800x\"",
            "\"\\ude00\"",
            "\"\\ud800\\n\"",
            "\"\\ud800\\ud800\"",
            "{\"\\ud800\":1}")) {
      assertThat(text(TextFormat.JSON_LINES, json(), half)).as(half).startsWith("{\"c\":\"");
    }
  }

  @Test
  void writesRandomTextsAsJacksonReadsThem() throws IOException {
    Random random = new Random(11);
    int validCount = 0;
    for (int i = 0; i < 20_000; i++) {
      String text = mutated(value(random, 3), random);
      JsonNode expected = parsed(text);
      validCount += expected == null ? 0 : 1;
      String line = text(TextFormat.JSON_LINES, json(), text);
      JsonNode found = JACKSON.readTree(line).get("c");
      if (expected == null) {
        assertThat(found.asString()).as(text).isEqualTo(text);
      } else {
        assertThat(found).as(text).isEqualTo(expected);
      }
      assertThat(line.indexOf('\n')).as(text).isEqualTo(line.length() - 1);
    }
    assertThat(validCount).isBetween(5_000, 15_000);
  }

  @Test
  void writesLongJsonInParts() throws IOException {
    Random random = new Random(5);
    for (int i = 0; i < 20; i++) {
      StringBuilder text = new StringBuilder("[");
      while (text.length() < 100_000) {
        text.append(text.length() > 1 ? ", " : "").append(value(random, 2));
      }
      String whole = text.append(']').toString();
      assertThat(JACKSON.readTree(text(TextFormat.JSON_LINES, json(), whole)).get("c"))
          .isEqualTo(JACKSON.readTree(whole));
    }
  }

  private static @Nullable JsonNode parsed(String text) {
    try {
      JsonNode node = JACKSON.readTree(text);
      return node.isMissingNode() ? null : node;
    } catch (JacksonException e) {
      return null;
    }
  }

  private static String value(Random random, int depth) {
    String blank = random.nextInt(4) == 0 ? " \n\t\r".substring(random.nextInt(4)) : "";
    String value =
        switch (random.nextInt(depth == 0 ? 4 : 6)) {
          case 0 -> List.of("true", "false", "null", "0", "-0").get(random.nextInt(5));
          case 1 -> String.valueOf(random.nextInt(-2_000, 2_000));
          case 2 -> random.nextInt(10) + "." + random.nextInt(100) + "e-" + random.nextInt(9);
          case 3 -> string(random);
          case 4 ->
              random
                  .ints(random.nextInt(4))
                  .mapToObj(_ -> value(random, depth - 1))
                  .collect(Collectors.joining(",", "[", "]"));
          default ->
              random
                  .ints(random.nextInt(4))
                  .mapToObj(_ -> string(random) + ":" + value(random, depth - 1))
                  .collect(Collectors.joining(",", "{", "}"));
        };
    return blank + value + blank;
  }

  private static String string(Random random) {
    String[] pieces = {"a", " ", "\\\"", "\\\\", "\\u00e9", "\\n", "é", "東", "🏔", ":", "[", "}"};
    return random
        .ints(random.nextInt(6), 0, pieces.length)
        .mapToObj(piece -> pieces[piece])
        .collect(Collectors.joining("", "\"", "\""));
  }

  /// Returns the text, or every other time one with a changed character.
  private static String mutated(String text, Random random) {
    if (random.nextBoolean() || text.isEmpty()) {
      return text;
    }
    int at = random.nextInt(text.length());
    String[] changes = {"", "\"", "\\", ",", "]", "}", "1", ".", "-", "e", " ", "\n", "{", "x"};
    String changed =
        text.substring(0, at)
            + changes[random.nextInt(changes.length)]
            + text.substring(Math.min(text.length(), at + random.nextInt(2)));
    // Half of a surrogate pair is no text.
    return changed.codePoints().anyMatch(c -> c >= 0xD800 && c < 0xE000) ? text : changed;
  }

  @Test
  void namesExtensionsThatHaveTextOfTheirOwn() {
    Map<Field, String> names =
        Map.of(
            uuids(), "uuid",
            json(), "json",
            extension(field(new ArrowType.FixedSizeBinary(2)), "arrow.uuid"),
                "fixed_size_binary[2]",
            extension(field(UTF8), "geoarrow.wkt"), "utf8",
            field(new ArrowType.List(), uuids()), "list<c: uuid>");
    names.forEach((field, name) -> assertThat(field.describeType()).isEqualTo(name));
  }
}
