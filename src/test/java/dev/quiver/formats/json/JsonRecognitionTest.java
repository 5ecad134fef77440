package dev.quiver.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRecognitionTest {

  private static boolean isRows(String text) {
    return JsonRecognition.isRows(text.getBytes(StandardCharsets.UTF_8), /* isWhole= */ true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"a\":1}]",
        " [ \n {\"a\":1}, {\"a\":2} ]\n",
        "\uFEFF[{}]",
        "{\"a\":1}\n{\"a\":2}",
        "{\"a\":1}\r\n{\"a\":2}\r\n",
        "\n{\"a\":{\"b\":[]}}\n\n{}\n",
      })
  void acceptsRows(String text) {
    assertThat(isRows(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"error\":\"not found\",\"status\":404}\n",
        "{\n  \"error\": {\n    \"code\": 500\n  }\n}\n",
        "[]",
        "[1,2]",
        "[[{\"a\":1}]]",
        "[\"a\",{\"a\":1}]",
        "{\"a\":1}\n[1]\n",
        "{\"a\":1}\nnull\n",
        "{\"a\":1} {\"a\":2}\n",
        "{\"a\":1},\n{\"a\":2}\n",
        "{\"a\":1}\n{\"a\":\n",
        "1\n2\n",
        "[",
        "a,b\n1,2\n",
      })
  void rejectsOthers(String text) {
    assertThat(isRows(text)).isFalse();
  }

  @Test
  void beginningMayEndWithinTheSecondLine() {
    byte[] lines = "{\"a\":1}\n{\"a\":\"é\"}\n".getBytes(StandardCharsets.UTF_8);
    for (int end = 9; end <= lines.length; end++) {
      assertThat(JsonRecognition.isRows(Arrays.copyOf(lines, end), /* isWhole= */ false))
          .as("%d bytes", end)
          .isTrue();
    }
    assertThat(JsonRecognition.isRows(Arrays.copyOf(lines, 8), /* isWhole= */ false)).isFalse();
  }
}
