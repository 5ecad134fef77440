package dev.quiver.formats.csv;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The beginning of a file, divided into records in one way or another. Nothing in it is an error.
///
/// @param text the beginning, a character for each byte of UTF-8
/// @param isWhole whether that is all of the file
record CsvSample(String text, boolean isWhole) {

  /// The bytes that are looked at.
  static final int BYTE_SIZE_MAXIMUM = 256 << 10;

  private static final int RECORD_COUNT_MAXIMUM = 1_000;

  /// A record.
  ///
  /// @param start the offset of its first character
  /// @param fields without quotes
  /// @param isRegular whether each quote ends where its field does
  /// @param hasQuotes whether a field is within quotes
  /// @param first its first character, or a line end
  record Row(int start, List<String> fields, boolean isRegular, boolean hasQuotes, char first) {

    int count() {
      return fields.size();
    }

    /// Returns the number of fields, without empty ones at the end.
    int filledCount() {
      int count = fields.size();
      while (count > 0 && fields.get(count - 1).isBlank()) {
        count--;
      }
      return count;
    }

    boolean isBlank() {
      return isRegular && !hasQuotes && filledCount() == 0;
    }

    /// Returns whether nothing is in its line.
    boolean isEmptyLine() {
      return isLineEnd(first);
    }

    /// Returns the fields as text.
    List<String> texts() {
      return fields.stream()
          .map(field ->
              new String(field.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
          .toList();
    }
  }

  /// Reads the beginning of a text.
  static CsvSample of(CsvText text) throws IOException {
    try (InputStream file = text.open()) {
      byte[] bytes = file.readNBytes(BYTE_SIZE_MAXIMUM);
      boolean isWhole = bytes.length < BYTE_SIZE_MAXIMUM;
      return new CsvSample(new String(bytes, StandardCharsets.ISO_8859_1), isWhole);
    }
  }

  /// Returns whether a character of the code 0 is beside the end of the first line.
  boolean hasWideLines() {
    int end = text.indexOf('\n');
    return text.startsWith("\0", end + 1) && end >= 0 || end > 0 && text.charAt(end - 1) == '\0';
  }

  /// Returns whether there is text without a line end.
  boolean isOneLine() {
    return !text.isEmpty() && text.chars().noneMatch(character -> isLineEnd((char) character));
  }

  /// Returns the offset after the line that begins at an offset.
  int afterLine(int start) {
    int next = start;
    while (next < text.length() && !isLineEnd(text.charAt(next))) {
      next++;
    }
    return afterLineEnd(next);
  }

  private int afterLineEnd(int start) {
    return text.startsWith("\r\n", start) ? start + 2 : Math.min(text.length(), start + 1);
  }

  private static boolean isLineEnd(char character) {
    return character == '\n' || character == '\r';
  }

  /// Returns the first records. One that the beginning may not have whole is left out.
  ///
  /// @param start the offset of the first one
  /// @param quote around a field, or NUL if absent
  /// @param escape before a quote, or NUL if absent
  List<Row> rows(int start, char delimiter, char quote, char escape) {
    List<Row> rows = new ArrayList<>();
    int next = start;
    while (next < text.length() && rows.size() < RECORD_COUNT_MAXIMUM) {
      Scan scan = new Scan(next, delimiter, quote, escape);
      if (scan.end >= text.length() && !isWhole) {
        break;
      }
      rows.add(new Row(next, scan.fields, scan.isRegular, scan.hasQuotes, text.charAt(next)));
      next = afterLineEnd(scan.end);
    }
    return rows;
  }

  /// The fields of a record, up to the end of its last line.
  private final class Scan {

    private final char delimiter;
    private final char quote;
    private final char escape;
    private final List<String> fields = new ArrayList<>();
    private boolean isRegular = true;
    private boolean hasQuotes;
    private int end;

    Scan(int start, char delimiter, char quote, char escape) {
      this.delimiter = delimiter;
      this.quote = quote;
      this.escape = escape;
      int next = field(start);
      while (next < text.length() && text.charAt(next) == delimiter) {
        next = field(next + 1);
      }
      this.end = next;
    }

    private boolean isAt(int offset, char character) {
      return character != '\0' && offset < text.length() && text.charAt(offset) == character;
    }

    /// Adds a field, and returns the offset after it.
    private int field(int start) {
      if (isAt(start, quote) || isAt(start, ' ') && isAt(start + 1, quote)) {
        return quoted(isAt(start, quote) ? start + 1 : start + 2);
      }
      int next = start;
      while (next < text.length()
          && text.charAt(next) != delimiter
          && !isLineEnd(text.charAt(next))) {
        next++;
      }
      String field = text.substring(start, next);
      fields.add(quote == '\0' && escape == '\\' ? TsvLetters.unescaped(field) : field);
      return next;
    }

    private int quoted(int start) {
      hasQuotes = true;
      StringBuilder field = new StringBuilder();
      int next = start;
      while (next < text.length()) {
        boolean escapes = isAt(next, escape) && (isAt(next + 1, quote) || isAt(next + 1, escape));
        if (!escapes && isAt(next, quote)) {
          break;
        }
        next += escapes ? 1 : 0;
        field.append(text.charAt(next++));
      }
      isRegular &= next < text.length() || !isWhole;
      next = Math.min(text.length(), next + 1);
      fields.add(field.toString());
      int rest = next;
      while (next < text.length()
          && text.charAt(next) != delimiter
          && !isLineEnd(text.charAt(next))) {
        next++;
      }
      isRegular &= text.substring(rest, next).isBlank();
      return next;
    }
  }
}
