package dev.quiver.formats.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRecognitionTest {

  private static boolean isTable(String text) {
    return CsvRecognition.isTable(text.getBytes(StandardCharsets.UTF_8), /* isWhole= */ true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a,b\n1,2\n",
        "a,b\n1,2",
        "a,b\r\n1,2\r\n",
        "a;b\n1;2\n",
        "a\tb\n1\t2\n",
        "a|b|c\n1|2|3\n",
        "\"a,x\",b\n\"1\n2\",2\n",
        "é,ü\nœ,€\n",
        "\uFEFFa,b\n1,2\n",
        "a,b\n,\n",
        "a,b\n1,2\n\n",
        "\na,b\n1,2\n",
        "name;share\nx;1,5\ny;2\n",
      })
  void isATable(String text) {
    assertThat(isTable(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "a\n1\n2\n",
        "a,b\n",
        "a,b",
        "a,b\n1,2\n3\n",
        "a,b\n1,2,3\n",
        "<p>a,b</p>\n<p>c,d</p>\n",
        "  \n<!DOCTYPE html>,\n<html>,\n",
        "\uFEFF<a,b>\n<c,d>\n",
        "{\"a\":1,\n\"b\":2}\n",
        "[1,2\n,3]\n",
        "a,b\n1,\u0000\n",
        "\u0000a,b\n1,2\n",
        "a,b\n1,\"2\n",
        "Error: the service is not available.\nTry again, please.\n",
      })
  void isNotATable(String text) {
    assertThat(isTable(text)).isFalse();
  }

  @Test
  void firstHundredLinesDecide() {
    String hundred = "a,b\n" + "1,2\n".repeat(99);
    assertThat(isTable(hundred + "3\n")).isTrue();
    assertThat(isTable("a,b\n" + "1,2\n".repeat(98) + "3\n")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void markTellsTheEncoding(String encoding) {
    byte[] marked = "\uFEFFa,b\n1,é\n".getBytes(Charset.forName(encoding));
    assertThat(CsvRecognition.isTable(marked, /* isWhole= */ true)).isTrue();
    int markByteSize = encoding.startsWith("UTF-16") ? 2 : 4;
    byte[] unmarked = Arrays.copyOfRange(marked, markByteSize, marked.length);
    assertThat(CsvRecognition.isTable(unmarked, /* isWhole= */ true)).isFalse();
  }

  @Test
  void otherEncodingsAreNotRecognized() {
    byte[] latin = "a,b\n1,é\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(CsvRecognition.isTable(latin, /* isWhole= */ true)).isFalse();
  }

  @Test
  void beginningMayEndAnywhere() {
    byte[] text = "a,b\n1,2\né,\"ü\n".getBytes(StandardCharsets.UTF_8);
    for (int end = 8; end <= text.length; end++) {
      assertThat(CsvRecognition.isTable(Arrays.copyOf(text, end), /* isWhole= */ false))
          .as("%d bytes", end)
          .isTrue();
    }
    assertThat(CsvRecognition.isTable(Arrays.copyOf(text, 6), /* isWhole= */ false)).isFalse();
  }
}
