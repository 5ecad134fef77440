package dev.quiver.formats.csv;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The beginning of a file, as one delimiter divides it: titles, and then a table.
///
/// @param rows all records
/// @param width the fields that most of the records have
/// @param header the index of the first record of the table
/// @param titleCount the records before it that have text
/// @param regularCount the records from it on that have as many fields
/// @param count the records from it on that have text
record CsvLayout(
    char delimiter,
    List<CsvSample.Row> rows,
    int width,
    int header,
    int titleCount,
    int regularCount,
    int count) {

  /// The widths that are compared.
  private static final int WIDTH_COUNT_MAXIMUM = 100;

  /// Returns the layout of records.
  ///
  /// @param hasTitles whether titles may precede the table
  static CsvLayout of(char delimiter, List<CsvSample.Row> rows, boolean hasTitles) {
    int width = width(rows);
    int header = hasTitles && width > 1 ? header(rows, width) : firstWithText(rows, 0);
    int titles = 0;
    for (CsvSample.Row row : rows.subList(0, header)) {
      titles += row.isBlank() ? 0 : 1;
    }
    int count = 0;
    int regular = 0;
    for (CsvSample.Row row : rows.subList(header, rows.size())) {
      if (!isEmptyLine(row)) {
        count++;
        regular += isRegular(row, width) ? 1 : 0;
      }
    }
    return new CsvLayout(delimiter, rows, width, header, titles, regular, count);
  }

  private static boolean isEmptyLine(CsvSample.Row row) {
    return row.count() == 1 && row.fields().getFirst().isEmpty();
  }

  private static boolean isRegular(CsvSample.Row row, int width) {
    return row.isRegular() && row.count() >= width && row.filledCount() <= width;
  }

  /// Returns the number of fields by which most records are regular, the larger of two that are as
  /// good.
  private static int width(List<CsvSample.Row> rows) {
    Set<Integer> counts = new TreeSet<>();
    rows.stream().filter(row -> !isEmptyLine(row)).forEach(row -> counts.add(row.count()));
    int width = 1;
    long most = 0;
    for (int count : counts.stream().limit(WIDTH_COUNT_MAXIMUM).toList()) {
      long regular = rows.stream().filter(row -> isRegular(row, count)).count();
      if (regular >= most) {
        width = count;
        most = regular;
      }
    }
    return width;
  }

  private static int firstWithText(List<CsvSample.Row> rows, int start) {
    int first = start;
    while (first < rows.size() && isEmptyLine(rows.get(first))) {
      first++;
    }
    return first == rows.size() ? start : first;
  }

  /// Returns the index of the first record of the table: what is before it are single texts, pairs
  /// of a key and a value, or comments.
  private static int header(List<CsvSample.Row> rows, int width) {
    int first = firstWithText(rows, 0);
    for (int i = first; i < rows.size(); i++) {
      CsvSample.Row row = rows.get(i);
      if (row.isBlank() || isComment(rows, i, width)) {
        continue;
      }
      if (isOfTable(row, width)) {
        return i;
      }
      if (!isTitle(rows, i, width)) {
        return first;
      }
    }
    return first;
  }

  private static boolean isOfTable(CsvSample.Row row, int width) {
    int filled = row.filledCount();
    return isRegular(row, width) && filled > 1 && 2 * filled >= width;
  }

  /// Returns whether a record before the table may be left out: it has one text, or some of many
  /// fields, or a blank line is between it and the table, or a header follows.
  private static boolean isTitle(List<CsvSample.Row> rows, int index, int width) {
    CsvSample.Row row = rows.get(index);
    int filled = row.filledCount();
    boolean isPadded = row.count() >= width && width == 2;
    if (!isPadded && (filled <= 1 || filled < width - 1)) {
      return true;
    }
    for (int i = index + 1; i < rows.size(); i++) {
      if (rows.get(i).isBlank()) {
        return true;
      }
      if (isOfTable(rows.get(i), width)) {
        // A header that lacks one name, as R writes it above names of rows, is no title.
        return CsvHeader.isHeader(rows.subList(i, rows.size()));
      }
    }
    return false;
  }

  /// Returns whether a record before the table begins with a number sign and is not the header
  /// itself. A header is as wide as the table, and text stands only in it above numbers.
  private static boolean isComment(List<CsvSample.Row> rows, int index, int width) {
    CsvSample.Row row = rows.get(index);
    if (!row.startsWith('#')) {
      return false;
    }
    int next = index + 1;
    while (next < rows.size() && rows.get(next).isBlank()) {
      next++;
    }
    if (!isRegular(row, width) || next == rows.size() || rows.get(next).startsWith('#')) {
      return true;
    }
    return CsvHeader.isHeader(rows.subList(next, rows.size()));
  }

  /// Returns whether this is a table of several columns.
  boolean isTable() {
    return width > 1 && count > 0 && filledWidth() > 1;
  }

  /// Returns whether text stands only in the header above numbers or times.
  boolean hasHeader() {
    return CsvHeader.isHeader(table());
  }

  /// Returns whether a blank line is right before the table.
  boolean isSeparated() {
    return header > 0 && rows.get(header - 1).isBlank();
  }

  /// Returns whether each record has one field.
  boolean isOneColumn() {
    return rows.stream().allMatch(row -> row.isRegular() && row.count() == 1);
  }

  /// Returns how many of the records are as they should be, from 0 to 1.
  double regularity() {
    return count == 0 ? 0 : (double) regularCount / count;
  }

  /// Returns the fields of the table, without those at the end that are empty in all records.
  int filledWidth() {
    int filled = 1;
    for (CsvSample.Row row : rows.subList(header, rows.size())) {
      filled = Math.max(filled, row.filledCount());
    }
    return filled;
  }

  /// Returns the part of the columns that have numbers or times.
  double typedPart() {
    return (double) CsvHeader.typedCount(table()) / width;
  }

  /// Returns the first record of the table, and those after it that have text.
  List<CsvSample.Row> table() {
    List<CsvSample.Row> table = new ArrayList<>();
    for (int i = header; i < rows.size(); i++) {
      if (i == header || !rows.get(i).isBlank()) {
        table.add(rows.get(i));
      }
    }
    return table;
  }
}
