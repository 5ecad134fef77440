package dev.quiver.foreign;

import java.io.IOException;
import java.io.InputStream;

/// The lines within quotes of a file, because of which the engine has to read it in order.
///
/// By default, the engine reads a file by parts, also with one thread. It guesses where the first
/// record of a part begins, takes a line within quotes for a record if the line has as many fields,
/// and then tells at the end that it cannot read the file. In order, it does not guess. But then it
/// drops a last record whose quotes do not end, and tells nothing; by parts, it does so at times.
enum QuotedLines {
  NONE,

  /// Some, and the quotes of each field end where the field does.
  CLEAR,

  /// Quotes that end elsewhere, which the engine may take for an error.
  UNCLEAR,

  /// Quotes that do not end in the file.
  OPEN;

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
