package dev.quiver.statistics;

import dev.quiver.columnar.ArrowType;
import dev.quiver.memory.ByteString;
import dev.quiver.statistics.ColumnStatistics.Bound;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// The order of the bytes of bounds.
public enum ValueOrder implements Comparator<ByteString> {
  /// Little-endian integers in two's complement.
  SIGNED {
    @Override
    public int compare(ByteString a, ByteString b) {
      return compareReversed(a.toByteArray(), b.toByteArray(), Byte.MIN_VALUE);
    }
  },
  /// Little-endian unsigned integers.
  UNSIGNED {
    @Override
    public int compare(ByteString a, ByteString b) {
      return compareReversed(a.toByteArray(), b.toByteArray(), (byte) 0);
    }
  },
  /// Little-endian floating-point numbers, none of them NaN or -0.0.
  FLOATING_POINT {
    @Override
    public int compare(ByteString a, ByteString b) {
      byte[] first = a.toByteArray();
      byte[] second = b.toByteArray();
      boolean bothNegative = first[first.length - 1] < 0 && second[second.length - 1] < 0;
      int order = compareReversed(first, second, Byte.MIN_VALUE);
      return bothNegative ? -order : order;
    }
  },
  /// Text and binary values, booleans.
  BYTES {
    @Override
    public int compare(ByteString a, ByteString b) {
      return Arrays.compareUnsigned(a.toByteArray(), b.toByteArray());
    }
  };

  /// Returns the order of the values of a type, or any order if they have no bounds.
  public static ValueOrder of(ArrowType type) {
    return switch (type) {
      case ArrowType.Int(_, boolean signed) -> signed ? SIGNED : UNSIGNED;
      case ArrowType.FloatingPoint _ -> FLOATING_POINT;
      case ArrowType.Decimal _,
          ArrowType.Date _,
          ArrowType.Time _,
          ArrowType.Timestamp _,
          ArrowType.Duration _ ->
          SIGNED;
      case ArrowType.Bool(),
          ArrowType.Binary(),
          ArrowType.LargeBinary(),
          ArrowType.BinaryView(),
          ArrowType.FixedSizeBinary _,
          ArrowType.Utf8(),
          ArrowType.LargeUtf8(),
          ArrowType.Utf8View(),
          ArrowType.Null(),
          ArrowType.Interval _,
          ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.FixedSizeList _,
          ArrowType.Map _,
          ArrowType.Struct(),
          ArrowType.Union _,
          ArrowType.RunEndEncoded() ->
          BYTES;
    };
  }

  /// Returns the statistics of a column of two batches.
  ColumnStatistics merged(ColumnStatistics a, ColumnStatistics b) {
    long nullCount =
        a.nullCount() < 0 || b.nullCount() < 0
            ? ColumnStatistics.UNKNOWN
            : a.nullCount() + b.nullCount();
    if (!a.bounded() || !b.bounded()) {
      return ColumnStatistics.nullsOnly(nullCount);
    }
    boolean hasNan = a.hasNan() || b.hasNan();
    if (a.isWithoutValues() || b.isWithoutValues()) {
      ColumnStatistics values = a.isWithoutValues() ? b : a;
      return new ColumnStatistics(nullCount, true, values.minimum(), values.maximum(), hasNan);
    }
    return new ColumnStatistics(
        nullCount,
        true,
        further(a.minimum(), b.minimum(), -1),
        further(a.maximum(), b.maximum(), 1),
        hasNan);
  }

  /// Returns the bound that is further away, or null if either is.
  private @Nullable Bound further(@Nullable Bound a, @Nullable Bound b, int direction) {
    if (a == null || b == null) {
      return null;
    }
    int order = compare(a.value(), b.value()) * direction;
    return order == 0 ? new Bound(a.value(), a.exact() || b.exact()) : order > 0 ? a : b;
  }

  private static int compareReversed(byte[] a, byte[] b, byte signFlip) {
    int last = a.length - 1;
    int order = Integer.compare((a[last] ^ signFlip) & 0xFF, (b[last] ^ signFlip) & 0xFF);
    for (int i = last - 1; order == 0 && i >= 0; i--) {
      order = Integer.compare(a[i] & 0xFF, b[i] & 0xFF);
    }
    return order;
  }
}
