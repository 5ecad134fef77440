package dev.quiver.arrow.text;

import static dev.quiver.arrow.text.Rendered.INT64;
import static dev.quiver.arrow.text.Rendered.UTF8;
import static dev.quiver.arrow.text.Rendered.batch;
import static dev.quiver.arrow.text.Rendered.encoded;
import static dev.quiver.arrow.text.Rendered.field;
import static dev.quiver.arrow.text.Rendered.named;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Tests workbooks by their XML. [dev.quiver.server.WorkbooksTest] reads them by another library.
class WorkbookWriterTest {

  private static final Limit UNLIMITED = new Limit("text-response-bytes", Long.MAX_VALUE);
  private static final ArrowType.FloatingPoint DOUBLE =
      new ArrowType.FloatingPoint(Precision.DOUBLE);

  private record Written(byte[] bytes, List<String> warnings) {

    Map<String, String> parts() throws IOException {
      Map<String, String> parts = new LinkedHashMap<>();
      try (ZipInputStream archive = new ZipInputStream(new ByteArrayInputStream(bytes))) {
        for (ZipEntry entry = archive.getNextEntry();
            entry != null;
            entry = archive.getNextEntry()) {
          parts.put(entry.getName(), new String(archive.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
      return parts;
    }

    String sheet() throws IOException {
      return parts().getOrDefault("xl/worksheets/sheet1.xml", "");
    }

    /// Returns the cells below the names, as they are written.
    String rows() throws IOException {
      String sheet = sheet();
      int start = sheet.indexOf("</row>") + "</row>".length();
      return sheet.substring(start, sheet.indexOf("</sheetData>"));
    }
  }

  private static Written write(Limit limit, RecordBatch... batches) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (WorkbookWriter writer =
        new WorkbookWriter(
            "name",
            TextOptions.DEFAULT,
            batches[0].schema(),
            part -> bytes.writeBytes(part.toArray(LittleEndian.INT8)),
            limit)) {
      for (RecordBatch batch : batches) {
        writer.write(batch);
      }
      List<String> warnings = writer.end();
      return new Written(bytes.toByteArray(), warnings);
    }
  }

  private static Written write(RecordBatch... batches) throws IOException {
    return write(UNLIMITED, batches);
  }

  /// Returns the cell of a value below the name, without its address.
  private static String cell(Field field, Object value) throws IOException {
    return write(batch(field, asList(value)))
        .rows()
        .replaceFirst("(?s)<row r=\"2\">(?:<c r=\"A2\"(.*)</c>)?</row>", "$1");
  }

  private static String number(Field field, Object value) throws IOException {
    assertThat(write(batch(field, asList(value))).warnings()).isEmpty();
    return cell(field, value).replaceFirst("( s=\"\\d+\")?><v>(.*)</v>", "$2");
  }

  private static String text(Field field, Object value) throws IOException {
    return cell(field, value).replaceFirst("(?s) t=\"inlineStr\"><is><t>(.*)</t></is>", "$1");
  }

  private static String warned(Field field, Object value) throws IOException {
    Written written = write(batch(field, asList(value)));
    assertThat(written.warnings()).hasSize(1);
    return text(field, value) + " | " + written.warnings().getFirst();
  }

  @Test
  void writesNamesAndRowsAcrossBatches() throws IOException {
    Schema schema = Schema.of(named("a<b", INT64), named("flag", new ArrowType.Bool()));
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());
    RecordBatch first = builder.recordBatch(schema, 1, List.of(asList(1L), asList(true)));
    RecordBatch none = builder.recordBatch(schema, 0, List.of(List.of(), List.of()));
    RecordBatch last =
        builder.recordBatch(schema, 2, List.of(asList(null, -7L), asList(null, false)));
    String sheet = write(first, none, last).sheet();
    assertThat(sheet.substring(sheet.indexOf("<cols>")))
        .isEqualTo(
            "<cols><col min=\"1\" max=\"1\" width=\"16\" customWidth=\"1\"/>"
                + "<col min=\"2\" max=\"2\" width=\"12\" customWidth=\"1\"/></cols><sheetData>"
                + "<row r=\"1\"><c r=\"A1\" s=\"27\" t=\"inlineStr\"><is><t>a&lt;b</t></is></c>"
                + "<c r=\"B1\" s=\"27\" t=\"inlineStr\"><is><t>flag</t></is></c></row>"
                + "<row r=\"2\"><c r=\"A2\" s=\"2\"><v>1</v></c>"
                + "<c r=\"B2\" t=\"b\"><v>1</v></c></row>"
                + "<row r=\"3\"></row>"
                + "<row r=\"4\"><c r=\"A4\" s=\"2\"><v>-7</v></c>"
                + "<c r=\"B4\" t=\"b\"><v>0</v></c></row>"
                + "</sheetData><autoFilter ref=\"A1:B4\"/></worksheet>");
  }

  @Test
  void isAnArchiveOfWellFormedXml() throws Exception {
    Written written = write(batch(named("&\u0001_x0041_\"", UTF8), asList("<&>]]>", "\r\uFFFF")));
    assertThat(written.parts().keySet())
        .containsExactly(
            "[Content_Types].xml",
            "_rels/.rels",
            "xl/worksheets/sheet1.xml",
            "xl/workbook.xml",
            "xl/_rels/workbook.xml.rels",
            "xl/styles.xml");
    DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    for (String part : written.parts().values()) {
      parser.parse(new ByteArrayInputStream(part.getBytes(StandardCharsets.UTF_8)));
    }
    Document styles =
        parser.parse(
            new ByteArrayInputStream(
                written
                    .parts()
                    .getOrDefault("xl/styles.xml", "")
                    .getBytes(StandardCharsets.UTF_8)));
    NodeList counted = styles.getDocumentElement().getChildNodes();
    for (int i = 0; i < counted.getLength(); i++) {
      Element list = (Element) counted.item(i);
      assertThat(list.getAttribute("count"))
          .as(list.getTagName())
          .isIn("", Integer.toString(list.getChildNodes().getLength()));
    }
  }

  @Test
  void equalBatchesAreEqualBytes() throws IOException {
    RecordBatch batch = batch(field(UTF8), asList("a", null, "b"));
    assertThat(write(batch).bytes()).isEqualTo(write(batch).bytes());
  }

  @ParameterizedTest
  @CsvSource({
    "short, short",
    "history, history_",
    "History, History_",
    "a.name-of_30.characters.or.so.x, a.name-of_30.characters.or.so.x",
    "a.name-of_30.characters.or.so.xy, a.name-of_30.characters.or.so.x",
  })
  void namesTheWorksheetWithinTheRulesOfExcel(String name, String sheet) throws IOException {
    assertThat(WorkbookParts.workbook(name, "$A$1:$B$2"))
        .contains("<sheet name=\"" + sheet + "\"")
        .contains(">'" + sheet + "'!$A$1:$B$2<");
  }

  @Test
  void integersOfMoreThan15DigitsAreText() throws IOException {
    assertThat(number(field(INT64), 999_999_999_999_999L)).isEqualTo("999999999999999");
    assertThat(number(field(INT64), -999_999_999_999_999L)).isEqualTo("-999999999999999");
    String warning =
        " | Integers and decimals of more than 15 digits are text: 1, the first in cell A2";
    assertThat(warned(field(INT64), 1_000_000_000_000_000L))
        .isEqualTo("1000000000000000" + warning);
    assertThat(warned(field(INT64), Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE + warning);
    assertThat(warned(field(new ArrowType.Int(64, false)), new BigInteger("18446744073709551615")))
        .isEqualTo("18446744073709551615" + warning);
    assertThat(number(field(new ArrowType.Int(32, false)), 4_294_967_295L)).isEqualTo("4294967295");
    assertThat(number(field(new ArrowType.Int(8, true)), -128)).isEqualTo("-128");
  }

  @ParameterizedTest
  @CsvSource({
    "3, 1.500, true",
    "3, 999999999999.999, true",
    "3, -999999999999.990, true",
    "3, 1000000000000.001, false",
    "20, 1.50000000000000000000, true",
    "20, 0.00000000000000000001, true",
    "20, 0.12345678901234500000, true",
    "20, 1.23456789012345600000, false",
    "0, 999999999999999, true",
    "0, 1000000000000000, false",
    "2, 1000000000000000.00, false",
    "2, 0.00, true",
  })
  void decimalsOfMoreThan15DigitsAreText(int scale, String text, boolean isNumber)
      throws IOException {
    Field decimal = field(new ArrowType.Decimal(38, scale, 128));
    BigDecimal value = new BigDecimal(text);
    if (isNumber) {
      assertThat(number(decimal, value)).isEqualTo(text);
    } else {
      assertThat(warned(decimal, value)).startsWith(text + " | Integers and decimals of more");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-3, 12E3, true",
    "-3, 123456789012E3, true",
    "-3, 1234567890123E3, false",
    "80, 5E-80, true",
    "400, 5E-400, false",
  })
  void decimalsWithAnExponentAreNumbersIfADoubleHasTheirDigits(
      int scale, String text, boolean isNumber) throws IOException {
    Field decimal = field(new ArrowType.Decimal(38, scale, 128));
    BigDecimal value = new BigDecimal(text);
    assertThat(cell(decimal, value)).contains(text);
    assertThat(cell(decimal, value).contains("inlineStr")).isNotEqualTo(isNumber);
  }

  @Test
  void numbersThatAreNotFiniteAreText() throws IOException {
    String warning = " | NaN and infinities are text: 1, the first in cell A2";
    for (Precision precision : Precision.values()) {
      Field floating = field(new ArrowType.FloatingPoint(precision));
      assertThat(number(floating, -1.5)).isEqualTo("-1.5");
      assertThat(warned(floating, Double.NaN)).isEqualTo("NaN" + warning);
      assertThat(warned(floating, Double.NEGATIVE_INFINITY)).isEqualTo("-Infinity" + warning);
    }
    assertThat(number(field(DOUBLE), 0.1 + 0.2)).isEqualTo("0.30000000000000004");
    assertThat(number(field(DOUBLE), 1e300)).isEqualTo("1e+300");
  }

  @ParameterizedTest
  @CsvSource({"1900-03-01, 61", "1970-01-01, 25569", "2024-02-29, 45351", "9999-12-31, 2958465"})
  void datesAreTheirDays(LocalDate date, String days) throws IOException {
    assertThat(number(field(new ArrowType.Date(DateUnit.DAY)), date.toEpochDay())).isEqualTo(days);
    long milliseconds = date.toEpochDay() * 86_400_000;
    assertThat(number(field(new ArrowType.Date(DateUnit.MILLISECOND)), milliseconds))
        .isEqualTo(days);
    assertThat(number(field(timestamp(TimeUnit.SECOND)), date.toEpochDay() * 86_400))
        .isEqualTo(days);
  }

  private static ArrowType.Timestamp timestamp(TimeUnit unit) {
    return new ArrowType.Timestamp(unit, null);
  }

  @ParameterizedTest
  @CsvSource({"1900-02-28", "0001-01-01", "-0001-01-01", "+10000-01-01"})
  void datesThatSpreadsheetsLackAreText(String date) throws IOException {
    long day = LocalDate.parse(date).toEpochDay();
    String warning =
        " | Dates before 1900-03-01 or after 9999-12-31, times outside of a day, and durations"
            + " below 0 or above 2958465 days are text: 1, the first in cell A2";
    assertThat(warned(field(new ArrowType.Date(DateUnit.DAY)), day)).isEqualTo(date + warning);
    assertThat(warned(field(timestamp(TimeUnit.SECOND)), day * 86_400 + 86_399))
        .isEqualTo(date + "T23:59:59" + warning);
  }

  @Test
  void momentsAreDaysWithAFractionUnlessTheyAreFinerThanAMillisecond() throws IOException {
    long noon = 1_709_208_000;
    assertThat(number(field(timestamp(TimeUnit.SECOND)), noon)).isEqualTo("45351.5");
    Field microseconds = field(new ArrowType.Timestamp(TimeUnit.MICROSECOND, "Europe/Berlin"));
    assertThat(number(microseconds, noon * 1_000_000 + 1_000)).isEqualTo("45351.500000011576");
    assertThat(warned(microseconds, noon * 1_000_000 + 1_001))
        .isEqualTo(
            "2024-02-29T12:00:00.001001Z"
                + " | Times finer than a millisecond are text: 1, the first in cell A2");
    assertThat(warned(field(timestamp(TimeUnit.NANOSECOND)), noon * 1_000_000_000 + 1))
        .startsWith("2024-02-29T12:00:00.000000001 | Times finer");
    assertThat(number(field(timestamp(TimeUnit.MILLISECOND)), 1L)).isEqualTo("25569.000000011572");
  }

  /// The milliseconds of a moment are those that a reader rounds its days to.
  @Test
  void everyMillisecondOfADayReadsBack() throws IOException {
    long last = LocalDate.of(9999, 12, 31).toEpochDay() * 86_400_000;
    List<Long> moments =
        IntStream.range(0, 5_000).mapToObj(i -> last + i * 17_277L + i % 7).toList();
    String rows = write(batch(field(timestamp(TimeUnit.MILLISECOND)), moments)).rows();
    List<Long> read = new ArrayList<>();
    for (String cell : rows.split("<v>")) {
      if (cell.contains("</v>")) {
        double days = Double.parseDouble(cell.substring(0, cell.indexOf("</v>")));
        read.add(Math.round((days - 25_569) * 86_400_000));
      }
    }
    assertThat(read).isEqualTo(moments);
  }

  @Test
  void timesAndDurationsArePartsOfDays() throws IOException {
    Field time = field(new ArrowType.Time(TimeUnit.MICROSECOND, 64));
    assertThat(number(time, 21_600_000_000L)).isEqualTo("0.25");
    assertThat(number(time, 0L)).isEqualTo("0");
    assertThat(warned(time, 1L)).startsWith("00:00:00.000001 | Times finer");
    assertThat(warned(time, 86_400_000_000L)).startsWith("24:00:00.000000 | Dates before");
    assertThat(warned(time, -1_000L)).startsWith("-00:00:00.001000 | Dates before");
    Field duration = field(new ArrowType.Duration(TimeUnit.SECOND));
    assertThat(number(duration, 129_600L)).isEqualTo("1.5");
    assertThat(number(duration, 2_958_466L * 86_400 - 43_200)).isEqualTo("2958465.5");
    assertThat(warned(duration, 2_958_466L * 86_400)).startsWith("PT255611462400S | Dates before");
    assertThat(warned(duration, -1L)).startsWith("PT-1S | Dates before");
    assertThat(warned(field(new ArrowType.Duration(TimeUnit.NANOSECOND)), 1_500L))
        .startsWith("PT0.0000015S | Times finer");
  }

  @Test
  void textIsEscapedWhereXmlOrExcelWouldChangeIt() throws IOException {
    assertThat(text(field(UTF8), "=1+1")).isEqualTo("=1+1");
    assertThat(text(field(UTF8), "<a & \"b\">")).isEqualTo("&lt;a &amp; \"b\"&gt;");
    assertThat(text(field(UTF8), "a\tb\nc\rd")).isEqualTo("a\tb\nc&#13;d");
    assertThat(text(field(UTF8), "a\u0000\u0008\u001F\u007Fb"))
        .isEqualTo("a_x0000__x0008__x001F_\u007Fb");
    assertThat(text(field(UTF8), "a\uFFFE\uFFFF\uFFFD\uF8FF"))
        .isEqualTo("a_xFFFE__xFFFF_\uFFFD\uF8FF");
    assertThat(text(field(UTF8), "_x0041_ _x00e9_ _x41_ _x0041 __x004G_ a_b"))
        .isEqualTo("_x005F_x0041_ _x005F_x00e9_ _x41_ _x0041 __x004G_ a_b");
    assertThat(text(field(UTF8), "日本😀")).isEqualTo("日本😀");
    String blanks = " t=\"inlineStr\"><is><t xml:space=\"preserve\">";
    assertThat(cell(field(UTF8), " a")).isEqualTo(blanks + " a</t></is>");
    assertThat(cell(field(UTF8), "a\n")).isEqualTo(blanks + "a\n</t></is>");
    assertThat(cell(field(UTF8), "")).isEqualTo(" t=\"inlineStr\"><is><t></t></is>");
  }

  @ParameterizedTest
  @CsvSource({"a, 32767", "é, 32767", "日, 32767", "😀, 16383", "_x0041_, 4681", "&, 32767"})
  void aTextHasAtMost32767CodeUnits(String character, int count) throws IOException {
    String longest = character.repeat(count);
    String rest = "a".repeat(32_767 - longest.length());
    assertThat(text(field(UTF8), longest + rest)).hasSizeGreaterThanOrEqualTo(32_766);
    assertThatThrownBy(() -> write(batch(field(UTF8), asList(null, longest + rest + "a"))))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 32767 characters (a cell of Excel) but found 32768 at cell A3");
  }

  @Test
  void aTextOfAnyLengthIsRejected() {
    RecordBatch batch = batch(field(UTF8), asList("x".repeat(5_000_000)));
    assertThatThrownBy(() -> write(batch))
        .hasMessage(
            "Expected at most 32767 characters (a cell of Excel) but found more at cell A2");
    RecordBatch named = batch(named("n".repeat(32_768), UTF8), List.of());
    assertThatThrownBy(() -> write(named)).hasMessageContaining("but found 32768 at cell A1");
  }

  @Test
  void otherTypesAreTheTextOfAPage() throws IOException {
    Field list = field(new ArrowType.List(), named("item", UTF8));
    assertThat(text(list, asList("a", null, "\"<"))).isEqualTo("[\"a\",null,\"\\\"&lt;\"]");
    assertThat(text(field(new ArrowType.Binary()), new byte[] {-1, 0})).isEqualTo("/wA=");
  }

  @Test
  void indirectValuesAreThoseThatTheyReferTo() throws IOException {
    Written written =
        write(batch(encoded(new ArrowType.Int(8, true)), asList("a", null, "b \"c\"")));
    assertThat(written.rows())
        .isEqualTo(
            "<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>a</t></is></c></row>"
                + "<row r=\"3\"></row>"
                + "<row r=\"4\"><c r=\"A4\" t=\"inlineStr\"><is><t>b \"c\"</t></is></c></row>");
    Field runs =
        field(
            new ArrowType.RunEndEncoded(),
            Field.of("run_ends", false, new ArrowType.Int(32, true)),
            named("values", INT64));
    assertThat(write(batch(runs, asList(7L, 7L, null))).rows())
        .isEqualTo(
            "<row r=\"2\"><c r=\"A2\" s=\"2\"><v>7</v></c></row>"
                + "<row r=\"3\"><c r=\"A3\" s=\"2\"><v>7</v></c></row><row r=\"4\"></row>");
    assertThat(write(batch(field(new ArrowType.Null()), asList(null, null))).rows())
        .isEqualTo("<row r=\"2\"></row><row r=\"3\"></row>");
  }

  @Test
  void aWarningCountsItsValuesAndNamesTheFirst() throws IOException {
    Schema schema = Schema.of(named("d", DOUBLE), named("i", INT64));
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto())
            .recordBatch(
                schema,
                3,
                List.of(asList(1.0, Double.NaN, 2.0), asList(1L, Long.MAX_VALUE, Long.MIN_VALUE)));
    assertThat(write(batch, batch).warnings())
        .containsExactly(
            "Integers and decimals of more than 15 digits are text: 4, the first in cell B3",
            "NaN and infinities are text: 2, the first in cell A3");
  }

  @Test
  void lettersOfColumnsGoToXfd() {
    assertThat(List.of(0, 25, 26, 51, 701, 702, 16_383).stream().map(SheetColumn::letters).toList())
        .containsExactly("A", "Z", "AA", "AZ", "ZZ", "AAA", "XFD");
  }

  @Test
  void aWorksheetHasAtMost16384Columns() throws IOException {
    assertThat(write(columns(16_384)).sheet()).contains("<c r=\"XFD2\" s=\"2\"><v>1</v></c>");
    RecordBatch more = columns(16_385);
    assertThatThrownBy(() -> write(more))
        .hasMessage("Expected at most 16384 columns (a worksheet of Excel) but found 16385");
  }

  private static RecordBatch columns(int count) {
    List<Field> fields = Collections.nCopies(count, named("c", INT64));
    return new ArrayBuilder(Arena.ofAuto())
        .recordBatch(
            Schema.of(fields.toArray(Field[]::new)), 1, Collections.nCopies(count, List.of(1L)));
  }

  @Test
  void aWorksheetHasAtMost1048575RowsBelowTheNames() throws IOException {
    RecordBatch rows =
        new ArrayBuilder(Arena.ofAuto())
            .recordBatch(
                Schema.of(field(new ArrowType.Null())),
                1_048_575,
                List.of(Collections.nCopies(1_048_575, null)));
    assertThat(write(rows).rows()).endsWith("<row r=\"1048576\"></row>");
    RecordBatch one = batch(field(new ArrowType.Null()), asList((Object) null));
    assertThatThrownBy(() -> write(rows, one))
        .hasMessage(
            "Expected at most 1048575 rows below the names of the columns (a worksheet of Excel)"
                + " but found 1048576");
  }

  @Test
  void aWorksheetWithinTheLimitOfBytesIsWritten() throws IOException {
    RecordBatch batch = batch(field(UTF8), asList("a".repeat(30_000), "b".repeat(30_000)));
    int byteSize = write(batch).sheet().length();
    assertThat(write(new Limit("bytes", byteSize), batch).sheet()).hasSize(byteSize);
    assertThatThrownBy(() -> write(new Limit("bytes", byteSize - 1), batch))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("bytes of rendered text (bytes)");
  }

  @Test
  void noColumnsAreRowsWithoutCells() throws IOException {
    Written written =
        write(new ArrayBuilder(Arena.ofAuto()).recordBatch(Schema.of(), 2, List.of()));
    assertThat(written.sheet())
        .contains(
            "<sheetData><row r=\"1\"></row><row r=\"2\"></row><row r=\"3\"></row></sheetData>")
        .doesNotContain("autoFilter", "<cols>");
  }
}
