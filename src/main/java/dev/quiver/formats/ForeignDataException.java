package dev.quiver.formats;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Excerpt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file that cannot be read in its stated format. The message is for the client that sent it: of
/// the file it has one value at most, and no path.
public final class ForeignDataException extends RuntimeException {

  public static final int VALUE_LENGTH_MAXIMUM = 100;

  private final @Nullable Long line;
  private final @Nullable Long row;
  private final @Nullable String column;
  private final @Nullable String value;

  private ForeignDataException(
      String message,
      @Nullable Long line,
      @Nullable Long row,
      @Nullable String column,
      @Nullable String value) {
    super(message);
    this.line = line;
    this.row = row;
    this.column = column;
    this.value = value;
  }

  /// @param sentence without its place, such as *Expected 3 fields but found 2*
  public static ForeignDataException of(
      String sentence, @Nullable Long line, @Nullable String column, @Nullable String value) {
    String place =
        line == null
            ? column == null ? "" : " in column " + excerpt(column)
            : " at line " + line + (column == null ? "" : ", column " + excerpt(column));
    return new ForeignDataException(
        sentence + place, line, /* row= */ null, column, value == null ? null : excerpt(value));
  }

  public static ForeignDataException of(String sentence) {
    return of(sentence, null, null, null);
  }

  /// Returns the same error with the row of the value, counted from 1 after the header.
  public ForeignDataException inRow(long row) {
    return new ForeignDataException(
        getMessage() + ", row %,d".formatted(row), line, row, column, value);
  }

  /// Returns the statement that finds the first row of a value, whose result goes to [#located].
  ///
  /// @param column its name in the statement
  /// @param relation the file with this column as text
  public static String rowSql(String column, String relation, String value) {
    return """
    SELECT r FROM (SELECT row_number() OVER () AS r, %s AS v FROM %s)
    WHERE %s LIMIT 1
    """
        .formatted(
            column,
            relation,
            value.length() >= VALUE_LENGTH_MAXIMUM
                ? "starts_with(v, " + SqlLiterals.literal(value.replaceFirst("…$", "")) + ")"
                : "v = " + SqlLiterals.literal(value));
  }

  /// Returns the error with the row from the result of a statement such as [#rowSql].
  public ForeignDataException located(List<RecordBatch> result) {
    for (RecordBatch batch : result) {
      if (batch.length() > 0) {
        return inRow(((Array.FixedWidth) Array.of(batch.columns().getFirst())).integer(0));
      }
    }
    return this;
  }

  public static String excerpt(String text) {
    return Excerpt.of(text, VALUE_LENGTH_MAXIMUM);
  }

  /// Returns the line of the file, counted from 1, or null if unknown.
  public @Nullable Long line() {
    return line;
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

  /// Returns the value, truncated if long, or null if unknown.
  public @Nullable String value() {
    return value;
  }
}
