package dev.quiver.statistics;

import dev.quiver.memory.ByteString;
import org.jspecify.annotations.Nullable;

/// Statistics of one leaf column in one record batch.
///
/// A slot under a null struct is null. A null value of a dictionary or of a run is null in every
/// slot that refers to it. Numbers, dates, times, timestamps, durations, booleans, text and binary
/// values have bounds. Intervals, lists and maps have a null count only, and unions not even that.
///
/// @param nullCount null slots, or [#UNKNOWN]
/// @param bounded whether the bounds are known
/// @param minimum a lower bound of all values but NaN. Null if unknown, or if there is no such
///   value.
/// @param maximum an upper bound of all values but NaN. Null if unknown, if there is no such value,
///   or if no short text is greater than the truncated one.
/// @param hasNan whether a value is NaN, if `bounded`
public record ColumnStatistics(
    long nullCount,
    boolean bounded,
    @Nullable Bound minimum,
    @Nullable Bound maximum,
    boolean hasNan) {

  /// The null count of a column whose nulls were not counted.
  public static final long UNKNOWN = -1;

  static final ColumnStatistics NONE = nullsOnly(UNKNOWN);

  static ColumnStatistics nullsOnly(long nullCount) {
    return new ColumnStatistics(nullCount, false, null, null, false);
  }

  /// Returns whether the column is known to have no value other than NaN.
  public boolean isWithoutValues() {
    return bounded && minimum == null;
  }

  /// Returns whether neither bound was truncated.
  public boolean isExact() {
    return (minimum == null || minimum.exact)
        && (maximum == null ? minimum == null : maximum.exact);
  }

  /// A bound of values.
  ///
  /// @param value the bytes of the value: little-endian as in a buffer of its type, one byte for a
  ///   boolean, and at most [#BYTE_SIZE_MAXIMUM] for text and binary values
  /// @param exact whether a value equals the bound
  public record Bound(ByteString value, boolean exact) {

    /// The maximum size of a bound. Longer values are rounded outward.
    public static final int BYTE_SIZE_MAXIMUM = 32;
  }
}
