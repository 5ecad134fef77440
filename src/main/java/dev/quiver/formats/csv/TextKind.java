package dev.quiver.formats.csv;

import dev.quiver.formats.ColumnType;

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
  /// A date that nanoseconds of 64 bits do not reach.
  DISTANT_DATE(ColumnType.DATE),
  TIME(ColumnType.TIME),
  TIMESTAMP(ColumnType.TIMESTAMP),
  /// A timestamp that nanoseconds of 64 bits do not reach.
  DISTANT_TIMESTAMP(ColumnType.TIMESTAMP),
  /// A timestamp with more than six digits after the second.
  LONG_TIMESTAMP(ColumnType.TIMESTAMP_NS),
  /// A timestamp with an offset from UTC.
  ZONED_TIMESTAMP(ColumnType.TIMESTAMPTZ);

  private final ColumnType type;

  TextKind(ColumnType type) {
    this.type = type;
  }

  ColumnType type() {
    return type;
  }
}
