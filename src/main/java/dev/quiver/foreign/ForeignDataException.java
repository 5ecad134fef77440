package dev.quiver.foreign;

import dev.quiver.input.Excerpt;
import org.jspecify.annotations.Nullable;

/// A file that cannot be read as what it is said to be. The message is for the client that sent it:
/// of the file it has one value at most, and no path.
public final class ForeignDataException extends RuntimeException {

  static final int VALUE_LENGTH_MAXIMUM = 100;

  private final @Nullable Long line;
  private final @Nullable String column;
  private final @Nullable String value;

  private ForeignDataException(
      String message, @Nullable Long line, @Nullable String column, @Nullable String value) {
    super(message);
    this.line = line;
    this.column = column;
    this.value = value;
  }

  /// @param sentence without its place, such as *Expected 3 fields but found 2*
  static ForeignDataException of(
      String sentence, @Nullable Long line, @Nullable String column, @Nullable String value) {
    String place =
        line == null
            ? column == null ? "" : " in column " + excerpt(column)
            : " at line " + line + (column == null ? "" : ", column " + excerpt(column));
    return new ForeignDataException(
        sentence + place, line, column, value == null ? null : excerpt(value));
  }

  static ForeignDataException of(String sentence) {
    return of(sentence, null, null, null);
  }

  /// Returns the same error with the row of the value, counted from 1 after the header.
  ForeignDataException inRow(long row) {
    return new ForeignDataException(getMessage() + ", row %,d".formatted(row), line, column, value);
  }

  static String excerpt(String text) {
    return Excerpt.of(text, VALUE_LENGTH_MAXIMUM);
  }

  /// Returns the line of the file, counted from 1, or null if unknown.
  public @Nullable Long line() {
    return line;
  }

  /// Returns the name of the column, or null if unknown.
  public @Nullable String column() {
    return column;
  }

  /// Returns the value, truncated if long, or null if unknown.
  public @Nullable String value() {
    return value;
  }
}
