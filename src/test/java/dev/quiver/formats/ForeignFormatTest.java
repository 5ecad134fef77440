package dev.quiver.formats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ForeignFormatTest {

  @ParameterizedTest
  @CsvSource({
    "a.csv, CSV",
    "a.b.CSV, CSV",
    "a.tsv, TSV",
    "a.json, JSON",
    "a.jsonl, JSON_LINES",
    "a.ndjson, JSON_LINES",
    "a.parquet, PARQUET",
    "a.arrow, ",
    "csv, ",
    "a.csv.gz, "
  })
  void recognizesNames(String name, ForeignFormat format) {
    assertThat(ForeignFormat.ofName(name)).isEqualTo(format);
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
    "text/plain, ",
    "application/octet-stream, "
  })
  void recognizesMediaTypes(String mediaType, ForeignFormat format) {
    assertThat(ForeignFormat.ofMediaType(mediaType)).isEqualTo(format);
  }

  @ParameterizedTest
  @EnumSource(ForeignFormat.class)
  void formatsHaveNamesAndTypesOfTheirOwn(ForeignFormat format) {
    assertThat(format.suffixes())
        .allSatisfy(suffix -> assertThat(ForeignFormat.ofName("x" + suffix)).isEqualTo(format));
    assertThat(format.mediaTypes())
        .allSatisfy(type -> assertThat(ForeignFormat.ofMediaType(type)).isEqualTo(format));
  }

  @Test
  void recognizesFirstBytes() {
    assertThat(ofStart("PAR1\0\0")).isEqualTo(ForeignFormat.PARQUET);
    assertThat(ofStart("PAR")).isNull();
    assertThat(ofStart("PARE")).isNull();
    assertThat(ofStart("{\"a\":1}")).isEqualTo(ForeignFormat.JSON);
    assertThat(ofStart("\uFEFF \n[1]")).isEqualTo(ForeignFormat.JSON);
    assertThat(ofStart("a,b\n1,2\n")).isNull();
    assertThat(ofStart("")).isNull();
  }

  private static @Nullable ForeignFormat ofStart(String text) {
    return ForeignFormat.ofStart(text.getBytes(StandardCharsets.UTF_8));
  }
}
