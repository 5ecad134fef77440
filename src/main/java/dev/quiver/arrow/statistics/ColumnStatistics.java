package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// Statistics of one leaf column in one record batch.
///
/// A slot under a null struct is null. A null value of a dictionary or of a run is null in every
/// slot that refers to it. Numbers, dates, times, timestamps, durations, booleans, text and binary
/// values have bounds. Intervals, lists and maps have a null count only, and unions not even that.
///
/// @param nullCount null slots, or [#UNKNOWN]
/// @param bounded whether the bounds are known
/// @param minimum a lower bound of all values but NaN. Null if unknown, or without such a value.
/// @param maximum an upper bound of all values but NaN. Null if unknown, without such a value, or
///   if no short text is greater than the truncated one.
/// @param hasNan whether a value is NaN, if `bounded`
/// @param isWholeMicroseconds whether all timestamps in nanoseconds with a zone, at any depth, are
///   known to be whole microseconds. False in a column without such a type.
public record ColumnStatistics(
    long nullCount,
    boolean bounded,
    @Nullable Bound minimum,
    @Nullable Bound maximum,
    boolean hasNan,
    boolean isWholeMicroseconds) {

  /// The null count of a column whose nulls were not counted.
  public static final long UNKNOWN = -1;

  static final ColumnStatistics NONE = nullsOnly(UNKNOWN);

  static ColumnStatistics nullsOnly(long nullCount) {
    return new ColumnStatistics(nullCount, false, null, null, false, false);
  }

  ColumnStatistics withWholeMicroseconds(boolean whole) {
    return new ColumnStatistics(nullCount, bounded, minimum, maximum, hasNan, whole);
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

  /// Returns the statistics of this column in two batches.
  ///
  /// @param order the order of its values, or null if they have none
  ColumnStatistics merged(ColumnStatistics other, @Nullable Comparator<ByteString> order) {
    return mergedBounds(other, order)
        .withWholeMicroseconds(isWholeMicroseconds && other.isWholeMicroseconds);
  }

  private ColumnStatistics mergedBounds(
      ColumnStatistics other, @Nullable Comparator<ByteString> order) {
    long nulls = nullCount < 0 || other.nullCount < 0 ? UNKNOWN : nullCount + other.nullCount;
    if (!bounded || !other.bounded) {
      return nullsOnly(nulls);
    }
    boolean eitherHasNan = hasNan || other.hasNan;
    if (isWithoutValues() || other.isWithoutValues()) {
      ColumnStatistics values = isWithoutValues() ? other : this;
      return new ColumnStatistics(nulls, true, values.minimum, values.maximum, eitherHasNan, false);
    }
    if (order == null) {
      return nullsOnly(nulls);
    }
    return new ColumnStatistics(
        nulls,
        true,
        further(minimum, other.minimum, order.reversed()),
        further(maximum, other.maximum, order),
        eitherHasNan,
        false);
  }

  /// Returns the greater bound in an order, or null if either is unknown.
  private static @Nullable Bound further(
      @Nullable Bound a, @Nullable Bound b, Comparator<ByteString> order) {
    if (a == null || b == null) {
      return null;
    }
    int comparison = order.compare(a.value, b.value);
    return comparison == 0 ? new Bound(a.value, a.exact || b.exact) : comparison > 0 ? a : b;
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
