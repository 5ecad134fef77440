package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.batch;
import static dev.quiver.arrow.text.Rendered.encoded;
import static dev.quiver.arrow.text.Rendered.field;
import static dev.quiver.arrow.text.Rendered.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.params.shadow.de.siegmar.fastcsv.reader.CsvReader;
import org.junit.jupiter.params.shadow.de.siegmar.fastcsv.reader.CsvRecord;

/// Tests texts that a spreadsheet would run as formulas, read by an independent parser of CSV.
class FormulaCellsTest {

  private static final TextOptions SAFE =
      new TextOptions(JsonNumbers.NUMBER, Long.MAX_VALUE, CellTexts.SAFE, false, false);

  /// The characters that begin a formula, as OWASP lists them, also after what is not seen.
  private static final Pattern FORMULA =
      Pattern.compile("[\\s\\p{Z}\\p{Cc}\\p{Cf}]*[=+\\-@＝＋－＠].*|[\\t\\r\\n].*", Pattern.DOTALL);

  private static final Pattern TSV_FORMULA =
      Pattern.compile("[\\s\\p{Z}\\p{Cc}\\p{Cf}]*\".*", Pattern.DOTALL);

  private static boolean isFormula(String text, TextFormat format) {
    return FORMULA.matcher(text).matches()
        || format == TextFormat.TSV && TSV_FORMULA.matcher(text).matches();
  }

