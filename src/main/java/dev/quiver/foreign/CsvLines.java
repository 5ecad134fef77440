package dev.quiver.foreign;

import dev.quiver.foreign.CsvFile.Contents;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// The lines of a CSV file, as far as they decide on whether the engine reads it by parts or in
/// order: either way, there are files that it rejects, or of which it changes a value.
///
/// @param end the characters at the end of the header, which the engine must know: it would take a
///   line break within a name for the end of a line, and then read no rows. None if the file has
///   one line.
/// @param quoted those within quotes
/// @param inOrder whether the engine reads the file in order
/// @param dividedAtBlankLine whether a part begins at an empty line, because of which the engine
///   rejects the file
record CsvLines(String end, QuotedLines quoted, boolean inOrder, boolean dividedAtBlankLine) {

  /// Looks through a file.
  ///
  /// @param options with a delimiter
  /// @param end the characters at the end of the header
  /// @throws ForeignDataException if a quote does not end
  static CsvLines of(Contents contents, CsvOptions options, String end) throws IOException {
    QuotedLines quoted;
    try (InputStream file = contents.open()) {
      quoted = QuotedLines.of(file, options, end);
    }
    boolean isUtf8 = options.encoding().equals("utf-8");
    // Text of another encoding is divided after it was decoded.
    boolean blank = isUtf8 && hasBlankLineBetweenParts(contents, end);
    boolean inOrder =
        switch (quoted) {
          // If a part of a file that is read in order begins at an empty line, the engine takes
          // half
          // of a \r\n for a part of the next field.
          case CLEAR -> end.equals("\n") || !blank && (isUtf8 || !end.equals("\r\n"));
          case NONE -> end.equals("\n") && blank;
          case UNCLEAR -> false;
          case OPEN -> throw openQuote(contents, options);
        };
    return new CsvLines(end, quoted, inOrder, blank && !inOrder);
  }

  private static boolean hasBlankLineBetweenParts(Contents contents, String end)
      throws IOException {
    if (end.isEmpty()) {
      return false;
    }
    int length = 2 * end.length();
    byte[] around = new byte[2 * length];
    try (InputStream file = contents.open()) {
      long position = 0;
      for (long part = CsvFile.PART_BYTE_SIZE; ; part += CsvFile.PART_BYTE_SIZE) {
        file.skipNBytes(part - length - position);
        int count = file.readNBytes(around, 0, around.length);
        if (new String(around, 0, count, StandardCharsets.ISO_8859_1).contains(end + end)) {
          return true;
        }
        position = part - length + count;
      }
    } catch (EOFException e) {
      return false;
    }
  }

  /// Returns the exception for a quote that does not end.
  private static ForeignDataException openQuote(Contents contents, CsvOptions options)
      throws IOException {
    try (InputStream file = contents.open()) {
      CsvRecords records = new CsvRecords(file, options, options.fieldDelimiter());
      while (records.next() != null) {
        // The line is that of the record that does not end.
      }
      return ForeignErrors.quote(null);
    } catch (ForeignDataException e) {
      return e;
    }
  }

  /// Returns an error of the engine with the line of the file: the engine counts a record with line
  /// breaks as one line.
  ForeignDataException located(ForeignDataException error, Contents contents, CsvOptions options)
      throws IOException {
    Long line = error.line();
    if (line == null || quoted == QuotedLines.NONE) {
      return error;
    }
    try (InputStream file = contents.open()) {
      // As the engine, these see no quote after a byte order mark.
      CsvRecords records = new CsvRecords(file, options, options.fieldDelimiter());
      while (records.engineLine() < line) {
        if (records.next() == null) {
          return error;
        }
      }
      return error.atLine(records.fileLine());
    } catch (ForeignDataException e) {
      // The engine reads on where the records end.
      return error;
    }
  }
}
