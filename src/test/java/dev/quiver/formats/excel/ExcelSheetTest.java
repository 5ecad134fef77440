package dev.quiver.formats.excel;

import static dev.quiver.formats.excel.WorkbookFile.cells;
import static dev.quiver.formats.excel.WorkbookFile.number;
import static dev.quiver.formats.excel.WorkbookFile.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.Advice;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.csv.CsvFile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExcelSheetTest extends ForeignFixture {

  private static final Limit INFLATED = new Limit("workbook-bytes", 1 << 30);

  /// A sheet whose text was written, and its table.
  record Opened(ExcelSheet sheet, CsvFile table) {

    List<String> fields() {
      return ForeignFixture.fields(table.schema());
    }

    List<List<@Nullable Object>> rows() throws IOException {
      return ForeignFixture.rows(table.read(CpuPool.PROCESS, folder), table.schema());
    }

    List<String> warnings() {
      List<Advice> advice = new ArrayList<>(sheet.advice());
      advice.addAll(table.advice());
      return Advice.sentences(advice);
    }
  }

  static Opened open(WorkbookFile workbook, String... pairs) throws IOException {
    return open(workbook, /* dataset= */ null, pairs);
  }

  static Opened open(WorkbookFile workbook, @Nullable Schema dataset, String... pairs)
      throws IOException {
    ExcelOptions options = ExcelOptions.parse(parameters(pairs));
    Path file = folder.resolve("book.xlsx");
    workbook.writeTo(file);
    Path text = folder.resolve("sheet.text");
    try (OutputStream output = Files.newOutputStream(text)) {
      Workbook.write(
          file,
          options.sheet(),
          Set.copyOf(options.nulls()),
          INFLATED,
          part -> output.write(part.toArray(ValueLayout.JAVA_BYTE)),
          () -> {});
    }
    ExcelSheet sheet = ExcelSheet.open(text, options);
    return new Opened(
        sheet,
        sheet.table(
            () -> Files.newInputStream(text),
            dataset == null ? null : new AppendedDataset(dataset, FileParameters.NONE)));
  }

  static List<@Nullable Object> row(@Nullable Object... values) {
    return Arrays.asList(values);
  }

  static long microseconds(LocalDateTime time) {
    return ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), time);
  }

  @Test
  void columnsHaveTheTypesOfTheirCells() throws IOException {
    Opened opened =
        open(
            new WorkbookFile()
                .formats("dd.mm.yyyy", "yyyy-mm-dd hh:mm", "h:mm", "0.00%")
                .sheet(
                    "Data",
                    cells(
                        text("A1", "id")
                            + text("B1", "zip")
                            + text("C1", "price")
                            + text("D1", "day")
                            + text("E1", "at")
                            + text("F1", "time")
                            + text("G1", "share")
                            + text("H1", "ok"),
                        number("A2", "1")
                            + text("B2", "01067")
                            + number("C2", "1.5")
                            + number("D2", "45322", 1)
                            + number("E2", "45322.5", 2)
                            + number("F2", "0.25", 3)
                            + number("G2", "0.25", 4)
                            + "<c r=\"H2\" t=\"b\"><v>1</v></c>",
                        number("A3", "2")
                            + text("B3", "80331")
                            + number("C3", "2")
                            + number("D3", "1", 1)
                            + number("E3", "45322", 2))));
    assertThat(opened.fields())
        .containsExactly(
            "id: int64",
            "zip: utf8",
            "price: float64",
            "day: date32[day]",
            "at: timestamp[us]",
            "time: time64[us]",
            "share: float64",
            "ok: bool");
    LocalDate day = LocalDate.of(2024, 1, 31);
    assertThat(opened.rows())
        .containsExactly(
            row(
                1L,
                "01067",
                1.5,
                day.toEpochDay(),
                microseconds(day.atTime(12, 0)),
                LocalTime.of(6, 0).toNanoOfDay() / 1_000,
                0.25,
                true),
            row(
                2L,
                "80331",
                2.0,
                LocalDate.of(1900, 1, 1).toEpochDay(),
                microseconds(day.atStartOfDay()),
                null,
                null,
                null));
    assertThat(opened.warnings()).isEmpty();
  }

  @Test
  void titleBesideTheTableIsNoColumn() throws IOException {
    String rows =
        cells(
            text("A1", "Sales"),
            "",
            text("C3", "name") + text("D3", "count"),
            text("C4", "a") + number("D4", "1"),
            text("C5", "b") + number("D5", "2") + number("F5", "3"));
    Opened opened = open(new WorkbookFile().sheet("S", rows));
    assertThat(opened.fields()).containsExactly("name: utf8", "count: int64", ": int64");
    assertThat(opened.rows()).containsExactly(row("a", 1L, null), row("b", 2L, 3L));
    assertThat(opened.warnings()).anyMatch(warning -> warning.contains("below \"Sales\""));
    Opened skipped = open(new WorkbookFile().sheet("S", rows), "excel.skip=2");
    assertThat(skipped.fields()).isEqualTo(opened.fields());
    ForeignDataException error =
        catchThrowableOfType(
            ForeignDataException.class,
            () -> open(new WorkbookFile().sheet("S", rows), "excel.types=name:int32").rows());
    assertThat(error).hasMessageContaining("in cell C4");
  }

  @ParameterizedTest
  @CsvSource({
    "A1, C, 'One, Two, Three', 2",
    "B1, C, 'One, Two, Three', 2",
    "A1, B, 'title, ', 3",
    "B1, B, ', title', 3"
  })
  void singleTextRightAboveATableOfTextsIsATitle(String cell, char last, String names, int rowCount)
      throws IOException {
    StringBuilder header = new StringBuilder();
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    for (char letter = 'A'; letter <= last; letter++) {
      header.append(text(letter + "2", List.of("One", "Two", "Three").get(letter - 'A')));
      first.append(text(letter + "3", "x" + letter));
      second.append(text(letter + "4", "y" + letter));
    }
    Opened opened =
        open(
            new WorkbookFile()
                .sheet(
                    "S",
                    cells(
                        text(cell, "title"),
                        header.toString(),
                        first.toString(),
                        second.toString())));
    assertThat(opened.table().schema().fields())
        .extracting(Field::name)
        .containsExactly(names.split(", ", -1));
    assertThat(opened.rows()).hasSize(rowCount);
  }

  @Test
  void momentsOfColumnsWithAZoneAreUtc() throws IOException {
    Schema dataset =
        Schema.of(
            Field.of("at", true, new ArrowType.Timestamp(TimeUnit.MICROSECOND, "Europe/Berlin")));
    LocalDateTime noon = LocalDateTime.of(2024, 1, 31, 12, 0);
    Opened opened =
        open(
            new WorkbookFile()
                .formats("yyyy-mm-dd hh:mm", "yyyy-mm-dd", "hh:mm:ss\"Z\" dd.mm.yyyy \"Z\"")
                .sheet(
                    "S",
                    cells(
                        text("A1", "at"),
                        number("A2", "45322.5", 1),
                        number("A3", "45322", 2),
                        text("A4", "2024-01-31T13:00:00+01:00"),
                        number("A5", "45322.5", 3))),
            dataset);
    assertThat(opened.rows())
        .containsExactly(
            row(microseconds(noon)),
            row(microseconds(noon.minusHours(12))),
            row(microseconds(noon)),
            row(microseconds(noon)));
    assertThat(opened.warnings())
        .containsExactly(
            "Column at has dates or times without a time zone, which are taken for UTC");
    Opened utc =
        open(
            new WorkbookFile()
                .formats("yyyy-mm-dd hh:mm:ss\"Z\"")
                .sheet("S", cells(text("A1", "at"), number("A2", "45322.5", 1))));
    assertThat(utc.fields()).containsExactly("at: timestamp[us, UTC]");
    assertThat(utc.rows()).containsExactly(row(microseconds(noon)));
    assertThat(utc.warnings()).isEmpty();
  }

  @Test
  void titlesAndSpacesAroundTheTableAreLeftOut() throws IOException {
    Opened opened =
        open(
            new WorkbookFile()
                .sheet(
                    "Report",
                    "<row r=\"2\">"
                        + text("B2", "Sales of 2024")
                        + "</row>"
                        + "<row r=\"4\">"
                        + text("B4", "name")
                        + text("D4", "count")
                        + "</row>"
                        + "<row r=\"5\">"
                        + text("B5", "a\tb\n\\c")
                        + number("D5", "1")
                        + "</row>"
                        + "<row r=\"7\">"
                        + text("B7", "_x0041__x000D_")
                        + number("D7", "3")
                        + "</row>"));
    assertThat(opened.fields()).containsExactly("name: utf8", "count: int64");
    assertThat(opened.rows()).containsExactly(row("a\tb\n\\c", 1L), row("A\r", 3L));
    assertThat(opened.table().found()).containsEntry("skippedLines", 3L);
    assertThat(opened.warnings())
        .containsExactly(
            "The table begins below \"Sales of 2024\"; the parameter excel.skip states another"
                + " beginning");
  }

  @Test
  void cellsWithoutAValueAreNullAndTold() throws IOException {
    Opened opened =
        open(
            new WorkbookFile()
                .formats("[h]:mm")
                .sheet(
                    "S",
                    cells(
                        text("A1", "a") + text("B1", "b") + text("C1", "c"),
                        "<c r=\"A2\" t=\"e\"><v>#DIV/0!</v></c><c r=\"B2\"><f>SUM(A1)</f></c>"
                            + number("C2", "1.5", 1),
                        number("A3", "2")
                            + "<c r=\"B3\"><f>1+1</f><v>2</v></c>"
                            + number("C3", "0.5", 1),
                        "<c r=\"A4\" t=\"e\"><f>NA()</f><v>#N/A</v></c>"
                            + "<c r=\"B4\" t=\"str\"><f>\"\"</f><v></v></c>")));
    assertThat(opened.fields()).containsExactly("a: int64", "b: int64", "c: float64");
    assertThat(opened.rows()).containsExactly(row(null, null, 1.5), row(2L, 2L, 0.5));
    assertThat(opened.warnings())
        .containsExactly(
            "2 cells are null, for they have errors: the first one #DIV/0! is A2",
            "Cell B2 is null, for the file lacks the value of its formula; save it in Excel, which"
                + " computes it",
            "2 cells are durations as numbers of days: the first one is C2");
  }

  @Test
  void sheetIsTheFirstVisibleOneWithCells() throws IOException {
    WorkbookFile workbook =
        new WorkbookFile()
            .sheet("Hidden", "state=\"hidden\"", cells(text("A1", "x"), number("A2", "1")))
            .sheet("Empty", "")
            .sheet("2024", cells(text("A1", "y"), number("A2", "2")))
            .sheet("Z", cells(text("A1", "z"), number("A2", "3")));
    Opened first = open(workbook);
    assertThat(first.fields()).containsExactly("y: int64");
    assertThat(first.sheet().found())
        .containsEntry("sheet", "2024")
        .containsEntry("sheets", List.of("Hidden", "Empty", "2024", "Z"));
    assertThat(first.warnings())
        .containsExactly(
            "The rows are those of sheet \"2024\"; the parameter excel.sheet reads another one:"
                + " \"Hidden\", \"Empty\", \"Z\"");
    assertThat(open(workbook, "excel.sheet=Z").fields()).containsExactly("z: int64");
    assertThat(open(workbook, "excel.sheet=Z").warnings()).isEmpty();
    assertThat(open(workbook, "excel.sheet=1").fields()).containsExactly("x: int64");
    assertThat(open(workbook, "excel.sheet=2024").fields()).containsExactly("y: int64");
    assertThatThrownBy(() -> open(workbook, "excel.sheet=5"))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessageContaining("\"Hidden\", \"Empty\", \"2024\", \"Z\"");
    assertThatThrownBy(() -> open(workbook, "excel.sheet=2"))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("Expected a sheet with cells but found none");
  }

  @Test
  void errorsNameTheCell() throws IOException {
    WorkbookFile workbook =
        new WorkbookFile()
            .sheet(
                "S",
                "<row r=\"3\">"
                    + text("C3", "n")
                    + text("E3", "m")
                    + "</row><row r=\"4\">"
                    + number("C4", "1")
                    + number("E4", "1")
                    + "</row><row r=\"5\">"
                    + number("C5", "1")
                    + text("E5", "many")
                    + "</row>");
    ForeignDataException error =
        catchThrowableOfType(
            ForeignDataException.class, () -> open(workbook, "excel.types=m:int32").rows());
    assertThat(error).hasMessage("Expected int32 but found \"many\" in cell E5, column m");
    assertThat(error.line()).isEqualTo(5);
    assertThat(error.hint())
        .isEqualTo(
            "The parameter excel.types=m:utf8 reads the column as text, and excel.rows=skip leaves"
                + " such rows out.");
    assertThat(open(workbook).warnings())
        .containsExactly(
            "Column m is text: most values are of type bigint, but row 5 has \"many\"");
    Opened skipped = open(workbook, "excel.types=m:int32", "excel.rows=skip");
    assertThat(skipped.rows()).containsExactly(row(1L, 1L));
    assertThat(open(workbook).fields()).containsExactly("n: int64", "m: utf8");
    assertThat(open(workbook, "excel.null=many").fields()).containsExactly("n: int64", "m: int64");
    Schema dataset =
        Schema.of(
            Field.of("n", true, new ArrowType.Utf8()), Field.of("m", true, new ArrowType.Utf8()));
    assertThat(open(workbook, dataset).rows()).containsExactly(row("1", "1"), row("1", "many"));
  }

  @Test
  void headerMayBeAbsentAndRowsSkipped() throws IOException {
    WorkbookFile workbook =
        new WorkbookFile()
            .sheet(
                "S",
                cells(
                    number("A1", "3") + number("B1", "4.5"),
                    number("A2", "7") + number("B2", "8.5"),
                    number("A3", "9") + number("B3", "1")));
    assertThat(open(workbook).fields()).containsExactly("column0: int64", "column1: float64");
    assertThat(open(workbook).rows()).hasSize(3);
    assertThat(open(workbook, "excel.skip=1", "excel.header=true").fields())
        .containsExactly("7: int64", "8.5: int64");
    assertThat(open(workbook, "excel.skip=1", "excel.header=true").rows())
        .containsExactly(row(9L, 1L));
  }

  @Test
  void sharedTextsAndEpochOf1904AreRead() throws IOException {
    Opened opened =
        open(
            new WorkbookFile()
                .properties("date1904=\"1\"")
                .formats("yyyy\\-mm\\-dd;@")
                .texts(
                    "<si><t>d</t></si><si><r><t>wo</t></r><r><t>rd</t></r><rPh sb=\"0\""
                        + " eb=\"1\"><t>x</t></rPh></si><si><t>w</t></si>")
                .sheet(
                    "S",
                    cells(
                        "<c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>2</v></c>",
                        number("A2", "0", 1) + "<c r=\"B2\" t=\"s\"><v>1</v></c>")));
    assertThat(opened.fields()).containsExactly("d: date32[day]", "w: utf8");
    assertThat(opened.rows()).containsExactly(row(LocalDate.of(1904, 1, 1).toEpochDay(), "word"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, NUMBER",
    "General, NUMBER",
    "'#,##0.00', NUMBER",
    "0.00E+00, NUMBER",
    "@, NUMBER",
    "'\"day\" 0', NUMBER",
    "0\\d, NUMBER",
    "[Red]0, NUMBER",
    "[$-407]0.0, NUMBER",
    "'General \"d\"', NUMBER",
    "'0;\"y\"', NUMBER",
    "# ?/?, NUMBER",
    "yyyy, DATE",
    "d/m/yy, DATE",
    "mmm, DATE",
    "[$-F800]dddd, DATE",
    "aaaa, DATE",
    "ggge, DATE",
    "[$-411]e\"年\"m\"月\", DATE",
    "bbbb, DATE",
    "h:mm, TIME",
    "mm:ss, TIME",
    "h AM/PM, TIME",
    "ss.000, TIME",
    "m/d/yy h:mm, TIMESTAMP",
    "yyyy-mm-ddThh:mm:ss, TIMESTAMP",
    "'yyyy-mm-dd hh:mm:ss\"Z\"', UTC_TIMESTAMP",
    "yyyy-mm-dd hh:mm:ss\\Z;@, UTC_TIMESTAMP",
    "yyyy\"Z\", DATE",
    "[h]:mm, DURATION",
    "[mm]:ss, DURATION",
    "[s], DURATION"
  })
  void formatsTellDatesAndTimes(String code, NumberFormat format) {
    assertThat(NumberFormat.ofCode(code)).isEqualTo(format);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, A1",
    "25, 2, Z2",
    "26, 3, AA3",
    "701, 4, ZZ4",
    "702, 5, AAA5",
    "16383, 1048576, XFD1048576"
  })
  void cellsHaveNames(int column, int row, String name) {
    assertThat(SheetWriter.name(column, row)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "1, DATE, 1900-01-01",
        "59, DATE, 1900-02-28",
        "60, DATE, null",
        "61, DATE, 1900-03-01",
        "0, DATE, null",
        "0.5, TIME, 12:00:00",
        "0.999999999, TIME, 23:59:59.999",
        "45322.25, DATE, 2024-01-31T06:00:00",
        "45322, TIMESTAMP, 2024-01-31T00:00:00",
        "45322.5000000116, TIMESTAMP, 2024-01-31T12:00:00.001",
        "2958465, DATE, 9999-12-31",
        "2958466, DATE, null",
        "-1, DATE, null",
        "1e300, DATE, null",
        "1.5, TIME, 1900-01-01T12:00:00",
        "45322.5, UTC_TIMESTAMP, 2024-01-31T12:00:00Z"
      })
  void daysAreDates(double days, NumberFormat format, @Nullable String date) {
    assertThat(CellDate.text(days, format, false)).isEqualTo(date);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "2024-01-31, DATE, 2024-01-31",
        "2024-01-31T00:00:00, DATE, 2024-01-31",
        "2024-01-31T00:00:00, NUMBER, 2024-01-31T00:00:00",
        "2024-01-31T12:30, TIMESTAMP, 2024-01-31T12:30:00",
        "2024-01-31T12:30:01.25, DATE, 2024-01-31T12:30:01.25",
        "2024-01-31T12:30:00Z, TIMESTAMP, 2024-01-31T12:30:00Z",
        "2024-01-31T12:30:00+01:00, NUMBER, 2024-01-31T12:30:00+01:00",
        "1899-12-30T06:00:00, TIME, 06:00:00",
        "1899-12-31T06:00:00, TIME, 06:00:00",
        "1904-01-01T06:00:00, TIME, 06:00:00",
        "2024-01-31T06:00:00, TIME, 2024-01-31T06:00:00",
        "06:00:00.5, NUMBER, 06:00:00.5",
        "2024-02-30, DATE, null",
        "2024-01-31T25:00, DATE, null",
        "45322, DATE, null",
        "T, DATE, null"
      })
  void datesOfIsoAreRead(String text, NumberFormat format, @Nullable String date) {
    assertThat(CellDate.ofIso(text, format)).isEqualTo(date);
  }

  @ParameterizedTest
  @CsvSource({
    "0, NUMBER", "13, NUMBER", "14, DATE", "17, DATE", "18, TIME", "21, TIME", "22, TIMESTAMP",
    "23, NUMBER", "36, DATE", "45, TIME", "46, DURATION", "47, TIME", "48, NUMBER", "49, NUMBER",
    "77, TIMESTAMP", "163, NUMBER"
  })
  void formatsOfExcelItselfHaveNoCode(int id, NumberFormat format) {
    assertThat(NumberFormat.ofId(id)).isEqualTo(format);
  }

  @Test
  void rowsAndCellsNeedNoNumbers() throws IOException {
    Opened opened =
        open(
            new WorkbookFile()
                .sheet(
                    "S",
                    "<row><c t=\"str\"><v>n</v></c><c t=\"str\"><v>m</v></c></row>"
                        + "<row><c><v>1</v></c><c><v>2.5</v></c></row>"));
    assertThat(opened.fields()).containsExactly("n: int64", "m: float64");
    assertThat(opened.rows()).containsExactly(row(1L, 2.5));
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Path file = write("other.xlsx", "PK\3\4 but nothing else");
    assertThatThrownBy(() -> Workbook.write(file, null, Set.of(), INFLATED, _ -> {}, () -> {}))
        .isInstanceOfAny(ForeignDataException.class, IOException.class);
    for (String rows :
        List.of(
            "<row r=\"2\"/><row r=\"1\"/>",
            "<row r=\"1048577\"/>",
            "<row r=\"1\"><c r=\"XFE1\"><v>1</v></c></row>",
            "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>7</v></c></row>",
            "<row r=\"1\"><c r=\"A1\" t=\"x\"><v>7</v></c></row>",
            "<row r=\"x\"/>",
            "<row r=\"1\"><c r=\"A1\"><v>1</row>",
            "&entity;")) {
      assertThatThrownBy(() -> open(new WorkbookFile().sheet("S", rows)))
          .as(rows)
          .isInstanceOf(ForeignDataException.class);
    }
  }
}
