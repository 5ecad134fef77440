package dev.quiver.sql.query;

import static dev.quiver.formats.excel.WorkbookFile.cells;
import static dev.quiver.formats.excel.WorkbookFile.number;
import static dev.quiver.formats.excel.WorkbookFile.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.formats.ColumnRenames;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.UploadData;
import dev.quiver.formats.excel.ExcelOptions;
import dev.quiver.formats.excel.WorkbookFile;
import dev.quiver.formats.parquet.PageLimits;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.execution.WorkerPoolOptions;
import dev.quiver.sql.execution.Workers;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workbooks that real workers read.
class WorkbookSheetsTest {

  private static final Principal READER = Principal.SERVICE;

  @TempDir private static Path folder;
  private Spool spool;
  private Workers workers;
  private ForeignFiles files;

  @BeforeEach
  void start() throws IOException {
    if (!Files.exists(folder.resolve("engine"))) {
      Files.createSymbolicLink(
          folder.resolve("engine"),
          Files.createDirectories(Path.of("target/spool/engine")).toRealPath());
    }
    WorkerPoolOptions options =
        new WorkerPoolOptions(
            new Limit("quiver.files.workers", 1),
            new Limit("quiver.files.queue", 1),
            Duration.ofSeconds(30),
            new Limit("quiver.files.timeout", 60_000),
            new Limit("quiver.files.memory", 128L << 20),
            1,
            /* readsFiles= */ true,
            /* spare= */ false,
            folder,
            "quiver.spool.path");
    spool = new Spool(folder, new Limit("quiver.spool.bytes", 1L << 30));
    workers = new Workers(TestWorkers.library(), options);
    files =
        new ForeignFiles(
            workers,
            options,
            PageLimits.of(new Limit("quiver.files.page-bytes", 1 << 20)),
            new Limit("quiver.files.workbook-bytes", 300L << 20),
            spool,
            new InFlightBytes(new Limit("bytes", 64 << 20)));
  }

  @AfterEach
  void close() {
    workers.close();
    assertThat(spool.taken()).isZero();
    spool.close();
  }

  private ForeignRows open(byte[] workbook) throws IOException {
    return files.read(
        ByteSource.of(MemorySegment.ofArray(workbook)),
        new FileOptions.Excel(ExcelOptions.parse(Map.of()), ColumnRenames.NONE),
        Limits.DEFAULT,
        READER,
        ForeignFiles.Target.NONE);
  }

  private static long discard(ForeignRows rows) throws IOException {
    try (rows) {
      UploadData.Batches data = (UploadData.Batches) rows.data();
      long byteSize = 0;
      for (long count = data.stream().skip(1 << 20);
          count >= 0;
          count = data.stream().skip(1 << 20)) {
        byteSize += count;
      }
      return byteSize;
    }
  }

  @Test
  void sheetsAreReadByOneWorker() throws IOException {
    byte[] workbook =
        new WorkbookFile()
            .sheet("S", cells(text("A1", "n") + text("B1", "t"), number("A2", "1")))
            .bytes();
    for (int i = 0; i < 3; i++) {
      ForeignRows rows = open(workbook);
      assertThat(rows.schema().fields()).hasToString("[n: int64, t: utf8]");
      assertThat(discard(rows)).isPositive();
    }
    assertThat(workers.startedCount()).isOne();
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    for (String text : List.of("", "a,b\n1,2\n", "PK\3\4" + " ".repeat(26) + "xl/damaged")) {
      assertThatThrownBy(() -> open(text.getBytes()))
          .as(text)
          .isInstanceOf(ForeignDataException.class)
          .hasMessageStartingWith("Expected an Excel workbook (.xlsx) but found");
    }
    assertThatThrownBy(() -> open(new WorkbookFile().sheet("S", "<row r=\"1\"").bytes()))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("one that cannot be read")
        .extracting(e -> ((ForeignDataException) e).hint())
        .isEqualTo("Open the file in Excel or LibreOffice, and save it again as .xlsx.");
  }

