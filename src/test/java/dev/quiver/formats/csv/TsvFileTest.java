package dev.quiver.formats.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import dev.quiver.formats.Format;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests the reading of tab-separated values, whose backslashes and nulls are those that the
/// service writes. [CsvFileTest] tests what CSV and TSV share.
@Tag("random")
class TsvFileTest extends ForeignFixture {

  private static final String[] PARTS = {
    "x", "ä", " ", "\t", "\t", "\n", "\n", "\r\n", "\"", "'", "\\", "\\\\", "\\N", "\\t", "n", "N",
    "#", ","
  };

  private static final Pattern LETTERS = Pattern.compile("\\\\([tnr\\\\])");

  private static CsvFile tsv(String text, String... pairs) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return CsvFile.open(
        () -> new ByteArrayInputStream(bytes),
        CsvOptions.parse(Format.TSV, parameters(pairs)),
        /* dataset= */ null);
  }

  private static List<List<@Nullable Object>> read(String text, String... pairs)
      throws IOException {
    CsvFile file = tsv(text, pairs);
    return rows(file.read(CpuPool.PROCESS, folder), file.schema());
  }

  private static List<@Nullable Object> column(String text, String... pairs) throws IOException {
    List<@Nullable Object> column = new ArrayList<>();
    read(text, pairs).forEach(row -> column.add(row.getFirst()));
    return column;
  }

  @Test
  void readsLettersAfterBackslashes() throws IOException {
    assertThat(read("a\tb\nx\\ty\\\\\\n\\r\t\\\\N\n\\\\t\t\\\\\\t\n"))
        .containsExactly(List.of("x\ty\\\n\r", "\\N"), List.of("\\t", "\\\t"));
  }

  @Test
  void keepsOtherBackslashes() throws IOException {
    assertThat(read("a\tb\nC:\\dir\tx\\\n\\0\t\\Nx\n"))
        .containsExactly(List.of("C:\\dir", "x\\"), List.of("\\0", "\\Nx"));
  }

  @Test
  void readsNamesOfColumns() throws IOException {
    assertThat(tsv("a\\tb\t\"c\"\\n\n1\t2\n").names()).containsExactly("a\tb", "\"c\"\n");
  }

  @Test
  void tellsEmptyTextFromNull() throws IOException {
    assertThat(read("a\tb\n\t\\N\n\\N\t\n"))
        .containsExactly(Arrays.asList("", null), Arrays.asList(null, ""));
  }

  @Test
  void readsEmptyFieldsOfOtherColumnsAsNull() throws IOException {
    String text = "i\td\tb\tt\tx\n1\t1.5\ttrue\t2024-01-02\tx\n\t\t\t\t\n\\N\t\\N\t\\N\t\\N\t\\N\n";
    CsvFile file = tsv(text);
    assertThat(fields(file.schema()))
        .containsExactly("i: int64", "d: float64", "b: bool", "t: date32[day]", "x: utf8");
    assertThat(file.advice()).isEmpty();
    assertThat(read(text).subList(1, 3))
        .containsExactly(
            Arrays.asList(null, null, null, null, ""), Arrays.asList(null, null, null, null, null));
  }

  @Test
  void readsEmptyLinesOfSingleColumns() throws IOException {
    assertThat(column("a\n\n\n")).containsExactly("", "");
    assertThat(column("a\n\nx\n\\N\n\n")).containsExactly("", "x", null, "");
    assertThat(column("a\n\n1\n\\N\n")).containsExactly(null, 1L, null);
    assertThat(column("a\n")).isEmpty();
  }

  @Test
  void readsQuotationMarksAsOthers() throws IOException {
    assertThat(read("a\tb\n\"x\"\t\"y\n\"\t 'z'\n"))
        .containsExactly(List.of("\"x\"", "\"y"), List.of("\"", " 'z'"));
  }

  @Test
  void readsQuotedFieldsByOption() throws IOException {
    assertThat(read("a\tb\n\"x\ty\"\t\\t\n\"\"\t\n\\N\tz\n", "csv.quote=\""))
        .containsExactly(List.of("x\ty", "\\t"), Arrays.asList("", null), List.of("\\N", "z"));
  }

  @Test
  void readsBackslashesAsOthersByOption() throws IOException {
    assertThat(read("a\tb\nC:\\temp\t\n", "csv.escape="))
        .containsExactly(Arrays.asList("C:\\temp", null));
  }

  @Test
  void readsOtherNullsByOption() throws IOException {
    assertThat(read("a\tb\nNA\t\n\\N\t5\n", "csv.null=NA"))
        .containsExactly(Arrays.asList(null, null), Arrays.asList(null, 5L));
    assertThat(read("a\tb\n\tx\ny\t\\N\n", "csv.null=", "csv.null=\\N"))
        .containsExactly(Arrays.asList(null, "x"), Arrays.asList("y", null));
  }

  @Test
  void readsBackslashesOfCsvByOption() throws IOException {
    byte[] bytes = "a,b\nx\\ty,\\N\n".getBytes(StandardCharsets.UTF_8);
    CsvFile file =
        CsvFile.open(
            () -> new ByteArrayInputStream(bytes),
            CsvOptions.parse(Format.CSV, parameters("csv.quote=", "csv.escape=\\")),
            /* dataset= */ null);
    assertThat(rows(file.read(CpuPool.PROCESS, folder), file.schema()))
        .containsExactly(Arrays.asList("x\ty", null));
  }

  @Test
  void readsRandomTextsLineByLine() throws IOException {
    int read = 0;
    for (int seed : Trials.seeds(4_000)) {
      Random random = new Random(seed);
      String once =
          IntStream.range(0, 1 + random.nextInt(25))
              .mapToObj(_ -> PARTS[random.nextInt(PARTS.length)])
              .collect(Collectors.joining());
      // Some texts are as long as several blocks.
      String body = seed % 400 == 0 ? (once + "\n").repeat(300_000) : once;
      List<List<@Nullable Object>> expected = reference(body);
      List<List<@Nullable Object>> found = null;
      try {
        found =
            read(
                "a\tb\n" + body,
                "csv.types=a:utf8,b:utf8",
                "csv.skip=0",
                "csv.header=true",
                "csv.encoding=utf-8");
      } catch (ForeignDataException e) {
        assertThat(e.line()).isNotNull();
      }
      assertThat(found).as("seed %d: %s", seed, once).isEqualTo(expected);
      read += found == null ? 0 : 1;
    }
    assertThat(read).isBetween(Trials.of(400), Trials.of(3_600));
  }

  @Test
  void emptyFieldsOfOtherTypesAreNull() throws IOException {
    String uuid = "123e4567-e89b-12d3-a456-426614174000";
    List<List<@Nullable Object>> rows =
        read("id\tn\tt\n" + uuid + "\t1\t\n\t\tx\n", "csv.types=id:uuid");
    assertThat(rows.get(0).subList(1, 3)).containsExactly(1L, "");
    assertThat(rows.get(1)).isEqualTo(Arrays.asList(null, null, "x"));
  }

  /// Returns the rows of two columns, or null if a line has too many fields or too few.
  private static @Nullable List<List<@Nullable Object>> reference(String body) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (String line : body.split("\r?\n", -1)) {
      if (line.isEmpty()) {
        continue;
      }
      String[] fields = line.split("\t", -1);
      boolean fits = fields.length >= 2;
      for (int i = 2; i < fields.length; i++) {
        fits &= fields[i].isEmpty();
      }
      if (!fits) {
        return null;
      }
      rows.add(Arrays.asList(value(fields[0]), value(fields[1])));
    }
    return rows;
  }

  private static @Nullable Object value(String field) {
    return field.equals("\\N")
        ? null
        : LETTERS
            .matcher(field)
            .replaceAll(match ->
                switch (match.group(1)) {
                  case "t" -> "\t";
                  case "n" -> "\n";
                  case "r" -> "\r";
                  default -> "\\\\";
                });
  }
}
