package dev.quiver.foreign;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The records of a CSV file: the first ones, for its names and its delimiter, or all up to an
/// error, for its line.
final class CsvRecords {

  /// The bytes of the longest line that the engine reads.
  static final int LINE_BYTE_SIZE_MAXIMUM = 2_000_000;

  /// The character in place of bytes that are not of the encoding.
  static final String REPLACEMENT = "\uFFFD";

  private enum FieldState {
    UNQUOTED,
    QUOTED,
    AFTER_QUOTE
  }

  private static final int END = -1;
  private static final int BYTE_ORDER_MARK = 0xFEFF;
  private static final int REVERSED_BYTE_ORDER_MARK = 0xFFFE;

  private final BufferedReader reader;
  private final CsvOptions options;
  private final String delimiter;
  private int remaining = LINE_BYTE_SIZE_MAXIMUM;
  private long count;
  private long line = 1;
  private long fileLine = 1;
  private int previous = END;
  private int firstFieldLineBreaks;
  private boolean byteOrderMark;
  private String lineEnd = "";

  /// @param delimiter of the fields, in place of that of the options
  CsvRecords(InputStream file, CsvOptions options, String delimiter) {
    this.options = options;
    this.delimiter = delimiter;
    this.reader =
        new BufferedReader(
            new InputStreamReader(
                file,
                charset(options.encoding())
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE)));
  }

  private static Charset charset(String encoding) {
    return switch (encoding) {
      // The engine reads the bytes of the other order as no rows.
      case "utf-16" -> StandardCharsets.UTF_16LE;
      case "latin-1" -> StandardCharsets.ISO_8859_1;
      default -> StandardCharsets.UTF_8;
    };
  }

  /// Returns the number of characters that have been read.
  long count() {
    return count;
  }

  /// Returns the number of line breaks within the first field of the file if that is after a byte
  /// order mark: the engine does not see its quote.
  int hiddenLineBreaks() {
    return byteOrderMark ? firstFieldLineBreaks : 0;
  }

  /// Returns the number of the next record's line, from 1, as the engine counts: each record has
  /// one.
  long engineLine() {
    return line;
  }

  /// Returns the number of the next record's line, from 1.
  long fileLine() {
    return fileLine;
  }

  /// Returns the characters at the end of lines, which are none if the first line is the last one.
  String lineEnd() {
    return lineEnd;
  }

  /// Leaves out the lines that the options say, and empty lines after them. Comments do not count.
  ///
  /// @return how many lines the engine has to leave out
  int skip() throws IOException {
    if (peek() == REVERSED_BYTE_ORDER_MARK) {
      throw ForeignDataException.of("Expected UTF-16 of little-endian order but found the other");
    }
    if (peek() == BYTE_ORDER_MARK) {
      reader.read();
      byteOrderMark = true;
    }
    int lines = 0;
    while (true) {
      int next = peek();
      boolean comment = is(next, options.comment());
      boolean empty = next == '\n' || next == '\r';
      if (!comment && lines >= options.skip() && !empty || next == END) {
        return lines;
      }
      if (comment) {
        skipLine();
      } else {
        // A quoted line break within them does not end a line.
        next();
        lines++;
      }
    }
  }

  /// Returns the fields of the next record, or null at the end. Bytes that are not of the encoding
  /// become [#REPLACEMENT]: the reader decodes ahead, where the engine tells the line.
  ///
  /// @throws ForeignDataException if the record is too long, or a quote does not end where the
  ///   field does: the engine would read no rows after such a header
  @Nullable List<String> next() throws IOException {
    if (peek() == END) {
      return null;
    }
    boolean isFirst = count == 0;
    long firstLine = fileLine;
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    FieldState state = FieldState.UNQUOTED;
    boolean blank = true;
    while (true) {
      int c = read();
      if (state == FieldState.QUOTED) {
        if (c == END) {
          throw ForeignErrors.quote(firstLine);
        }
        if (is(c, options.escape())
            && (is(peek(), options.quote()) || is(peek(), options.escape()))) {
          field.append((char) read());
        } else if (is(c, options.quote())) {
          state = FieldState.AFTER_QUOTE;
        } else {
          field.append((char) c);
        }
      } else if (is(c, delimiter)) {
        if (isFirst && fields.isEmpty()) {
          firstFieldLineBreaks = (int) (fileLine - firstLine);
        }
        fields.add(field.toString());
        field.setLength(0);
        state = FieldState.UNQUOTED;
        blank = true;
      } else if (c == END || c == '\n' || c == '\r' || is(c, options.comment())) {
        if (isFirst && fields.isEmpty()) {
          firstFieldLineBreaks = (int) (fileLine - firstLine - (c == '\n' || c == '\r' ? 1 : 0));
        }
        fields.add(field.toString());
        endRecord(c);
        return fields;
      } else if (is(c, options.quote()) && state == FieldState.UNQUOTED && blank) {
        // As the engine does, leaves out one space before a quote.
        field.setLength(0);
        state = FieldState.QUOTED;
      } else if (state == FieldState.AFTER_QUOTE && c != ' ') {
        throw ForeignErrors.quote(firstLine);
      } else if (state != FieldState.AFTER_QUOTE) {
        field.append((char) c);
        blank &= c == ' ' && field.length() == 1;
      }
    }
  }

  private void endRecord(int character) throws IOException {
    if (is(character, options.comment())) {
      skipLine();
    } else {
      endLine(character);
    }
  }

  private static boolean is(int character, String text) {
    return !text.isEmpty() && character == text.charAt(0);
  }

  private void skipLine() throws IOException {
    int c;
    do {
      c = read();
    } while (c != '\n' && c != '\r' && c != END);
    endLine(c);
  }

  /// Reads the second character of a line's end, if it has two.
  private void endLine(int first) throws IOException {
    line++;
    remaining = LINE_BYTE_SIZE_MAXIMUM;
    if (first == END) {
      return;
    }
    String end = Character.toString(first);
    if (first == '\r' && peek() == '\n') {
      read();
      end = "\r\n";
    }
    if (!lineEnd.isEmpty() && !lineEnd.equals(end)) {
      throw ForeignErrors.lineEnds();
    }
    lineEnd = end;
  }

  private int peek() throws IOException {
    reader.mark(1);
    int next = reader.read();
    reader.reset();
    return next;
  }

  private int read() throws IOException {
    count++;
    if (--remaining < 0) {
      throw ForeignDataException.of(
          "Expected at most %,d characters but found more".formatted(LINE_BYTE_SIZE_MAXIMUM),
          fileLine,
          null,
          null);
    }
    int c = reader.read();
    if (c == '\r' || c == '\n' && previous != '\r') {
      fileLine++;
    }
    previous = c;
    return c;
  }
}
