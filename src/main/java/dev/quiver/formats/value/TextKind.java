package dev.quiver.formats.value;

import dev.quiver.formats.ColumnType;

/// The kind of one text, read by itself.
public enum TextKind {
  TEXT(ColumnType.VARCHAR),
  BOOLEAN(ColumnType.BOOLEAN),
  INTEGER(ColumnType.BIGINT),
  /// An integer of 64 bits that a double need not hold.
  LONG_INTEGER(ColumnType.BIGINT),
  /// An integer of more than 64 bits.
  LARGE_INTEGER(ColumnType.DECIMAL_38),
  FRACTION(ColumnType.DOUBLE),
  /// A number that no type holds exactly: an integer of more than 38 digits, a fraction of which a
  /// double would lose digits before the point, or a number beyond its range.
  UNREPRESENTABLE(ColumnType.VARCHAR),
  /// Infinity or not a number, which is text unless the column has numbers.
  NON_FINITE(ColumnType.VARCHAR),
  DATE(ColumnType.DATE),
  /// A date that nanoseconds of 64 bits do not reach.
  DISTANT_DATE(ColumnType.DATE),
  /// A date in another form that has one meaning, such as `31.01.2024` or `31-JAN-2024`.
  WRITTEN_DATE(ColumnType.DATE),
  /// A date such as `31/01/2024`, maybe with a time of day, whose day comes first.
  DAY_FIRST_DATE(ColumnType.VARCHAR),
  /// A date such as `01/31/2024`, maybe with a time of day, whose month comes first.
  MONTH_FIRST_DATE(ColumnType.VARCHAR),
  /// A date such as `01/02/2024`, maybe with a time of day, of which that is open.
  EITHER_DATE(ColumnType.VARCHAR),
  /// A number with a percent sign.
  PERCENT(ColumnType.VARCHAR),
  /// A whole number whose digits are in groups of thousands.
  GROUPED_INTEGER(ColumnType.VARCHAR),
  /// A number with a fraction whose digits before the point are in groups of thousands.
  GROUPED_FRACTION(ColumnType.VARCHAR),
  /// A number with the other decimal separator.
  OTHER_NUMBER(ColumnType.VARCHAR),
  TIME(ColumnType.TIME),
  /// A time of day with more than six digits after the second.
  LONG_TIME(ColumnType.TIME_NS),
  TIMESTAMP(ColumnType.TIMESTAMP),
  /// A timestamp that nanoseconds of 64 bits do not reach.
  DISTANT_TIMESTAMP(ColumnType.TIMESTAMP),
  /// A timestamp in another form that has one meaning, such as `31.01.2024 10:00`.
  WRITTEN_TIMESTAMP(ColumnType.TIMESTAMP),
  /// A timestamp with more than six digits after the second.
  LONG_TIMESTAMP(ColumnType.TIMESTAMP_NS),
  /// A timestamp with an offset from UTC.
  ZONED_TIMESTAMP(ColumnType.TIMESTAMPTZ),
  /// A timestamp with an offset that nanoseconds of 64 bits do not reach.
  DISTANT_ZONED_TIMESTAMP(ColumnType.TIMESTAMPTZ),
  /// A timestamp with an offset and more than six digits after the second.
  LONG_ZONED_TIMESTAMP(ColumnType.TIMESTAMPTZ_NS),
  /// A UUID with its hyphens. Only in JSON, where it is always a string.
  UUID(ColumnType.UUID);

  private final ColumnType type;

  TextKind(ColumnType type) {
    this.type = type;
  }

  /// Returns the type of a column that has values of this kind alone.
  public ColumnType type() {
    return type;
  }
}
