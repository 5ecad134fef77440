package dev.quiver.formats.excel;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.dhatim.fastexcel.reader.ExcelReaderException;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.dhatim.fastexcel.reader.SheetVisibility;
import org.jspecify.annotations.Nullable;

/// A workbook (Office Open XML, ECMA-376), whose texts are all in memory. A process of its own,
/// whose memory is limited, reads it.
public final class Workbook {

  private static final int SHEET_COUNT_MAXIMUM = 1_000;
  private static final int SHEET_NAME_LENGTH_MAXIMUM = 255;

  private final ReadableWorkbook workbook;
  private final List<Sheet> sheets;
  private final Runnable checkpoint;

  private Workbook(ReadableWorkbook workbook, Runnable checkpoint) {
    this.workbook = workbook;
    this.sheets = workbook.getSheets().toList();
    this.checkpoint = checkpoint;
  }

  /// Writes a sheet of a workbook as lines of TSV, and what [SheetSummary] tells of it.
  ///
  /// @param sheet its name or its number, counted from 1; null for the first visible one with cells
  /// @param nulls texts that stand for missing values
  /// @param checkpoint throws an exception if reading is to end
  /// @throws ForeignDataException if the file is no workbook that can be read
  public static void write(
      Path file, @Nullable String sheet, Set<String> nulls, ByteSink sink, Runnable checkpoint)
      throws IOException {
    try (ReadableWorkbook opened = open(file)) {
      new Workbook(opened, checkpoint).write(sheet, nulls, sink);
    } catch (ExcelReaderException | UncheckedIOException | IllegalStateException e) {
      throw unreadable(e);
    } catch (IndexOutOfBoundsException | NullPointerException | IllegalArgumentException e) {
      // The library does not check everything.
      throw unreadable(e);
    }
  }

  private static ForeignDataException unreadable(Exception e) {
    return ForeignDataException.of(
            "Expected an Excel workbook (.xlsx) but found one that cannot be read: "
                + ForeignDataException.excerpt(String.valueOf(e.getMessage())))
        .withHint("Open it in Excel or LibreOffice, and save it again as .xlsx.");
  }

  private static ReadableWorkbook open(Path file) {
    try {
      return open(file, /* hasFormats= */ true);
    } catch (ExcelReaderException e) {
      // A workbook need not have styles, without which there are no dates.
      try {
        return open(file, /* hasFormats= */ false);
      } catch (IOException other) {
        throw unreadable(other);
      }
    } catch (IOException e) {
      // XML that is damaged is one as well.
      throw unreadable(e);
    }
  }

  private static ReadableWorkbook open(Path file, boolean hasFormats) throws IOException {
    return new ReadableWorkbook(
        file.toFile(), new ReadingOptions(hasFormats, /* cellInErrorIfParseError= */ true));
  }

  private static Stream<Row> rows(Sheet sheet) {
    try {
      return sheet.openStream();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private void write(@Nullable String wanted, Set<String> nulls, ByteSink sink) throws IOException {
    if (sheets.size() > SHEET_COUNT_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected at most %,d sheets but found %,d"
              .formatted(SHEET_COUNT_MAXIMUM, sheets.size()));
    }
    List<String> names = sheets.stream().map(Workbook::name).toList();
    Sheet sheet = wanted == null ? firstWithCells() : find(wanted, names);
    SheetWriter writer = new SheetWriter(sink, workbook.isDate1904(), nulls);
    if (sheet != null) {
      try (Stream<Row> rows = rows(sheet)) {
        for (Iterator<Row> each = rows.iterator(); each.hasNext(); ) {
          checkpoint.run();
          writer.add(each.next());
        }
      }
    }
    writer.finish(names, sheet == null ? null : name(sheet));
  }

  private static String name(Sheet sheet) {
    String name = String.valueOf(sheet.getName());
    if (name.length() > SHEET_NAME_LENGTH_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected names of sheets of at most %d characters but found %d"
              .formatted(SHEET_NAME_LENGTH_MAXIMUM, name.length()));
    }
    return name;
  }

  private @Nullable Sheet find(String wanted, List<String> names) {
    int index = names.indexOf(wanted);
    if (index < 0 && wanted.matches("[1-9]\\d{0,8}")) {
      index = Integer.parseInt(wanted) - 1;
    }
    return index >= 0 && index < sheets.size() ? sheets.get(index) : null;
  }

  /// Returns the first visible sheet that has a cell with a value, or else the first sheet, or null
  /// without any.
  private @Nullable Sheet firstWithCells() {
    List<Sheet> candidates = new ArrayList<>(sheets);
    candidates.removeIf(sheet -> sheet.getVisibility() != SheetVisibility.VISIBLE);
    for (Sheet sheet : candidates) {
      if (hasCells(sheet)) {
        return sheet;
      }
    }
    return sheets.isEmpty() ? null : sheets.getFirst();
  }

  private boolean hasCells(Sheet sheet) {
    try (Stream<Row> rows = rows(sheet)) {
      for (Iterator<Row> each = rows.iterator(); each.hasNext(); ) {
        checkpoint.run();
        if (each.next().stream().anyMatch(cell -> cell != null && !cell.getText().isEmpty())) {
          return true;
        }
      }
      return false;
    }
  }
}
