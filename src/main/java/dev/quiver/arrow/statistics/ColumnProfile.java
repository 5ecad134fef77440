package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
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
