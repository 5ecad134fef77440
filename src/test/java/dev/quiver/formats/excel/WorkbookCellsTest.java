package dev.quiver.formats.excel;

import static dev.quiver.formats.excel.ExcelSheetTest.microseconds;
import static dev.quiver.formats.excel.ExcelSheetTest.open;
import static dev.quiver.formats.excel.ExcelSheetTest.row;
import static dev.quiver.formats.excel.WorkbookFile.cells;
import static dev.quiver.formats.excel.WorkbookFile.number;
import static dev.quiver.formats.excel.WorkbookFile.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The parts of workbooks as programs write them, and as none should.
class WorkbookCellsTest extends ForeignFixture {

  private static final Limit INFLATED = new Limit("workbook-bytes", 1 << 20);

  private static String cell(String name, String type, String content) {
    return "<c r=\"%s\" t=\"%s\">%s</c>".formatted(name, type, content);
  }

  private static ExcelSheetTest.Opened column(String... cells) throws IOException {
    String[] rows = new String[cells.length + 1];
    rows[0] = text("A1", "c");
    System.arraycopy(cells, 0, rows, 1, cells.length);
    return open(new WorkbookFile().sheet("S", cells(rows)));
  }

  @Test
  void eachTypeOfCellIsRead() throws IOException {
    assertThat(
            column(
                    cell("A2", "b", "<v>1</v>"),
                    cell("A3", "b", "<v> true </v>"),
                    cell("A4", "b", "<v>false</v>"))
                .rows())
        .containsExactly(row(true), row(true), row(false));
    assertThat(column(cell("A2", "n", "<v>\n 1.5E1 </v>"), number("A3", "0.5")).rows())
        .containsExactly(row(15.0), row(0.5));
    assertThat(
            column(
                    cell("A2", "str", "<f>A1</f><v> #N/A </v>"),
                    cell("A3", "str", "<v>1</v>"),
                    cell("A4", "e", "<f>NA()</f><v>#N/A</v>"))
                .rows())
        .containsExactly(row(" #N/A "), row("1"));
    assertThat(column(cell("A2", "d", "<v>2024-01-31</v>")).rows())
        .containsExactly(row(LocalDate.of(2024, 1, 31).toEpochDay()));
    assertThat(column(cell("A2", "d", "<v>2024-01-31T12:00:00Z</v>")).rows())
        .containsExactly(row(microseconds(LocalDate.of(2024, 1, 31).atTime(12, 0))));
  }

  @Test
  void textsHaveRunsAndEscapesButNoPronunciation() throws IOException {
    String rich =
        "<is><r><rPr><b/></rPr><t xml:space=\"preserve\">a </t></r><r><t> b</t></r>"
            + "<rPh sb=\"0\" eb=\"1\"><t>x</t></rPh><phoneticPr fontId=\"1\"/></is>";
    assertThat(
            column(
                    cell("A2", "inlineStr", rich),
                    cell("A3", "inlineStr", "<is><t><![CDATA[<c>]]>&amp;&#x1F600;</t></is>"),
                    text("A4", "_xD83D__xDE00_ _xD800_ _x005F_x0041_ _x00g0_ _x41_"),
                    cell("A5", "str", "<v>a_x000A_b</v>"))
                .rows())
        .containsExactly(
            row("a  b"), row("<c>&😀"), row("😀 \uFFFD _x0041_ _x00g0_ _x41_"), row("a\nb"));
  }

  @Test
  void formulasAreNotRead() throws IOException {
    ExcelSheetTest.Opened opened =
        column(
            "<c r=\"A2\"><f t=\"shared\" ref=\"A2:A3\" si=\"0\">ATAN2(A2,B2)+{1;2}</f><v>1</v></c>",
            "<c r=\"A3\"><f t=\"shared\" si=\"0\"/><v>2</v></c>",
            "<c r=\"A4\" cm=\"1\"><f t=\"array\" ref=\"A4:B9\">)(</f><v>3</v></c>",
            "<c r=\"A5\"><f>1+1</f><v></v></c>");
    assertThat(opened.rows()).containsExactly(row(1L), row(2L), row(3L));
    assertThat(opened.warnings())
        .containsExactly(
            "Cell A5 is null, for the file lacks the value of its formula; save it in Excel, which"
                + " computes it");
  }

  @Test
  void strictPartsAreReadAlike() throws IOException {
    WorkbookFile workbook =
        new WorkbookFile()
            .formats("yyyy-mm-dd")
            .texts("<si><t>c</t></si>")
            .sheet(
                "S",
                cells(
                    "<c r=\"A1\" t=\"s\"><v> 0 </v></c>",
                    "<c r=\"A2\" s=\"1\" t=\"d\"><v>2024-01-31T00:00:00</v></c>"))
            .strict();
    ExcelSheetTest.Opened opened = open(workbook);
    assertThat(opened.fields()).containsExactly("c: date32[day]");
    assertThat(opened.rows()).containsExactly(row(LocalDate.of(2024, 1, 31).toEpochDay()));
  }