  /// Returns the cells of a text by rows, the row of names included.
  private static List<List<String>> read(TextFormat format, String text) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    if (format == TextFormat.TSV) {
      for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
        List<String> row = new ArrayList<>();
        for (String cell : line.split("\t", -1)) {
          row.add(cell.translateEscapes());
        }
        rows.add(row);
      }
      return rows;
    }
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder().skipEmptyLines(false).ofCsvRecord(text)) {
      for (CsvRecord record : reader) {
        rows.add(record.getFields());
      }
    }
    return rows;
  }

  private static List<List<String>> read(TextFormat format, TextOptions options, RecordBatch batch)
      throws IOException {
    return read(format, Rendered.render(format, options, batch));
  }

  private static List<String> cells(
      TextFormat format, TextOptions options, Field field, List<?> values) throws IOException {
    return read(format, options, batch(field, values)).stream()
        .skip(1)
        .map(List::getFirst)
        .toList();
  }

  static LongStream seeds() {
    return LongStream.range(0, Trials.of(200));
  }

  /// Of random texts the formulas alone are changed, and removing the apostrophe restores them.
  @Tag("random")
  @ParameterizedTest
  @MethodSource("seeds")
  void precedesFormulasAlone(long seed) throws IOException {
    Random random = new Random(seed);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      texts.add(text(random));
    }
    for (TextFormat format : List.of(TextFormat.CSV, TextFormat.TSV)) {
      for (ArrowType type : CutValuesTest.texts()) {
        List<String> safe = cells(format, SAFE, field(type), texts);
        assertThat(cells(format, TextOptions.DEFAULT, field(type), texts)).isEqualTo(texts);
        assertThat(safe).hasSameSizeAs(texts);
        for (int i = 0; i < texts.size(); i++) {
          String text = texts.get(i);
          assertThat(safe.get(i)).isEqualTo(isFormula(text, format) ? "'" + text : text);
          assertThat(isFormula(safe.get(i), format)).isFalse();
        }
      }
      List<String> names = texts.stream().distinct().toList();
      List<Field> fields = names.stream().map(name -> named(name, Rendered.INT8)).toList();
      RecordBatch table =
          new ArrayBuilder(Arena.ofAuto())
              .recordBatch(
                  Schema.of(fields.toArray(Field[]::new)),
                  1,
                  names.stream().map(_ -> List.of(-1)).toList());
      List<List<String>> rows = read(format, SAFE, table);
      assertThat(rows.getFirst())
          .isEqualTo(
              names.stream().map(name -> isFormula(name, format) ? "'" + name : name).toList());
      assertThat(rows.getLast()).isEqualTo(names.stream().map(_ -> "-1").toList());
    }
  }

  private static String text(Random random) {
    String[] characters = {
      "=", "+", "-", "@", "＝", "－", "\t", "\r", "\n", " ", "\"", "'", ",", ";", "\\", "|", "%", "0",
      "a", "é", "東", "🏔", "\u0000", "\u001f", "\u0085", "\u00a0", "\u00ad", "\u200b", "\u3000",
      "\ufeff", "−", "…"
    };
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(10) == 0 ? random.nextInt(4000) : random.nextInt(5);
    for (int i = 0; i < length; i++) {
      text.append(characters[random.nextInt(characters.length)]);
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "=1+1",
        "+49 30 1",
        "-1",
        "@SUM(A1)",
        "＝1+1",
        "＋1",
        "－1",
        "＠a",
        "\tx",
        "\rx",
        "\nx",
        " =1",
        "\ufeff=1",
        "\u0000=1",
        "\u3000＝1"
      })
  void precedesEachKindOfFormula(String text) throws IOException {
    for (TextFormat format : List.of(TextFormat.CSV, TextFormat.TSV)) {
      assertThat(cells(format, SAFE, field(Rendered.UTF8), List.of(text)))
          .containsExactly("'" + text);
    }
  }

  /// In CSV all texts are between quotation marks, whichever separators a spreadsheet knows.
  @Test
  void writesTextsAndNullsInTheirForm() throws IOException {
    List<String> values = Arrays.asList("a;=1", null, "", "=\"b\"");
    assertThat(Rendered.render(TextFormat.CSV, SAFE, batch(named("=n", Rendered.UTF8), values)))
        .isEqualTo("\"'=n\"\r\n\"a;=1\"\r\n\r\n\"\"\r\n\"'=\"\"b\"\"\"\r\n");
    assertThat(Rendered.render(TextFormat.TSV, SAFE, batch(named("\"=n", Rendered.UTF8), values)))
        .isEqualTo("'\"=n\na;=1\n\\N\n\n'=\"b\"\n");
  }

  /// Blanks beyond 64 bytes are not searched for a sign.
  @ParameterizedTest
  @EnumSource(names = {"CSV", "TSV"})
  void precedesTextsAfterManyBlanks(TextFormat format) throws IOException {
    List<String> texts = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (String blank : List.of(" ", "\u00a0", "\u3000")) {
      int most =
          (64 + blank.getBytes(StandardCharsets.UTF_8).length - 1)
              / blank.getBytes(StandardCharsets.UTF_8).length;
      texts.addAll(
          List.of(
              blank.repeat(most - 1) + "a",
              blank.repeat(most) + "a",
              blank.repeat(most),
              blank.repeat(5000) + "=1"));
      expected.addAll(
          List.of(
              blank.repeat(most - 1) + "a",
              "'" + blank.repeat(most) + "a",
              blank.repeat(most),
              "'" + blank.repeat(5000) + "=1"));
    }
    assertThat(cells(format, SAFE, field(Rendered.UTF8), texts)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(names = {"CSV", "TSV"})
  void precedesValuesOfDictionariesAndCutTexts(TextFormat format) throws IOException {
    Field field = encoded(Rendered.INT8);
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto(), Map.of(7L, List.of("a", "=b")));
    RecordBatch batch = builder.recordBatch(Schema.of(field), 2, List.of(List.of("=b", "a")));
    assertThat(read(format, SAFE, batch))
        .containsExactly(List.of("c"), List.of("'=b"), List.of("a"));
    TextOptions cut = new TextOptions(JsonNumbers.NUMBER, 2, CellTexts.SAFE, false, false);
    assertThat(cells(format, cut, field(Rendered.UTF8), List.of("=abc", "abc", "＝b")))
        .containsExactly("'=a…", "ab…", "…");
  }

  /// Base64 has no sign but the plus, with which a quarter of a percent of values begin.
  @ParameterizedTest
  @EnumSource(names = {"CSV", "TSV"})
  void precedesBase64ThatBeginsWithAPlus(TextFormat format) throws IOException {
    for (ArrowType type :
        List.of(
            new ArrowType.Binary(), new ArrowType.BinaryView(), new ArrowType.FixedSizeBinary(2))) {
      List<byte[]> values = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int first = 0; first < 256; first++) {
        byte[] value = {(byte) first, 1};
        String base64 = Base64.getEncoder().encodeToString(value);
        values.add(value);
        expected.add(isFormula(base64, format) ? "'" + base64 : base64);
      }
      assertThat(expected).filteredOn(cell -> cell.startsWith("'")).hasSize(4);
      assertThat(cells(format, SAFE, field(type), values)).isEqualTo(expected);
    }
    assertThat(cells(format, SAFE, field(new ArrowType.Binary()), List.of(new byte[0])))
        .containsExactly("");
  }

  @ParameterizedTest
  @EnumSource(names = {"CSV", "TSV"})
  void changesNoOtherValues(TextFormat format) throws IOException {
    Field text = Field.of("=t", true, Rendered.UTF8);
    List<Field> fields =
        List.of(
            named("a", Rendered.INT64),
            named("b", new ArrowType.FloatingPoint(Precision.DOUBLE)),
            named("c", new ArrowType.Decimal(5, 2, 128)),
            named("d", new ArrowType.Duration(TimeUnit.SECOND)),
            named("e", new ArrowType.Interval(IntervalUnit.YEAR_MONTH)),
            named("f", new ArrowType.List(), text),
            named("g", new ArrowType.Struct(), text),
            named("h", new ArrowType.Bool()));
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto())
            .recordBatch(
                Schema.of(fields.toArray(Field[]::new)),
                1,
                List.of(
                    List.of(-1L),
                    List.of(Double.NEGATIVE_INFINITY),
                    List.of(Rendered.big("-150")),
                    List.of(-5L),
                    List.of(-1),
                    List.of(List.of("=x", "y\tz")),
                    List.of(List.of("=x")),
                    List.of(true)));
    assertThat(Rendered.render(format, SAFE, batch))
        .isEqualTo(
            Rendered.render(format, TextOptions.DEFAULT, batch)
                .replaceFirst(
                    "a,b,c,d,e,f,g,h", "\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\""));
  }

  @ParameterizedTest
  @EnumSource(names = {"JSON", "JSON_LINES"})
  void leavesJsonAsItIs(TextFormat format) throws IOException {
    RecordBatch batch = batch(named("=n", Rendered.UTF8), List.of("=1"));
    assertThat(Rendered.render(format, SAFE, batch))
        .isEqualTo(Rendered.render(format, TextOptions.DEFAULT, batch));
  }
}
