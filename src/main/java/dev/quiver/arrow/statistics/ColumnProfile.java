package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statistics of a column over all rows of a version.
///
/// A value is the bytes that a buffer of its type has for it, little-endian: one byte for a
/// boolean, and of text and binary values the first [#KEPT_BYTE_SIZE]. No value is -0.0.
///
/// @param nullCount slots that are null or below a null struct; of a dictionary or of runs, also
///   slots that refer to a null
/// @param nanCount slots that are NaN
/// @param infiniteCount slots that are infinite
/// @param minimum the least value but NaN, or null without any or without an order
/// @param maximum the greatest value but NaN, or null without any or without an order
/// @param distinctCount the number of distinct values, of which NaN is one: exact if `frequent` is
///   present, otherwise an estimate. Null if values are not compared.
/// @param numbers null if the type has no histogram, or without a finite value
/// @param textLength null of other values than text, and without values
/// @param histogram null if the type has none
/// @param frequent the most frequent values, the most frequent one first and equally frequent ones
///   in their order. Null if values are not compared, or if too many are distinct.
public record ColumnProfile(
    long nullCount,
    long nanCount,
    long infiniteCount,
    @Nullable ByteString minimum,
    @Nullable ByteString maximum,
    @Nullable Long distinctCount,
    @Nullable Numbers numbers,
    @Nullable TextLength textLength,
    @Nullable Histogram histogram,
    @Nullable List<FrequentValue> frequent) {

  /// The number of bytes after which a text or binary value is cut.
  public static final int VALUE_BYTE_SIZE_MAXIMUM = 256;

  /// The bytes of a value that are kept: one more, to see whether it is cut.
  static final int KEPT_BYTE_SIZE = VALUE_BYTE_SIZE_MAXIMUM + 1;

  /// The maximum number of frequent values.
  static final int FREQUENT_MAXIMUM = 10;

  /// The maximum number of bins.
  static final int BINS_MAXIMUM = 20;

  public ColumnProfile {
    frequent = frequent == null ? null : List.copyOf(frequent);
  }

  /// A value and the number of its slots.
  public record FrequentValue(ByteString value, long count) {}

  /// The mean of the finite values, how far they are from it, and where the middle half of them
  /// lies.
  ///
  /// @param mean of integers and decimals with 17 digits, otherwise a double. Null of dates, times
  ///   and durations
  /// @param deviation the standard deviation of a sample. Null like the mean, of fewer than two
  ///   values, and beyond the numbers of a double
  /// @param firstQuartile a quarter of the way from the least value to the greatest, counted in
  ///   values, and the rest of the way between two of them. Of dates, times and durations, the
  ///   lower one of both, as its integer
  /// @param median half of the way
  /// @param thirdQuartile three quarters of the way
  public record Numbers(
      @Nullable BigDecimal mean,
      @Nullable BigDecimal deviation,
      BigDecimal firstQuartile,
      BigDecimal median,
      BigDecimal thirdQuartile) {}

  /// The lengths of the texts in characters, which are code points of Unicode.
  public record TextLength(long minimum, long maximum, double mean) {}

  /// The finite values by their size.
  ///
  /// @param boundaries one more than there are bins: each bin has the values from its boundary up
  ///   to the next one, which the last one includes. Empty without values.
  /// @param counts the values of each bin
  public record Histogram(List<ByteString> boundaries, List<Long> counts) {

    public Histogram {
      boundaries = List.copyOf(boundaries);
      counts = List.copyOf(counts);
    }
  }
}