  /// Names of parts are those of relationships, whatever their case, and elements may have a
  /// prefix.
  @Test
  void partsMayHaveOtherNames() throws IOException {
    String relationships = "<Relationships>%s</Relationships>";
    String relationship = "<Relationship Id=\"%s\" Type=\"x/%s\" Target=\"%s\" %s/>";
    WorkbookFile workbook =
        new WorkbookFile()
            .part(
                "_rels/.rels",
                relationships.formatted(
                    relationship.formatted("a", "officeDocument", "/My%20Book/Main.xml", "")))
            .part(
                "My Book/Main.xml",
                "<x:workbook xmlns:x=\"y\" xmlns:z=\"q\"><x:sheets>"
                    + "<x:sheet name=\"Chart\" z:id=\"c\"/>"
                    + "<x:sheet name=\"Very\" state=\"veryHidden\" z:id=\"v\"/>"
                    + "<x:sheet name=\"T\" z:id=\"t\"/></x:sheets></x:workbook>")
            .part(
                "my book/_rels/main.xml.rels",
                relationships.formatted(
                    relationship.formatted("c", "chartsheet", "chart.xml", "")
                        + relationship.formatted("v", "worksheet", "very.xml", "")
                        + relationship.formatted("l", "worksheet", "t", "TargetMode=\"External\"")
                        + relationship.formatted("t", "worksheet", ".././rows\\ONE.xml", "")))
            .part(
                "My Book/very.xml", "<w><sheetData>" + cells(text("A1", "v")) + "</sheetData></w>")
            .part(
                "Rows/one.xml",
                "<x:w xmlns:x=\"y\"><x:dimension/><x:sheetData><x:row><x:c t=\"str\">"
                    + "<x:v>n</x:v></x:c></x:row><x:row r=\"4\"><x:c><x:v>7</x:v></x:c></x:row>"
                    + "</x:sheetData></x:w>");
    ExcelSheetTest.Opened opened = open(workbook);
    assertThat(opened.fields()).containsExactly("n: int64");
    assertThat(opened.rows()).containsExactly(row(7L));
    assertThat(opened.sheet().found()).containsEntry("sheets", List.of("Very", "T"));
  }

  @Test
  void numbersWithAMissingStyleAreTold() throws IOException {
    String rows = cells(text("A1", "c"), number("A2", "45322", 3), number("A3", "45323", 0));
    ExcelSheetTest.Opened opened = open(new WorkbookFile().sheet("S", rows));
    assertThat(opened.rows()).containsExactly(row(45322L), row(45323L));
    assertThat(opened.warnings())
        .containsExactly(
            "Cell A2 is a number, even if it shows a date, for the workbook lacks its style");
    assertThat(open(new WorkbookFile().formats("0", "d", "yyyy").sheet("S", rows)).warnings())
        .containsExactly(
            "Column c is text: most values are of type bigint, but row 2 has \"2024-01-31\"");
  }

  @Test
  void formatsMayFollowStyles() throws IOException {
    ExcelSheetTest.Opened opened =
        open(
            new WorkbookFile()
                .part(
                    "xl/styles.xml",
                    "<styleSheet><cellXfs><xf/><xf numFmtId=\"200\"/><xf numFmtId=\"14\"/></cellXfs>"
                        + "<numFmts><numFmt numFmtId=\"200\" formatCode=\"h:mm\"/></numFmts>"
                        + "</styleSheet>")
                .sheet(
                    "S",
                    cells(
                        text("A1", "t") + text("B1", "d"),
                        number("A2", "0.5", 1) + number("B2", "45322", 2))));
    assertThat(opened.fields()).containsExactly("t: time64[us]", "d: date32[day]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<c r='B1' t='s'><v>2</v></c>|the index of one of 2 shared texts but found \"2\" in cell B1",
        "<c r='B1' t='s'><v>-1</v></c>|shared texts but found \"-1\" in cell B1",
        "<c r='B1' t='s'><v>9999999999</v></c>|but found \"9999999999\" in cell B1",
        "<c r='B1' t='s'><v>x</v></c>|but found \"x\" in cell B1",
        "<c r='B1' t='b'><v>2</v></c>|Expected 1 or 0 as a boolean but found \"2\" in cell B1",
        "<c r='B1'><v>1,5</v></c>|Expected a number but found \"1,5\" in cell B1",
        "<c r='B1'><v>NaN</v></c>|Expected a number but found \"NaN\" in cell B1",
        "<c r='B1'><v>1e999</v></c>|Expected a number but found \"1e999\" in cell B1",
        "<c r='B1'><v>1d</v></c>|Expected a number but found \"1d\" in cell B1",
        "<c t='d' r='B1'><v>31.1.2024</v></c>|a date or a time of ISO 8601 but found \"31.1.2024\" in cell B1",
        "<c t='x' r='B1'><v>1</v></c>|Expected a type of cells but found \"x\" in cell B1",
        "<c r='B1' s='-1'><v>1</v></c>|Expected the index of a style but found \"-1\" in cell B1",
        "<c r='B2'><v>1</v></c>|Expected the name of a cell of row 1 but found \"B2\"",
        "<c r='1'><v>1</v></c>|Expected the name of a cell of row 1 but found \"1\"",
        "<c r='B1'/><c r='A1'/>|Expected cells of row 1 in order",
        "<c r='B1'/><c r='B1'/>|Expected cells of row 1 in order",
        "<c r='XFE1'/>|in the first 16,384 columns, but found XFE1",
        "&lol;|one that cannot be read: xl/worksheets/sheet1.xml"
      })
  void errorsNameTheCell(String content, String message) {
    assertThatThrownBy(() ->
            open(
                new WorkbookFile()
                    .texts("<si><t>a</t></si><si/>")
                    .sheet("S", "<row r='1'>%s</row>".formatted(content))))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }

  @Test
  void lastCellIsRead() throws IOException {
    ExcelSheetTest.Opened opened =
        open(
            new WorkbookFile()
                .sheet("S", "<row r=\"1048576\">%s</row>".formatted(number("XFD1048576", "1"))),
            "excel.header=false");
    assertThat(opened.rows()).containsExactly(row(1L));
  }

  @Test
  void textsHaveAMaximumLength() throws IOException {
    String longest = "x".repeat(SheetTexts.LENGTH_MAXIMUM);
    assertThat(column(text("A2", longest)).rows()).containsExactly(row(longest));
    assertThatThrownBy(() -> column(text("A2", longest + "y")))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageStartingWith("Expected at most 1,048,576 characters but found \"xxx")
        .hasMessageEndingWith("in cell A2");
    assertThatThrownBy(() ->
            open(
                new WorkbookFile()
                    .texts("<si><r><t>x</t></r><r><t>%s</t></r></si>".formatted(longest))
                    .sheet("S", cells(number("A1", "1")))))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage("Expected texts of at most 1,048,576 characters but found a longer one");
  }

  /// No document type is read, so that no entity grows and no file is opened.
  @Test
  void documentTypesAreRefused() {
    StringBuilder entities = new StringBuilder("<!ENTITY a0 \"lol\">");
    for (int i = 1; i < 40; i++) {
      entities.append("<!ENTITY a%d \"&a%d;&a%d;\">".formatted(i, i - 1, i - 1));
    }
    for (String subset :
        List.of("[%s]".formatted(entities), "SYSTEM \"file:///etc/passwd\"", "[]", "")) {
      for (String part : List.of("xl/worksheets/sheet1.xml", "xl/workbook.xml", "_rels/.rels")) {
        WorkbookFile workbook =
            new WorkbookFile()
                .sheet("S", cells(text("A1", "a"), text("A2", "b")))
                .part(part, "<!DOCTYPE x %s><x>&a39;</x>".formatted(subset));
        assertThatThrownBy(() -> open(workbook))
            .as("%s in %s", subset, part)
            .isInstanceOf(ForeignDataException.class)
            .hasMessageContaining(part + " has a document type");
      }
    }
  }

  @Test
  void otherPackagesAreNamed() {
    assertThatThrownBy(() -> open(new WorkbookFile().part("_rels/.rels", "<Relationships/>")))
        .hasMessage("Expected an Excel workbook (.xlsx) but found another document or archive");
    assertThatThrownBy(() ->
            open(
                new WorkbookFile()
                    .part("_rels/.rels", "<Relationships/>")
                    .part("content.xml", "<x/>")))
        .hasMessage("Expected an Excel workbook (.xlsx) but found an OpenDocument file");
    String binary =
        "<R><Relationship Id=\"a\" Type=\"x/officeDocument\" Target=\"xl/workbook.bin\"/></R>";
    assertThatThrownBy(() -> open(new WorkbookFile().part("_rels/.rels", binary)))
        .hasMessage("Expected an Excel workbook (.xlsx) but found a binary one (.xlsb)");
    assertThatThrownBy(() -> open(new WorkbookFile().part("xl/workbook.xml", "<document/>")))
        .hasMessage("Expected an Excel workbook (.xlsx) but found another document");
    assertThatThrownBy(
            () -> open(new WorkbookFile().sheet("S", "").part("XL/worksheets/sheet1.xml", "<w/>")))
        .hasMessage("Expected an Excel workbook (.xlsx) but found two parts of the same name");
    String missing = "<workbook><sheets><sheet name=\"S\"/></sheets></workbook>";
    assertThatThrownBy(() -> open(new WorkbookFile().part("xl/workbook.xml", missing)))
        .hasMessageContaining("its sheet \"S\" has no part");
  }

