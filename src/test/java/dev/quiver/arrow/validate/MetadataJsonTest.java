package dev.quiver.arrow.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// JSON as RFC 8259 has it, with Jackson as the oracle.
class MetadataJsonTest {

  private static final JsonMapper JACKSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\"a\"",
          "\"",
          "\\",
          "\\u00e9",
          "\\n",
          "1",
          "-0",
          "0.5",
          "1e9",
          "01",
          "2147483648",
          "true",
          "false",
          "null",
          " ",
          "\n",
          "\t",
          "x",
          "\u00e9",
          "\u0001");

  @Test
  void parsesEveryKindOfValue() {
    Map<String, Object> expected = new HashMap<>();
    expected.put("shape", List.of(2, 3));
    expected.put("a\"\\/\b\f\n\r\t\u20ac", Stream.of(true, false, null).toList());
    expected.put("", Map.of("fraction", 2.0, "large", 2147483648.0, "negative", -7));
    expected.put("null", null);
    assertThat(
            MetadataJson.parse(
                """
                 { "shape" : [2, 1, 3], "shape": [2,3],\t"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u20Ac": [true,false,null],
                "": {"fraction": 2.0, "large": 2147483648, "negative": -7}, "null": null }
                """))
        .isEqualTo(expected);
    assertThat(MetadataJson.parse("[]")).isEqualTo(List.of());
    assertThat(MetadataJson.parse("{}")).isEqualTo(Map.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{]",
        "[1",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,\"a\":1}",
        "{a:1}",
        "{'a':1}",
        "{\"a\" 1}",
        "01",
        "-",
        "+1",
        ".5",
        "1.",
        "1e",
        "NaN",
        "tru",
        "truex",
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\t\"",
        "{} {}",
        "[]]",
        "\uFEFF{}",
        "// a\n{}"
      })
  void rejectsInvalidJson(String text) {
    assertThat(MetadataJson.parse(text)).isNull();
  }

  @Test
  void limitsTheDepth() {
    assertThat(MetadataJson.parse("[".repeat(1_000) + "]".repeat(1_000))).isNotNull();
    assertThat(MetadataJson.parse("[".repeat(1_002) + "]".repeat(1_002))).isNull();
    assertThat(MetadataJson.parse("[".repeat(60_000))).isNull();
  }

  @Test
  @Tag("random")
  void acceptsWhatJacksonAccepts() {
    for (int seed : Trials.seeds(200_000)) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      for (int count = random.nextInt(12); count >= 0; count--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      assertThat(MetadataJson.parse(text.toString()))
          .as(text.toString())
          .isEqualTo(jackson(text.toString()));
    }
  }

  private static @Nullable Object jackson(String text) {
    try {
      return normalized(JACKSON.readValue(text, Object.class));
    } catch (JacksonException e) {
      return null;
    }
  }

  /// Returns a value with each number that is not an `Integer` as a `Double`.
  private static @Nullable Object normalized(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> members -> {
        Map<Object, Object> normalized = new HashMap<>();
        members.forEach((name, member) -> normalized.put(name, normalized(member)));
        yield normalized;
      }
      case List<?> elements -> elements.stream().map(MetadataJsonTest::normalized).toList();
      case Integer number -> number;
      case Number number -> number.doubleValue();
      default -> value;
    };
  }
}
