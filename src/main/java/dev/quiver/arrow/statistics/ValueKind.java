package dev.quiver.arrow.statistics;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.IntervalUnit;

/// The way in which the values of a type are counted and compared.
enum ValueKind {
  /// Values that are not compared: nested ones. Only nulls are counted.
  NONE,
  /// Keys 0 and 1.
  BOOLEAN,
  /// Integers of at most 64 bits, as keys of the same order.
  INTEGER,
  /// Numbers as keys of the same order, of which NaN is the greatest.
  FLOATING_POINT,
  /// Decimals of more than 64 bits. Small values are keys, and the others bytes of the same order.
  WIDE,
  /// Bytes in unsigned order.
  BYTES,
  /// Bytes without an order that means anything: intervals.
  UNORDERED_BYTES;

  static ValueKind of(ArrowType type) {
    return switch (type) {
      case ArrowType.Bool() -> BOOLEAN;
      case ArrowType.Int _, ArrowType.Temporal _ -> INTEGER;
      case ArrowType.Decimal(_, _, int bitWidth) -> bitWidth <= Long.SIZE ? INTEGER : WIDE;
      case ArrowType.FloatingPoint _ -> FLOATING_POINT;
      case ArrowType.Interval(IntervalUnit _) -> UNORDERED_BYTES;
      case ArrowType.Bytes _, ArrowType.Text _ -> BYTES;
      case ArrowType.Null(), ArrowType.RunEndEncoded(), ArrowType.Nested _ -> NONE;
    };
  }

  /// Returns whether values have extremes.
  boolean isOrdered() {
    return this != NONE && this != UNORDERED_BYTES;
  }

  /// Returns whether values have a histogram.
  boolean hasBins() {
    return this == INTEGER || this == FLOATING_POINT || this == WIDE;
  }
}
