package dev.quiver.formats.parquet.file;

import org.jspecify.annotations.Nullable;

/// The meaning of stored values.
public sealed interface LogicalType {

  /// The unit of times and timestamps.
  enum Unit {
    MILLISECONDS,
    MICROSECONDS,
    NANOSECONDS
  }

  /// No meaning beyond the physical type, or an unknown one.
  record None() implements LogicalType {}

  /// Text in UTF-8: the types `STRING` and `ENUM`.
  record Text() implements LogicalType {}

  record Json() implements LogicalType {}

  record Bson() implements LogicalType {}

  /// A shape in the form of well-known binary.
  ///
  /// @param crs its coordinate reference system, or null for longitudes and latitudes
  record Geometry(@Nullable String crs) implements LogicalType {}

  /// A shape on an ellipsoid, in the form of well-known binary.
  ///
  /// @param crs its coordinate reference system, or null for longitudes and latitudes
  record Geography(@Nullable String crs) implements LogicalType {}

  /// A value of any type, in a group.
  record Variant() implements LogicalType {}

  record Uuid() implements LogicalType {}

  record List() implements LogicalType {}

  record Map() implements LogicalType {}

  record Date() implements LogicalType {}

  record Interval() implements LogicalType {}

  record Float16() implements LogicalType {}

  record Decimal(int precision, int scale) implements LogicalType {}

  record Time(Unit unit) implements LogicalType {}

  record Timestamp(Unit unit, boolean isUtc) implements LogicalType {}

  record Int(int bitWidth, boolean signed) implements LogicalType {}
}
