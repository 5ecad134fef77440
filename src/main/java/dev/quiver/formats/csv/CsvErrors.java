package dev.quiver.formats.csv;

import dev.quiver.formats.ForeignDataException;
import java.util.Locale;

/// The errors of CSV files, each with the line of its record.
final class CsvErrors {

  private CsvErrors() {}

  /// @param type that the value is not of
  static ForeignDataException value(String type, String value, long line, String column) {
    return ForeignDataException.of(
        "Expected %s but found \"%s\"".formatted(type, ForeignDataException.excerpt(value)),
        line,
        column,
        value);
  }

  static ForeignDataException fieldCount(int expected, int found, long line) {
    String fields = expected == 1 ? "1 field" : expected + " fields";
    return of("Expected %s but found %d".formatted(fields, found), line);
  }

  static ForeignDataException quote(long line) {
    return of("Expected the quote that ends a field but found other text", line);
  }

  /// @param line that ends otherwise than those before it
  static ForeignDataException lineEnds(long line) {
    return of(
        "Expected carriage returns alone at the ends of all lines or of none but found both", line);
  }

  static ForeignDataException tooLong(int byteSizeMaximum, long line) {
    return of(
        "Expected a record of at most %,d bytes but found more".formatted(byteSizeMaximum), line);
  }

  static ForeignDataException encoding(String encoding, long line) {
    return of(
        "Expected %s but found other bytes".formatted(encoding.toUpperCase(Locale.ROOT)), line);
  }

  private static ForeignDataException of(String sentence, long line) {
    return ForeignDataException.of(sentence, line, /* column= */ null, /* value= */ null);
  }
}
