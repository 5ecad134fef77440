package dev.quiver.formats;

import dev.quiver.arrow.memory.Excerpt;
import org.jspecify.annotations.Nullable;

/// A file that cannot be read in its stated format. The message is for the client that sent it: of
/// the file it has one value at most, and no path.
public final class ForeignDataException extends RuntimeException {

  public static final int VALUE_LENGTH_MAXIMUM = 100;

  /// The hint about a value that a column of a dataset does not hold.
  public static final String APPENDED_VALUE_HINT =
      "Change the value, since the column has the type of the dataset.";

  private final @Nullable Long line;
  private final @Nullable Long columnNumber;
  private final @Nullable Long row;
  private final @Nullable String column;
  private final @Nullable String value;
  private final @Nullable String hint;

  private ForeignDataException(
      String message,
      @Nullable Long line,
      @Nullable Long columnNumber,
      @Nullable Long row,
      @Nullable String column,
      @Nullable String value,
      @Nullable String hint) {
    super(message);
    this.line = line;
    this.columnNumber = columnNumber;
    this.row = row;
    this.column = column;
    this.value = value;
    this.hint = hint;
  }

  /// @param sentence without its place, such as *Expected 3 fields but found 2*
  public static ForeignDataException of(
      String sentence, @Nullable Long line, @Nullable String column, @Nullable String value) {
    String place =
        line == null
            ? column == null ? "" : " in column " + excerpt(column)
            : " at line " + line + (column == null ? "" : ", column " + excerpt(column));
    return new ForeignDataException(
        sentence + place,
        line,
        /* columnNumber= */ null,
        /* row= */ null,
        column,
        value == null ? null : excerpt(value),
        /* hint= */ null);
  }

  /// Returns the error about a character of the text.
  ///
  /// @param sentence without its place
  /// @param line counted from 1
  /// @param columnNumber the number of the character in its line, counted from 1
  public static ForeignDataException at(String sentence, long line, long columnNumber) {
    return new ForeignDataException(
        "%s at line %d, column %d".formatted(sentence, line, columnNumber),
        line,
        columnNumber,
        /* row= */ null,
        /* column= */ null,
        /* value= */ null,
        /* hint= */ null);
  }

  /// Returns the error about a cell of a sheet.
  ///
  /// @param sentence without its place
  /// @param row that of the sheet, counted from 1
  /// @param cell its name, such as `B7`
  public static ForeignDataException inCell(
      String sentence, long row, String cell, String column, String value) {
    return new ForeignDataException(
        "%s in cell %s, column %s".formatted(sentence, cell, excerpt(column)),
        row,
        /* columnNumber= */ null,
        /* row= */ null,
        column,
        excerpt(value),
        /* hint= */ null);
  }

  public static ForeignDataException of(String sentence) {
    return of(sentence, null, null, null);
  }

  /// Returns the same error with the row of the value, counted from 1 after the header.
  public ForeignDataException inRow(long row) {
    return new ForeignDataException(
        getMessage() + ", row %,d".formatted(row), line, columnNumber, row, column, value, hint);
  }

  /// Returns the same error with a sentence that says what the client can do.
  public ForeignDataException withHint(String newHint) {
    return new ForeignDataException(
        String.valueOf(getMessage()), line, columnNumber, row, column, value, newHint);
  }

  public static String excerpt(String text) {
    return Excerpt.of(text, VALUE_LENGTH_MAXIMUM);
  }

  /// Returns the line of the file, counted from 1, or null if unknown.
  public @Nullable Long line() {
    return line;
  }

  /// Returns the number of the character in its line, counted from 1, or null if the error is not
  /// about a character.
  public @Nullable Long columnNumber() {
    return columnNumber;
  }

  /// Returns the row of the value, counted from 1 after the header, or null if unknown or the line
  /// is known.
  public @Nullable Long row() {
    return row;
  }

  /// Returns the name of the column, or null if unknown.
  public @Nullable String column() {
    return column;
  }

  /// Returns a sentence that says what the client can do, or null if unknown.
  public @Nullable String hint() {
    return hint;
  }

  /// Returns the value, truncated if long, or null if unknown.
  public @Nullable String value() {
    return value;
  }
}
