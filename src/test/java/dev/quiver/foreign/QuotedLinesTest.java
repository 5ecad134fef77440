package dev.quiver.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuotedLinesTest {

  private static final int CHUNK_BYTE_SIZE = 64 << 10;

  private static QuotedLines in(String text, String... pairs) throws IOException {
    return in(text, "\n", StandardCharsets.UTF_8, pairs);
  }

  private static QuotedLines in(String text, String lineEnd, Charset charset, String... pairs)
      throws IOException {
    return QuotedLines.of(
        new ByteArrayInputStream(text.getBytes(charset)),
        CsvOptions.parse(ForeignFormat.CSV, ForeignFixture.parameters(pairs)),
        lineEnd);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"x\ny\"",
        "\"x\ry\"",
        "\"\n\"",
        "\"\"\"\n\"",
        "\"\"\"\"\"\n\"\"\"",
        " \"\n\"  ",
        "\"a,\"\"b\"\",\nc\""
      })
  void areFoundInAnyPlace(String field) throws IOException {
    for (int before : new int[] {0, 1, 7, 31, 32, 63, CHUNK_BYTE_SIZE - 3, 3 * CHUNK_BYTE_SIZE}) {
      String text = "é,5\"," + "x".repeat(before) + "\n";
      assertThat(in(text + field)).isEqualTo(QuotedLines.CLEAR);
      assertThat(in(text + field + "\n" + text)).isEqualTo(QuotedLines.CLEAR);
      assertThat(in(field + ",\"\"".repeat(before) + "\n")).isEqualTo(QuotedLines.CLEAR);
      assertThat(in("\uFEFF" + field + "," + text)).isEqualTo(QuotedLines.CLEAR);
      assertThat(in("a," + field, "\n", StandardCharsets.UTF_16LE, "csv.encoding=utf-16"))
          .isEqualTo(QuotedLines.CLEAR);
      assertThat(
              in(
                  "\uFEFF" + field + "\r\n" + text.replace("\n", "\r\n"),
                  "\r\n",
                  StandardCharsets.UTF_16LE,
                  "csv.encoding=utf-16"))
          .isEqualTo(QuotedLines.CLEAR);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "x\n",
        "\"x\"\n",
        "\"\"\"x\"\"\"\n\"y\"\n",
        "\"\"\n\"\"\n",
        "5\" \n6\"\n",
        "  \"x\"\n",
        "é\n"
      })
  void areNotBetweenQuotesOfDifferentFields(String lines) throws IOException {
    for (int times : new int[] {1, 2, 5, CHUNK_BYTE_SIZE}) {
      assertThat(in(lines.repeat(times))).isEqualTo(QuotedLines.NONE);
      assertThat(in(lines.repeat(times) + "\"x\ny\"")).isEqualTo(QuotedLines.CLEAR);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,\"x\n", "1,\"", "1,\"x\"\"", "\"\n", "1, \"x"})
  void mayNotEnd(String last) throws IOException {
    for (int before : new int[] {0, 1, 7, 31, 32, 63, CHUNK_BYTE_SIZE - 3, 3 * CHUNK_BYTE_SIZE}) {
      String text = "x".repeat(before) + "\n";
      assertThat(in(text + "1,\"x\ny\"\n" + last)).isEqualTo(QuotedLines.OPEN);
      assertThat(in(text + last)).isEqualTo(QuotedLines.OPEN);
      assertThat(in(last + text)).isEqualTo(QuotedLines.OPEN);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1,\"x\" \"y\n", "1,\"x\"y\n", "1,\"x\"\r\n", "1,x\r\"y\"\n", "\"\"x\"\n"})
  void mayBeUnclear(String last) throws IOException {
    assertThat(in("1,\"x\ny\"\n" + last)).isEqualTo(QuotedLines.UNCLEAR);
  }

  /// Two bytes of a character are in different chunks of what the stream gives.
  @Test
  void areFoundAtTheBordersOfChunks() throws IOException {
    for (int before = CHUNK_BYTE_SIZE / 2 - 20; before < CHUNK_BYTE_SIZE / 2 + 5; before++) {
      String text = "x".repeat(before) + ", \"y\n\"\n";
      Charset wide = StandardCharsets.UTF_16LE;
      assertThat(in(text, "\n", wide, "csv.encoding=utf-16")).isEqualTo(QuotedLines.CLEAR);
      assertThat(in("x".repeat(before) + text)).isEqualTo(QuotedLines.CLEAR);
    }
  }

  @Test
  void dependOnTheOptions() throws IOException {
    assertThat(in("'x\ny'\n")).isEqualTo(QuotedLines.NONE);
    assertThat(in("'x\ny'\n", "csv.quote='")).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("\"x\ny\"\n", "csv.quote=")).isEqualTo(QuotedLines.NONE);
    assertThat(in("\"x\ny\"\n", "csv.escape=")).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("\"\"\"\n\"\n", "csv.escape=")).isEqualTo(QuotedLines.UNCLEAR);
    assertThat(in("\"\\\"\n\"\n", "csv.escape=\\")).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("\"\\\n\"\n", "csv.escape=\\")).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("\"\n\\\"\n", "csv.escape=\\")).isEqualTo(QuotedLines.OPEN);
    assertThat(in("1;\"x\ny\"\n")).isEqualTo(QuotedLines.NONE);
    assertThat(in("1;\"x\ny\"\n", "csv.delimiter=;")).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("1,\"x\ny\"#c\n", "csv.comment=#")).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("1 \"x\ny\" 2\n", "csv.delimiter= ")).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("1 \"x\n\"\n2 \"\nz\n", "csv.delimiter= ")).isEqualTo(QuotedLines.OPEN);
    assertThat(in("#,\"\n1,\"x\ny\"\n", "csv.comment=#")).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("#,\"\n1,\"\"\n", "csv.comment=#")).isEqualTo(QuotedLines.NONE);
    assertThat(in("x,\"y\n", "csv.encoding=latin-1")).isEqualTo(QuotedLines.OPEN);
    assertThat(in("x,\"y\r\nz\"\r\n", "\r\n", StandardCharsets.UTF_8)).isEqualTo(QuotedLines.CLEAR);
    assertThat(in("\"x\ny\"", "", StandardCharsets.UTF_8)).isEqualTo(QuotedLines.NONE);
  }

  @Test
  void areFoundAmongRandomFields() throws IOException {
    Random random = new Random(1);
    int found = 0;
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder();
      boolean expected = false;
      do {
        String field = "x\"\", ".repeat(random.nextInt(9));
        boolean broken = random.nextInt(30) == 0;
        expected |= broken;
        String unquoted = random.nextBoolean() ? "x".repeat(random.nextInt(90)) : "5\"\"";
        String quoted = "\"" + field + (broken ? "\n" : "") + field + "\"";
        text.append(broken || random.nextBoolean() ? quoted : unquoted);
        text.append(random.nextInt(4) == 0 ? '\n' : ',');
      } while (random.nextInt(20) > 0);
      assertThat(in(text.toString())).isEqualTo(expected ? QuotedLines.CLEAR : QuotedLines.NONE);
      found += expected ? 1 : 0;
    }
    assertThat(found).isBetween(1_000, 4_000);
  }
}
