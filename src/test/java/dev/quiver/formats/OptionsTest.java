package dev.quiver.formats;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.csv.CsvOptions;
import dev.quiver.formats.json.JsonOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest extends ForeignFixture {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "csv.delimiter=ab | Expected an ASCII character but found \"ab\" at parameter csv.delimiter",
        "csv.delimiter= | Expected an ASCII character but found \"\" at parameter csv.delimiter",
        "csv.delimiter=ä | Expected an ASCII character but found \"ä\" at parameter csv.delimiter",
        "csv.quote=ab | Expected an ASCII character or nothing but found \"ab\" at parameter csv.quote",
        "csv.quote=, | Expected another character than the delimiter but found \",\" at parameter csv.quote",
        "csv.comment=, | Expected another character than delimiter and quote but found \",\" at parameter csv.comment",
        "csv.header=yes | Expected false or true but found \"yes\" at parameter csv.header",
        "csv.skip=-1 | Expected a whole number from 0 to 1000000 but found \"-1\" at parameter csv.skip",
        "csv.skip=1000001 | Expected a whole number from 0 to 1000000 but found \"1000001\" at parameter csv.skip",
        "csv.sample=0 | Expected a whole number from 1 to 10000000 but found \"0\" at parameter csv.sample",
        "csv.null=a\"b | Expected text without delimiter, quote and line break but found \"a\"b\" at parameter csv.null",
        "csv.dateformat=%q | Expected a format such as %d.%m.%Y but found \"%q\" at parameter csv.dateformat",
        "csv.dateformat=x | Expected a format such as %d.%m.%Y but found \"x\" at parameter csv.dateformat",
        "csv.decimal=; | Expected . or , but found \";\" at parameter csv.decimal",
        "csv.encoding=utf-9 | Expected the label of an encoding, such as windows-1252 or shift_jis, but found \"utf-9\" at parameter csv.encoding"
      })
  void rejectsInvalidValues(String pair, String message) {
    assertThatThrownBy(() -> CsvOptions.parse(Format.CSV, parameters(pair)))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:interval",
        "a",
        "a:decimal(39,0)",
        "a:decimal(3,4)",
        "a:decimal(3)",
        "a:blob",
        "a:varchar[]",
        "a:bigint, b:integer) FROM x; --"
      })
  void rejectsTypesThatAreNotOnTheList(String types) {
    assertThatThrownBy(() -> CsvOptions.parse(Format.CSV, parameters("csv.types=" + types)))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessageStartingWith("Expected name:type with a type of boolean, ")
        .hasMessageEndingWith("at parameter csv.types");
  }

  @Test
  void typesMayHaveTheNamesOfArrow() {
    CsvOptions options =
        CsvOptions.parse(
            Format.CSV,
            parameters("csv.types=a:utf8,b:INT64,c:float32,d:decimal128(5, 2),e:date32,f:uint8"));
    assertThat(options.types().values().stream().map(ColumnType::sql))
        .containsExactly("VARCHAR", "BIGINT", "FLOAT", "DECIMAL(5,2)", "DATE", "UTINYINT");
  }

  @Test
  void typesMayHaveNamesWithColonsAndCommas() {
    CsvOptions options =
        CsvOptions.parse(
            Format.CSV,
            parameters("csv.types=a:b:integer,c,d:decimal(10,2)", "csv.types=e:VARCHAR"));
    assertThat(options.types().keySet()).containsExactly("a:b", "c,d", "e");
    assertThat(requireNonNull(options.types().get("c,d")).sql()).isEqualTo("DECIMAL(10,2)");
  }

  @Test
  void typesMayHaveNamesInQuotationMarks() {
    CsvOptions options =
        CsvOptions.parse(
            Format.CSV,
            parameters(
                "csv.types=\"a,b:int\":integer,\"c\"\"\":decimal(10,2),\"d\",e:date,\"f\":x:time,\"g:int,h\":time"));
    assertThat(options.types().keySet())
        .containsExactly("a,b:int", "c\"", "\"d\",e", "\"f\":x", "g:int,h");
  }

  @Test
  void namesTheNearestOfUnknownParameters() {
    assertThatThrownBy(() -> CsvOptions.parse(Format.CSV, parameters("csv.delimeter=,")))
        .hasMessage(
            "Expected csv.delimiter, csv.quote, csv.escape, csv.header, csv.skip, csv.null,"
                + " csv.comment, csv.types, csv.dateformat, csv.timestampformat, csv.decimal,"
                + " csv.dates, csv.encoding, csv.sample, csv.rows but found csv.delimeter at the query: the nearest"
                + " parameter is csv.delimiter");
    assertThatThrownBy(() -> JsonOptions.parse(Format.JSON, parameters("json.typ=x")))
        .hasMessageEndingWith("the nearest parameter is json.types");
    // Other parameters are those of others.
    CsvOptions.parse(Format.CSV, parameters("batches=kept", "json.typ=x"));
  }

  @Test
  void rejectsRepeatedParameters() {
    assertThatThrownBy(() -> CsvOptions.parse(Format.CSV, parameters("csv.skip=1", "csv.skip=2")))
        .hasMessage("Expected one value but found 2 at parameter csv.skip");
  }

  @Test
  void tabSeparatesTsv() {
    assertThat(CsvOptions.parse(Format.TSV, parameters()).delimiter()).isEqualTo("\t");
    assertThat(CsvOptions.parse(Format.TSV, parameters("csv.delimiter=;")).delimiter())
        .isEqualTo(";");
  }

  /// A literal of random text is that text, to the engine.
  @Test
  void literalsAreTheirText() {
    Random random = new Random(1);
    List<String> texts = new ArrayList<>(List.of("", "'", "''", "\\'", "'; --", "$$", "/*"));
    for (int i = 0; i < 300; i++) {
      texts.add(hostile(random));
    }
    List<String> literals = texts.stream().map(SqlLiterals::literal).toList();
    assertThat(rows("SELECT " + String.join(", ", literals)).getFirst()).isEqualTo(texts);
    assertThatThrownBy(() -> SqlLiterals.literal("a\0b")).isInstanceOf(ForeignDataException.class);
  }

  private static String hostile(Random random) {
    String characters = "'\"\\;-/*$%{}()[],:~|#ab \täé\uFEFF\u2028'''";
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      text.append(characters.charAt(random.nextInt(characters.length())));
    }
    return text.toString();
  }
}