  @Test
  void inflatedBytesAreCounted() throws IOException {
    Path file = folder.resolve("book.xlsx");
    String rows = cells(number("A1", "1"));
    new WorkbookFile().sheet("S", rows + " ".repeat(1 << 19)).writeTo(file);
    Workbook.write(file, "S", Set.of(), INFLATED, _ -> {}, () -> {});
    new WorkbookFile().sheet("S", rows + " ".repeat(1 << 20)).writeTo(file);
    assertThatThrownBy(() -> Workbook.write(file, "S", Set.of(), INFLATED, _ -> {}, () -> {}))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("inflated bytes in a workbook (workbook-bytes)");
  }

  @Test
  void checksumsAreCompared() throws IOException {
    Path file = folder.resolve("book.xlsx");
    byte[] bytes = new WorkbookFile().sheet("S", cells(number("A1", "1"))).bytes();
    for (int i = 0; i + 3 < bytes.length; i++) {
      // Each entry of the directory has the checksum of its part (APPNOTE.TXT, 4.3.12).
      if (bytes[i] == 'P' && bytes[i + 1] == 'K' && bytes[i + 2] == 1 && bytes[i + 3] == 2) {
        byte[] damaged = bytes.clone();
        damaged[i + 16] ^= 1;
        Files.write(file, damaged);
        boolean isRead =
            !new String(bytes, i + 46, 8, StandardCharsets.US_ASCII).equals("[Content");
        if (isRead) {
          assertThatThrownBy(
                  () -> Workbook.write(file, null, Set.of(), INFLATED, _ -> {}, () -> {}))
              .isInstanceOf(ForeignDataException.class)
              .hasMessageContaining("has another checksum than stated");
        }
      }
    }
  }

  @Test
  void readingEndsWhereItIsAsked() throws IOException {
    Path file = folder.resolve("book.xlsx");
    new WorkbookFile().sheet("S", cells(number("A1", "1"))).writeTo(file);
    assertThatThrownBy(() ->
            Workbook.write(
                file,
                null,
                Set.of(),
                INFLATED,
                _ -> {},
                () -> {
                  throw new UnsupportedOperationException("end");
                }))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /// A workbook with changed bytes is read, or is an error of the file: no other exception.
  @Test
  void damagedWorkbooksAreErrorsOfTheFile() throws IOException {
    Path file = folder.resolve("book.xlsx");
    byte[] bytes =
        new WorkbookFile()
            .formats("yyyy")
            .texts("<si><t>é日😀</t></si>")
            .sheet("S", cells("<c r=\"A1\" t=\"s\"><v>0</v></c>", number("A2", "45322", 1)))
            .bytes();
    Random random = new Random(50);
    int readCount = 0;
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged = bytes.clone();
      for (int j = random.nextInt(3); j >= 0; j--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      Files.write(file, damaged);
      try {
        Workbook.write(file, null, Set.of(), INFLATED, _ -> {}, () -> {});
        readCount++;
      } catch (ForeignDataException | TooLargeInputException e) {
        // As it should be.
      }
    }
    assertThat(readCount).isBetween(1, 2_900);
  }

  /// Parts with changed characters, whose checksums are right.
  @Test
  void damagedPartsAreErrorsOfTheFile() throws IOException {
    String rows =
        cells(
            text("A1", "é日😀") + "<c r=\"B1\" t=\"b\"><v>1</v></c>",
            "<c r=\"A2\" s=\"1\"><f>A1</f><v>1.5</v></c><c t=\"d\"><v>2024-01-31</v></c>");
    String sheet = "<worksheet><sheetData>%s</sheetData><x/></worksheet>".formatted(rows);
    String characters = "<>/&;'\"= \0\uFFFEa1é\uD800-!?[]xR";
    Random random = new Random(51);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder damaged = new StringBuilder(sheet);
      for (int j = random.nextInt(2); j >= 0; j--) {
        int place = random.nextInt(damaged.length());
        char other = characters.charAt(random.nextInt(characters.length()));
        if (random.nextBoolean()) {
          damaged.setCharAt(place, other);
        } else {
          damaged.delete(place, place + random.nextInt(10));
        }
      }
      Path file = folder.resolve("book.xlsx");
      new WorkbookFile()
          .sheet("S", "")
          .part("xl/worksheets/sheet1.xml", damaged.toString())
          .writeTo(file);
      try {
        Workbook.write(file, null, Set.of(), INFLATED, _ -> {}, () -> {});
      } catch (ForeignDataException e) {
        // As it should be.
      }
    }
  }
}
