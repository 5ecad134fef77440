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
  /// @param isSheet whether each record has all fields, so that their number tells nothing
  static CsvLayout of(
      char delimiter, List<CsvSample.Row> rows, boolean hasTitles, boolean isSheet) {
    int width = width(rows);
    int header = hasTitles && width > 1 ? header(rows, width, isSheet) : firstWithText(rows, 0);
    int titles = 0;
    for (CsvSample.Row row : rows.subList(0, header)) {
      titles += row.isBlank() ? 0 : 1;
    }
    int count = 0;
    int regular = 0;
    for (CsvSample.Row row : rows.subList(header, rows.size())) {
      if (!row.isEmptyLine()) {
        count++;
        regular += isRegular(row, width) ? 1 : 0;
      }
    }
    return new CsvLayout(delimiter, rows, width, header, titles, regular, count);
  }

  private static boolean isRegular(CsvSample.Row row, int width) {
    return row.isRegular() && row.count() >= width && row.filledCount() <= width;
  }

  /// Returns the number of fields by which most records are regular, the larger of two that are as
  /// good.
  private static int width(List<CsvSample.Row> rows) {
    Set<Integer> counts = new TreeSet<>();
    rows.stream().filter(row -> !row.isEmptyLine()).forEach(row -> counts.add(row.count()));
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
    while (first < rows.size() && rows.get(first).isEmptyLine()) {
      first++;
    }
    return first == rows.size() ? start : first;
  }

  /// Returns the index of the first record of the table. Before it are single texts, pairs of a key
  /// and a value, and comments.
  private static int header(List<CsvSample.Row> rows, int width, boolean isSheet) {
    int first = firstWithText(rows, 0);
    int table = first;
    while (table < rows.size()
        && (!isOfTable(rows, table, width) || isSheet && isCellOfTitle(rows.get(table), width))) {
      table++;
    }
    if (table == rows.size()) {
      return first;
    }
    boolean isHeader = CsvHeader.isHeader(rows.subList(table, rows.size()));
    for (int i = first; i < table; i++) {
      CsvSample.Row row = rows.get(i);
      if (!row.isBlank()
          && !isComment(rows, i, width)
          && !isTitle(rows, i, table, width, isHeader)
          && !(isSheet && isCellOfTitle(row, width) && CsvHeader.hasWordsOnly(rows.get(table)))) {
        return first;
      }
    }
    return table;
  }

  /// Returns whether a row of a sheet has one cell with text, as a title has. Of two columns, one
  /// may have no name.
  private static boolean isCellOfTitle(CsvSample.Row row, int width) {
    long count = row.fields().stream().filter(field -> !field.isBlank()).count();
    return count == 1 && width > 2;
  }

  private static boolean isOfTable(List<CsvSample.Row> rows, int index, int width) {
    CsvSample.Row row = rows.get(index);
    int filled = row.filledCount();
    return isRegular(row, width)
        && filled > 1
        && 2 * filled >= width
        && !isComment(rows, index, width);
  }

  /// Returns whether a record before the table may be left out: it has one text, or some of many
  /// fields, or a blank line is between it and the table, or a header follows.
  ///
  /// @param isHeader whether the table begins with a header
  private static boolean isTitle(
      List<CsvSample.Row> rows, int index, int table, int width, boolean isHeader) {
    CsvSample.Row row = rows.get(index);
    int filled = row.filledCount();
    if (filled > width) {
      return false;
    }
    boolean isPadded = row.count() >= width;
    if (filled <= 1 || filled < width - 1) {
      // A header may have few names.
      return !isPadded || isHeader || hasBlank(rows, index, table);
    }
    // A header that lacks one name, as R writes it above names of rows, is no title.
    return isHeader || hasBlank(rows, index, table);
  }

  private static boolean hasBlank(List<CsvSample.Row> rows, int start, int end) {
    return rows.subList(start, end).stream().anyMatch(CsvSample.Row::isBlank);
  }

  /// Returns whether a record begins with a number sign and is not the header itself: that is as
  /// wide as the table, and above values.
  private static boolean isComment(List<CsvSample.Row> rows, int index, int width) {
    CsvSample.Row row = rows.get(index);
    if (row.first() != '#') {
      return false;
    }
    int next = index + 1;
    while (next < rows.size() && rows.get(next).isBlank()) {
      next++;
    }
    if (!isRegular(row, width) || next == rows.size() || rows.get(next).first() == '#') {
      return true;
    }
    return CsvHeader.hasWordsOnly(rows.get(next))
        && CsvHeader.isHeader(rows.subList(next, rows.size()));
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
    boolean hasDecimalCommas = delimiter == ';' || delimiter == '\t';
    return (double) CsvHeader.typedCount(table(), hasDecimalCommas) / width;
  }

  /// Returns whether a space follows each comma, as in texts.
  boolean hasCommasOfTexts() {
    boolean hasCommas = false;
    for (CsvSample.Row row : rows) {
      for (String field : row.fields()) {
        int comma = field.indexOf(',');
        while (comma >= 0) {
          hasCommas = true;
          if (!field.startsWith(" ", comma + 1)) {
            return false;
          }
          comma = field.indexOf(',', comma + 1);
        }
      }
    }
    return hasCommas;
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
