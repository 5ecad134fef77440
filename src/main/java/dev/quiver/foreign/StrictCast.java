package dev.quiver.foreign;

/// How the text of a column becomes a type without a silent loss.
///
/// The engine rounds `1.5` when it reads an integer, drops digits of a second after the sixth, and
/// applies an offset from UTC even where the type has none. Such columns are read as text, checked
/// and converted. Errors about other columns are the reader's own, which tell the line.
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

  static StrictCast of(ColumnType type, CsvOptions options) {
    return switch (type.kind()) {
      case INTEGER -> checked(type, "contains(%1$s, '.') OR " + EXPONENT, "%1$s");
      case DECIMAL -> {
        String value = options.decimal().equals(".") ? "%1$s" : "replace(%1$s, ',', '.')";
        yield checked(
            type,
            "%s OR contains(%s, '.') AND length(rtrim(%2$s)) - strpos(%2$s, '.') > %d"
                .formatted(EXPONENT, value, type.scale()),
            value);
      }
      case TIME -> checked(type, "strlen(trim(%1$s)) > 15", "%1$s");
      case TIMESTAMP ->
          options.timestampFormat() == null
              ? timestamp(type)
              : new StrictCast(type, type, "", "%1$s");
      case TEXT, BOOLEAN, FLOAT, DATE, UUID -> new StrictCast(type, type, "", "%1$s");
    };
  }

  private static StrictCast timestamp(ColumnType type) {
    if (type.equals(ColumnType.TIMESTAMPTZ)) {
      return checked(type, "strlen(trim(%1$s)) > 32 OR NOT (" + OFFSET + ")", "%1$s");
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

  /// Returns the expression for the column with this index.
  String sql(int index) {
    String column = "c" + index;
    if (loss.isEmpty()) {
      return column;
    }
    String error =
        "error('%s%d:%s:' || left(%s, %d))"
            .formatted(
                ERROR_PREFIX, index, type.sql(), column, ForeignDataException.VALUE_LENGTH_MAXIMUM);
    return "CASE WHEN %s IS NULL THEN NULL WHEN %s THEN %s ELSE coalesce(TRY_CAST(%s AS %s), %3$s) END AS %1$s"
        .formatted(column, loss.formatted(column), error, value.formatted(column), type.sql());
  }
}
