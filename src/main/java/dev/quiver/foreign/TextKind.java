package dev.quiver.foreign;

/// The kind of one value of a CSV file, read by itself.
enum TextKind {
  TEXT(ColumnType.VARCHAR),
  BOOLEAN(ColumnType.BOOLEAN),
  INTEGER(ColumnType.BIGINT),
  /// An integer of 64 bits that a double need not hold.
  LONG_INTEGER(ColumnType.BIGINT),
  /// An integer of more than 64 bits.
  LARGE_INTEGER(ColumnType.DECIMAL_38),
  FRACTION(ColumnType.DOUBLE),
  /// Infinity or not a number, which is text unless the column has numbers.
  NON_FINITE(ColumnType.VARCHAR),
  DATE(ColumnType.DATE),
  TIME(ColumnType.TIME),
  TIMESTAMP(ColumnType.TIMESTAMP),
  /// A timestamp with more than six digits after the second.
  LONG_TIMESTAMP(ColumnType.TIMESTAMP_NS),
  /// A timestamp with an offset from UTC.
  ZONED_TIMESTAMP(ColumnType.TIMESTAMPTZ);

  /// The integer up to which a double holds all.
  private static final long DOUBLE_INTEGER_MAXIMUM = 1L << 53;

  private final ColumnType type;

  TextKind(ColumnType type) {
    this.type = type;
  }

  ColumnType type() {
    return type;
  }

  /// Returns the expression for the ordinal of the kind of the text `t`. A number with a leading
  /// zero or plus is text, since as a number it would lose that.
  static String sql(CsvOptions options) {
    String point = options.decimal().equals(".") ? "\\." : ",";
    String exponent = "([eE][+-]?[0-9]+)?";
    String fraction =
        "-?(0|[1-9][0-9]*)(%1$s[0-9]*)?%2$s|-?%1$s[0-9]+%2$s".formatted(point, exponent);
    return "CASE"
        + " WHEN regexp_full_match(t, '0|-?[1-9][0-9]*') THEN CASE"
        + " WHEN TRY_CAST(t AS BIGINT) BETWEEN -%1$d AND %1$d THEN %2$d"
            .formatted(DOUBLE_INTEGER_MAXIMUM, INTEGER.ordinal())
        + " WHEN TRY_CAST(t AS BIGINT) IS NOT NULL THEN %d".formatted(LONG_INTEGER.ordinal())
        + " WHEN length(ltrim(t, '-')) <= 38 THEN %d ELSE 0 END".formatted(LARGE_INTEGER.ordinal())
        + when("regexp_full_match(t, '" + fraction + "')" + finite(options), FRACTION)
        + when("lower(t) IN ('true', 'false')", BOOLEAN)
        + when("lower(ltrim(t, '-')) IN ('nan', 'inf', 'infinity')", NON_FINITE)
        + dates(options)
        + when(
            "regexp_full_match(t, '[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?')"
                + " AND TRY_CAST(t AS TIME) IS NOT NULL",
            TIME)
        + timestamps(options)
        + " ELSE 0 END";
  }

  /// A number that is too large for a double would become infinity.
  private static String finite(CsvOptions options) {
    String number = options.decimal().equals(".") ? "t" : "replace(t, ',', '.')";
    return " AND isfinite(TRY_CAST(" + number + " AS DOUBLE))";
  }

  private static String dates(CsvOptions options) {
    return options.dateFormat() == null
        ? when(
            "regexp_full_match(t, '[0-9]{4}-[0-9]{2}-[0-9]{2}') AND TRY_CAST(t AS DATE) IS NOT NULL",
            DATE)
        : when(parses(options.dateFormat()), DATE);
  }

  private static String timestamps(CsvOptions options) {
    String format = options.timestampFormat();
    if (format != null) {
      return when(parses(format), format.contains("%z") ? ZONED_TIMESTAMP : TIMESTAMP);
    }
    String second = "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?";
    String nanosecond = "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{7,9}";
    return when(matches(second, ColumnType.TIMESTAMP), TIMESTAMP)
        + when(matches(nanosecond, ColumnType.TIMESTAMP_NS), LONG_TIMESTAMP)
        + when(
            matches(second + "(Z|[+-][0-9]{2}(:?[0-9]{2})?)", ColumnType.TIMESTAMPTZ),
            ZONED_TIMESTAMP);
  }

  private static String matches(String pattern, ColumnType type) {
    return "regexp_full_match(t, '%s') AND TRY_CAST(t AS %s) IS NOT NULL"
        .formatted(pattern, type.sql());
  }

  private static String parses(String format) {
    return "try_strptime(t, " + SqlLiterals.literal(format) + ") IS NOT NULL";
  }

  private static String when(String condition, TextKind kind) {
    return " WHEN " + condition + " THEN " + kind.ordinal();
  }
}
