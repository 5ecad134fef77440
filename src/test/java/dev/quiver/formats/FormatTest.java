package dev.quiver.formats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class FormatTest {

  @ParameterizedTest
  @CsvSource({
    "a.csv, CSV",
    "a.b.CSV, CSV",
    "a.tsv, TSV",
    "a.json, JSON",
    "a.jsonl, JSON_LINES",
    "a.ndjson, JSON_LINES",
    "a.parquet, PARQUET",
    "a.arrow, FILE",
    "a.Feather, FILE",
    "a.ipc, FILE",
    "a.arrows, STREAM",
    "csv, ",
    "a.csv.gz, CSV",
    "a.CSV.Zst, CSV",
    "a.tsv.zip, TSV",
    "a.gz, ",
    "csv.gz, "
  })
  void recognizesNames(String name, Format format) {
    assertThat(Format.ofName(name)).isEqualTo(format);
  }

  @ParameterizedTest
  @CsvSource({
    "text/csv, CSV",
    "Text/CSV, CSV",
    "text/tab-separated-values, TSV",
    "application/json, JSON",
    "application/x-ndjson, JSON_LINES",
    "application/jsonl, JSON_LINES",
    "application/vnd.apache.parquet, PARQUET",
    "application/vnd.apache.arrow.stream, STREAM",
    "text/html, ",
    "text/plain, ",
    "application/octet-stream, "
  })
  void recognizesMediaTypes(String mediaType, Format format) {
    assertThat(Format.ofMediaType(mediaType)).isEqualTo(format);
  }

  @ParameterizedTest
  @FieldSource("dev.quiver.formats.Format#READ")
  void formatsHaveNamesAndTypesOfTheirOwn(Format format) {
    assertThat(format.suffixes())
        .allSatisfy(suffix -> {
          assertThat(Format.ofName("x" + suffix)).isEqualTo(format);
          assertThat(Format.ofSuffix(suffix)).isEqualTo(format);
          assertThat(format.withoutSuffix("x" + suffix.toUpperCase(Locale.ROOT))).isEqualTo("x");
        });
    assertThat(format.mediaTypes())
        .allSatisfy(type -> assertThat(Format.ofMediaType(type)).isEqualTo(format));
  }

  /// A file of text may have any format.
  @Test
  void tableForATerminalIsNotRead() {
    assertThat(Format.ofSuffix(".txt")).isEqualTo(Format.TABLE);
    assertThat(Format.ofName("x.txt")).isNull();
    assertThat(Format.ofMediaType("text/plain")).isNull();
    assertThat(Format.TABLE.withoutSuffix("x.TXT.gz")).isEqualTo("x");
    assertThat(Format.READ).doesNotContain(Format.TABLE);
    assertThat(Format.SUFFIXED).contains(Format.TABLE);
  }

  @Test
  void prefersTheStreamAndTextInLists() {
    assertThat(Format.NEGOTIATED)
        .startsWith(Format.STREAM, Format.FILE, Format.JSON)
        .containsExactlyInAnyOrder(Format.values());
    assertThat(Format.OFFERED).startsWith(Format.STREAM, Format.FILE, Format.JSON);
    assertThat(Format.STREAMED)
        .containsExactly(
            Format.JSON,
            Format.JSON_LINES,
            Format.CSV,
            Format.TSV,
            Format.FILE,
            Format.STREAM,
            Format.TABLE);
  }

  @Test
  void namesMembersOfDocuments() {
    assertThat(Format.JSON_LINES.camelCase()).isEqualTo("jsonLines");
    assertThat(Format.CSV.camelCase()).isEqualTo("csv");
  }

  @Test
  void recognizesFirstBytes() {
    assertThat(ofStart("PAR1\0\0")).isEqualTo(Format.PARQUET);
    assertThat(ofStart("PAR")).isNull();
    assertThat(ofStart("PARE")).isNull();
    assertThat(ofStart("{\"a\":1}")).isEqualTo(Format.JSON);
    assertThat(ofStart("\uFEFF \n[1]")).isEqualTo(Format.JSON);
    assertThat(ofStart("a,b\n1,2\n")).isNull();
    assertThat(ofStart("")).isNull();
  }

  private static @Nullable Format ofStart(String text) {
    return Format.ofStart(text.getBytes(StandardCharsets.UTF_8));
  }
}