  /// Parts that are no XML are a fault of the file as well.
  @Test
  void damagedPartsAreRefused() throws IOException {
    String rows = cells(text("A1", "n"), number("A2", "1"));
    for (String part : List.of("_rels/.rels", "xl/styles.xml", "xl/_rels/workbook.xml.rels")) {
      byte[] workbook =
          new WorkbookFile()
              .sheet("S", rows)
              .part("xl/styles.xml", "<styleSheet/>")
              .part(part, "<cut")
              .bytes();
      assertThatThrownBy(() -> open(workbook))
          .as(part)
          .isInstanceOf(ForeignDataException.class)
          .hasMessageContaining("one that cannot be read");
    }
    assertThatThrownBy(() -> open(new WorkbookFile().sheet("S", rows.replace("A2", "_1")).bytes()))
        .isInstanceOf(ForeignDataException.class);
    assertThat(workers.startedCount()).isOne();
  }

  /// A short row of a sheet with a wide one has as many fields as that.
  @Test
  void wideSheetsAreRefusedAndSparseOnesTakeLittleMemory() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int row = 1; row <= 32_768; row++) {
      rows.append("<row r=\"%d\"><c><v>1</v></c></row>".formatted(row));
    }
    String wide = "<c><v>1</v></c>".repeat(10_001);
    byte[] workbook =
        new WorkbookFile().sheet("S", rows + "<row r=\"32769\">" + wide + "</row>").bytes();
    assertThatThrownBy(() -> open(workbook))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage("Expected at most 10,000 columns with cells but found 10,001");
    assertThatThrownBy(() ->
            open(new WorkbookFile().sheet("S", "<row r=\"1\"><c r=\"AAAAA1\"/></row>").bytes()))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("in the first 16,384 columns, but found AAAAA1");
  }

  @Test
  void entriesAreLimited() throws IOException {
    WorkbookFile parts = new WorkbookFile().sheet("S", cells(text("A1", "n"), number("A2", "1")));
    for (int i = 0; i < 10_000; i++) {
      parts.part("x" + i, "");
    }
    byte[] workbook = parts.bytes();
    assertThatThrownBy(() -> open(workbook))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageStartingWith("Expected at most 10,000 entries in a workbook but found 10,0");
  }

  /// A few bytes of a file become 400 MB of XML, which the search for cells reads.
  @Test
  void inflatedBytesAreLimited() throws IOException {
    String spaces = " ".repeat(100 << 20);
    WorkbookFile parts = new WorkbookFile();
    for (int i = 1; i <= 4; i++) {
      parts
          .sheet("S" + i, "")
          .part("xl/worksheets/sheet%d.xml".formatted(i), "<s>" + spaces + "</s>");
    }
    byte[] workbook = parts.bytes();
    assertThatThrownBy(() -> open(workbook))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("inflated bytes in a workbook (quiver.files.workbook-bytes)");
    assertThat(discard(open(small()))).isPositive();
    assertThat(workers.startedCount()).isOne();
  }

  private static byte[] small() throws IOException {
    return new WorkbookFile().sheet("S", cells(text("A1", "n"), number("A2", "1"))).bytes();
  }

  /// Each cell of two bytes or so stands for a text of 30,000.
  @Test
  void repeatedTextsAreLimited() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int row = 1; row <= 50_000; row++) {
      rows.append("<row r=\"%d\"><c t=\"s\"><v>0</v></c></row>".formatted(row));
    }
    byte[] workbook =
        new WorkbookFile()
            .part(
                "xl/sharedStrings.xml",
                "<sst><si><t>%s</t></si></sst>".formatted("x".repeat(30_000)))
            .sheet("S", rows.toString())
            .bytes();
    assertThatThrownBy(() -> open(workbook))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("bytes of text per byte of the workbook");
  }

  @Test
  void memoryOfTextsIsLimited() throws IOException {
    StringBuilder texts = new StringBuilder();
    String text = "x".repeat(1_000);
    for (int i = 0; i < 150_000; i++) {
      texts.append("<si><t>").append(text).append(i).append("</t></si>");
    }
    byte[] workbook =
        new WorkbookFile()
            .part("xl/sharedStrings.xml", "<sst>%s</sst>".formatted(texts))
            .sheet("S", "<row r=\"1\"><c t=\"s\"><v>149999</v></c></row>")
            .bytes();
    assertThatThrownBy(() -> open(workbook))
        .isInstanceOf(SqlException.TooLarge.class)
        .hasMessageStartingWith("Expected a workbook whose texts need at most 134217728 bytes")
        .extracting(e -> ((SqlException) e).hint())
        .isEqualTo("Save the sheet as CSV, and send that: it is read row by row.");
    // The next one has another worker.
    assertThat(discard(open(small()))).isPositive();
  }
}
