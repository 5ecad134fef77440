package dev.quiver.formats.excel;

import dev.quiver.formats.Advice;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.FileContents;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.csv.CsvFile;
import dev.quiver.formats.csv.CsvTable;
import dev.quiver.formats.value.ValueKinds;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A sheet whose text and summary [Workbook] has written. Shared by threads.
public final class ExcelSheet implements CsvTable {

  /// The names of sheets in a sentence.
  private static final int NAMES_MAXIMUM = 10;

  private final ExcelOptions options;
  private final SheetSummary summary;
  private final long textByteSize;

  /// The columns that have cells in the first row of the table, or below it.
  private final List<Integer> columns = new ArrayList<>();

  /// @param firstRow the first row of the table, counted from 1
  private ExcelSheet(ExcelOptions options, SheetSummary summary, long textByteSize, int firstRow) {
    this.options = options;
    this.summary = summary;
    this.textByteSize = textByteSize;
    for (int i = 0; i < summary.columns().size(); i++) {
      if (summary.columns().get(i).reaches(firstRow)) {
        columns.add(i);
      }
    }
  }

  /// Opens the file that [Workbook] has written.
  ///
  /// @throws InvalidOptionException if the workbook lacks the sheet that the options name
  /// @throws ForeignDataException if the sheet has no cells
  public static ExcelSheet open(Path file, ExcelOptions options) throws IOException {
    ExcelSheet sheet;
    try (RandomAccessFile written = new RandomAccessFile(file.toFile(), "r")) {
      long end = written.length() - Integer.BYTES;
      written.seek(end);
      int summaryByteSize = written.readInt();
      byte[] bytes = new byte[summaryByteSize];
      written.seek(end - summaryByteSize);
      written.readFully(bytes);
      SheetSummary summary =
          SheetSummary.read(new DataInputStream(new ByteArrayInputStream(bytes)));
      sheet = new ExcelSheet(options, summary, end - summaryByteSize, /* firstRow= */ 1);
    }
    sheet.requireCells();
    return sheet;
  }

  private void requireCells() {
    String wanted = options.sheet();
    if (summary.sheet() == null && wanted != null) {
      throw InvalidOptionException.value(
          ExcelOptions.PREFIX + "sheet",
          "the name or the number of a sheet (%s)".formatted(names(summary.sheets())),
          wanted);
    }
    if (columns.size() > CsvFile.COLUMNS_MAXIMUM) {
      throw ForeignDataException.of(
              "Expected at most %,d columns with cells but found %,d"
                  .formatted(CsvFile.COLUMNS_MAXIMUM, columns.size()))
          .withHint("A wider table is stored as Parquet or Arrow data.");
    }
    if (columns.isEmpty()) {
      ForeignDataException empty =
          ForeignDataException.of("Expected a sheet with cells but found none");
      throw summary.sheets().size() < 2
          ? empty
          : empty.withHint(
              "The parameter %ssheet names another sheet: %s."
                  .formatted(ExcelOptions.PREFIX, names(summary.sheets())));
    }
  }

  private static String names(List<String> sheets) {
    return sheets.stream()
            .limit(NAMES_MAXIMUM)
            .map(name -> '"' + ForeignDataException.excerpt(name) + '"')
            .collect(Collectors.joining(", "))
        + (sheets.size() > NAMES_MAXIMUM ? ", …" : "");
  }

  /// Opens the table of the sheet.
  ///
  /// @param written gives the file that was opened from its start, each time
  /// @param dataset to which the rows are appended, or null
  /// @throws InvalidOptionException if the options name columns that the sheet lacks
  /// @throws ForeignDataException if the first rows are not as they should be
  public CsvFile table(FileContents written, @Nullable AppendedDataset dataset) throws IOException {
    CsvFile table = found(written, dataset);
    // A title beside the table is not a column of it.
    int firstRow = Math.toIntExact(table.firstLine());
    ExcelSheet narrower = new ExcelSheet(options, summary, textByteSize, firstRow);
    return narrower.columns.size() == columns.size() ? table : narrower.found(written, dataset);
  }

  private CsvFile found(FileContents written, @Nullable AppendedDataset dataset)
      throws IOException {
    FileContents text = () -> open(written);
    return CsvFile.open(
        text,
        options(
            options.header(),
            /* findsTitles= */ options.skip() == null,
            options.types(),
            options.skipsRows()),
        dataset);
  }

  private InputStream open(FileContents written) throws IOException {
    Integer skip = options.skip();
    return new SheetText(written.open(), textByteSize, columns, skip == null ? 0 : skip);
  }

  @Override
  public String prefix() {
    return ExcelOptions.PREFIX;
  }

  @Override
  public List<ValueKinds> kinds(long row) {
    int last = Math.toIntExact(row);
    return columns.stream().map(i -> summary.columns().get(i).below(last)).toList();
  }

  @Override
  public String cell(int column, long row) {
    return SheetWriter.name(columns.get(column), Math.toIntExact(row));
  }

  /// Returns warnings about other sheets, and about cells whose value is not in the file.
  public List<Advice> advice() {
    List<Advice> advice = new ArrayList<>();
    List<String> others =
        summary.sheets().stream().filter(name -> !name.equals(summary.sheet())).toList();
    if (options.sheet() == null && !others.isEmpty()) {
      advice.add(
          new Advice(
              "The rows are those of sheet %s; the parameter %ssheet reads another one: %s"
                  .formatted(
                      names(List.of(String.valueOf(summary.sheet()))),
                      ExcelOptions.PREFIX,
                      names(others)),
              ExcelOptions.PREFIX + "sheet",
              others.getFirst(),
              /* column= */ null));
    }
    add(advice, summary.errors(), "null, for it has the error", "null, for they have errors");
    add(
        advice,
        summary.formulas(),
        "null, for the file lacks the value of its formula; save it in Excel, which computes it",
        "null, for the file lacks the values of their formulas; save it in Excel, which computes"
            + " them");
    add(
        advice,
        summary.durations(),
        "a duration as a number of days",
        "durations as numbers of days");
    add(
        advice,
        summary.unformatted(),
        "a number, even if it shows a date, for the workbook lacks its style",
        "numbers, even if they show dates, for the workbook lacks their styles");
    return advice;
  }

  private static void add(List<Advice> advice, SheetNote note, String one, String many) {
    if (note.count() > 0) {
      String text = note.firstText().isEmpty() ? "" : " " + note.firstText();
      advice.add(
          new Advice(
              note.count() == 1
                  ? "Cell %s is %s%s".formatted(note.firstCell(), one, text)
                  : "%,d cells are %s: the first one%s is %s"
                      .formatted(note.count(), many, text, note.firstCell())));
    }
  }

  /// Returns the option for the sheet that is read.
  public List<FileOption> options() {
    return List.of(new FileOption(ExcelOptions.PREFIX + "sheet", String.valueOf(summary.sheet())));
  }

  /// Returns what was found rather than stated: the sheet, if there are others, and the names of
  /// all.
  public Map<String, Object> found() {
    Map<String, Object> found = new LinkedHashMap<>();
    if (summary.sheets().size() > 1) {
      if (options.sheet() == null) {
        found.put("sheet", String.valueOf(summary.sheet()));
      }
      found.put("sheets", summary.sheets());
    }
    return found;
  }
}
