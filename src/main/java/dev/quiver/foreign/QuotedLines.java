package dev.quiver.foreign;

import java.io.IOException;
import java.io.InputStream;

/// Whether a file has lines within quotes, on which it depends how the engine can read it.
///
/// By default, the engine reads a file by parts, also with one thread. It guesses where the first
/// record of a part begins, takes a line within quotes for a record if the line has as many fields,
/// and then tells at the end that it cannot read the file. Told to read from the first record to
/// the last, it does not guess, but drops a last record whose quotes do not end, and tells nothing.
public enum QuotedLines {
  NONE,

  /// Some, and the quotes of all fields end, directly before a delimiter or the end of a line.
  CLEAR,

  /// Quotes that do not end so.
  UNCLEAR;

  /// Looks through a file.
  ///
  /// @param file from its start
  /// @param options with a delimiter
  /// @param lineEnd the characters at the end of each line, or none if the file has one line
  static QuotedLines of(InputStream file, CsvOptions options, String lineEnd) throws IOException {
    return options.quote().isEmpty() || lineEnd.isEmpty()
        ? NONE
        : new QuoteScanner(file, options, lineEnd).scan();
  }
}
