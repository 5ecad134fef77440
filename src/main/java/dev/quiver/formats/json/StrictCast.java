package dev.quiver.formats.json;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.ForeignDataException;

/// A cast of the text of a column to a type without a silent loss.
///
/// The engine rounds `1.5` when it reads an integer, drops digits of a second after the sixth, and
/// applies an offset from UTC even where the type has none. Such columns are read as text, checked
/// and converted. Errors about other columns are the reader's own, with the line.
///
/// @param read the type that the reader has
/// @param type the type of the result
/// @param loss the condition for text `%s` that would lose something, or empty if none does
/// @param value the expression for the text `%s` as the engine converts it
record StrictCast(ColumnType read, ColumnType type, String loss, String value) {

  /// The start of the errors of such statements: the index of the column, its type and the value
  /// follow.
  static final String ERROR_PREFIX = "quiver:";

  private static final String EXPONENT = "contains(%1$s, 'e') OR contains(%1$s, 'E')";

  private static final String OFFSET =
      "contains(%1$s, 'Z') OR contains(%1$s, '+') OR contains(substr(%1$s, 12), '-')";

  /// Seconds without a fraction and an offset, the usual form, are recognized first.
  private static final String NOT_SECONDS = "(strlen(%1$s) <> 19 OR substr(%1$s, 17, 1) <> ':')";

  private static final String LONG_FRACTION =
      "contains(%1$s, '.') AND length(replace(ltrim(%1$s, '-0.'), '.', '')) > 15";

  /// The engine reads a number that is too large as infinity.
  private static final String OVERFLOW =
      "isinf(TRY_CAST(%1$s AS %2$s)) AND NOT contains(lower(%1$s), 'inf')";

  /// The distance between the values of float16 around a value.
  private static final String HALF_STEP =
      "greatest(pow(2, floor(log2(abs(TRY_CAST(%1$s AS FLOAT)::DOUBLE))) - 10), pow(2, -24))";

  /// The nearest value that float16 has, as a float. Those too large for it fail later.
  private static final String HALF =
      "CASE WHEN isfinite(TRY_CAST(%1$s AS FLOAT)) AND TRY_CAST(%1$s AS FLOAT) <> 0"
          + " THEN round_even(TRY_CAST(%1$s AS FLOAT)::DOUBLE / "
          + HALF_STEP
          + ", 0) * "
          + HALF_STEP
          + " ELSE TRY_CAST(%1$s AS FLOAT) END";

  private static StrictCast ofText(ColumnType type) {
    return switch (type.kind()) {
      case INTEGER -> checked(type, "contains(%1$s, '.') OR " + EXPONENT, "%1$s");
      case DECIMAL ->
          checked(
              type,
              EXPONENT
                  + " OR contains(%1$s, '.') AND length(rtrim(%1$s)) - strpos(%1$s, '.') > "
                  + type.scale(),
              "%1$s");
      case TIME ->
          checked(
              type,
              "strlen(trim(%%1$s)) > %d OR regexp_matches(%%1$s, '[Zz+-]')"
                  .formatted(type.equals(ColumnType.TIME_NS) ? 18 : 15),
              "%1$s");
      case BINARY -> checked(type, "false", "TRY(from_base64(%1$s))");
      case HALF -> checked(type, "false", HALF);
      case TIMESTAMP -> timestamp(type);
      case TEXT, BOOLEAN, FLOAT, DATE, UUID -> new StrictCast(type, type, "", "%1$s");
    };
  }

  /// Returns the conversion of a value of JSON, which the reader has as text. The reader itself
  /// would round numbers and take any of them for a boolean. Of a number with a fraction it keeps
  /// 15 digits for certain.
  static StrictCast ofJson(ColumnType type) {
    StrictCast cast = ofText(type);
    return switch (type.kind()) {
      case TEXT -> cast;
      // A text with more than a date would lose that.
      case DATE -> checked(type, "strlen(trim(%1$s)) > 10", cast.value());
      case DECIMAL -> checked(type, cast.loss() + " OR " + LONG_FRACTION, cast.value());
      case FLOAT -> checked(type, OVERFLOW.formatted("%1$s", type.sql()), cast.value());
      default -> cast.loss().isEmpty() ? checked(type, "false", cast.value()) : cast;
    };
  }

  private static StrictCast timestamp(ColumnType type) {
    boolean hasNanoseconds = type.equals(ColumnType.TIMESTAMPTZ_NS);
    if (hasNanoseconds || type.equals(ColumnType.TIMESTAMPTZ)) {
      return checked(
          type,
          "strlen(trim(%%1$s)) > %d OR NOT (%s)".formatted(hasNanoseconds ? 35 : 32, OFFSET),
          "%1$s");
    }
    int byteSizeMaximum = type.equals(ColumnType.TIMESTAMP_NS) ? 29 : 26;
    return checked(
        type,
        "%s AND (strlen(trim(%%1$s)) > %d OR %s)".formatted(NOT_SECONDS, byteSizeMaximum, OFFSET),
        "%1$s");
  }

  private static StrictCast checked(ColumnType type, String loss, String value) {
    return new StrictCast(ColumnType.VARCHAR, type, loss, value);
  }

  /// Returns the expression for a column.
  ///
  /// @param index of the column in errors
  /// @param column its name in the statement
  String sql(int index, String column) {
    if (loss.isEmpty()) {
      return column;
    }
    String error =
        "error('%s%d:%s:' || left(%s, %d))"
            .formatted(
                ERROR_PREFIX,
                index,
                type.displayName(),
                column,
                ForeignDataException.VALUE_LENGTH_MAXIMUM);
    return "CASE WHEN %s IS NULL THEN NULL WHEN %s THEN %s ELSE coalesce(TRY_CAST(%s AS %s), %3$s) END AS %1$s"
        .formatted(column, loss.formatted(column), error, value.formatted(column), type.sql());
  }
}
