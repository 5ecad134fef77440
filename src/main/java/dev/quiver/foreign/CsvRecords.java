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

/// The first records of a CSV file, for its names and its delimiter.
final class CsvRecords {

  /// The bytes of the longest line that the engine reads.
  static final int LINE_BYTE_SIZE_MAXIMUM = 2_000_000;

  /// The character in place of bytes that are not of the encoding.
  static final String REPLACEMENT = "\uFFFD";

  private static final int END = -1;
  private static final int BYTE_ORDER_MARK = 0xFEFF;
  private static final int REVERSED_BYTE_ORDER_MARK = 0xFFFE;

  private final BufferedReader reader;
  private final CsvOptions options;
  private final String delimiter;
  private int remaining = LINE_BYTE_SIZE_MAXIMUM;
  private long line = 1;
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

  /// Returns the characters at the end of the last line, which are none at the end of the file.
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
    }
    int count = 0;
    while (true) {
      int next = peek();
      boolean comment = is(next, options.comment());
      boolean empty = next == '\n' || next == '\r';
      if (!comment && count >= options.skip() && !empty || next == END) {
        return count;
      }
      if (comment) {
        skipLine();
      } else {
        // A quoted line break within them does not end a line.
        next();
        count++;
      }
    }
  }

  /// Returns the fields of the next record, or null at the end. Bytes that are not of the encoding
  /// become [#REPLACEMENT]: the reader decodes ahead, where the engine tells the line.
  ///
  /// @throws ForeignDataException if the record is too long
  @Nullable List<String> next() throws IOException {
    if (peek() == END) {
      return null;
    }
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    boolean fresh = true;
    while (true) {
      int c = read();
      if (c == END) {
        break;
      }
      if (quoted) {
        if (is(c, options.escape()) && is(peek(), options.quote())) {
          field.append((char) read());
        } else if (is(c, options.quote())) {
          quoted = false;
        } else {
          field.append((char) c);
        }
      } else if (is(c, delimiter)) {
        fields.add(field.toString());
        field.setLength(0);
        fresh = true;
        continue;
      } else if (c == '\n' || c == '\r') {
        endLine(c);
        break;
      } else if (is(c, options.comment())) {
        skipLine();
        break;
      } else if (fresh && is(c, options.quote())) {
        quoted = true;
      } else {
        field.append((char) c);
      }
      fresh = false;
    }
    fields.add(field.toString());
    return fields;
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
    lineEnd = first == END ? "" : Character.toString(first);
    if (first == '\r' && peek() == '\n') {
      read();
      lineEnd = "\r\n";
    }
  }

  private int peek() throws IOException {
    reader.mark(1);
    int next = reader.read();
    reader.reset();
    return next;
  }

  private int read() throws IOException {
    if (--remaining < 0) {
      throw ForeignDataException.of(
          "Expected at most %,d characters but found more".formatted(LINE_BYTE_SIZE_MAXIMUM),
          line,
          null,
          null);
    }
    return reader.read();
  }
}
