package dev.quiver.arrow.type;

import org.jspecify.annotations.Nullable;

/// A logical type with its parameters: a member of the `Type` union of Schema.fbs.
///
/// Children belong to the [Field], not to the type. `toString` returns the type as the Arrow
/// documentation writes it, such as `timestamp[us, UTC]`. Constructors reject parameters outside
/// the format with an [IllegalArgumentException]; readers check input beforehand.
public sealed interface ArrowType {

  /// A type whose slots have a fixed number of bytes: fixed-size primitive layout (Columnar.rst).
  sealed interface FixedWidth extends ArrowType
      permits Int,
          FloatingPoint,
          Decimal,
          Date,
          Time,
          Timestamp,
          Duration,
          Interval,
          FixedSizeBinary {}

  /// A date, a time of day, a moment or a duration.
  sealed interface Temporal extends ArrowType permits Date, Time, Timestamp, Duration {}

  /// UTF-8 of any layout.
  sealed interface Text extends ArrowType permits Utf8, LargeUtf8, Utf8View {}

  /// Bytes of any layout.
  sealed interface Bytes extends ArrowType
      permits Binary, LargeBinary, BinaryView, FixedSizeBinary {}

  /// Text or bytes delimited by offsets: variable-size binary layout (Columnar.rst).
  sealed interface VariableBytes extends ArrowType permits Binary, Utf8, LargeBinary, LargeUtf8 {}

  /// Text or bytes as views: variable-size binary view layout (Columnar.rst).
  sealed interface ViewBytes extends ArrowType permits BinaryView, Utf8View {}

  /// Lists delimited by offsets: variable-size list layout (Columnar.rst).
  sealed interface VariableList extends ArrowType permits List, LargeList, Map {}

  /// Lists as offsets and sizes: list view layout (Columnar.rst).
  sealed interface ViewList extends ArrowType permits ListView, LargeListView {}

  /// Lists of any layout, without maps.
  sealed interface ListLike extends ArrowType
      permits List, LargeList, ListView, LargeListView, FixedSizeList {}

  /// A type whose values consist of values of its children.
  sealed interface Nested extends ArrowType
      permits List, LargeList, ListView, LargeListView, FixedSizeList, Map, Struct, Union {}

  record Null() implements ArrowType {
    @Override
    public String toString() {
      return "null";
    }
  }

  /// A signed integer in two's complement, or an unsigned integer.
  record Int(int bitWidth, boolean signed) implements FixedWidth {
    public Int {
      require(
          bitWidth == 8 || bitWidth == 16 || bitWidth == 32 || bitWidth == 64,
          "bitWidth 8, 16, 32 or 64",
          bitWidth);
    }

    @Override
    public String toString() {
      return (signed ? "int" : "uint") + bitWidth;
    }
  }

  record FloatingPoint(Precision precision) implements FixedWidth {
    @Override
    public String toString() {
      return "float" + precision.bitWidth();
    }
  }

  record Binary() implements Bytes, VariableBytes {
    @Override
    public String toString() {
      return "binary";
    }
  }

  record Utf8() implements Text, VariableBytes {
    @Override
    public String toString() {
      return "utf8";
    }
  }

  record Bool() implements ArrowType {
    @Override
    public String toString() {
      return "bool";
    }
  }

  /// An integer in two's complement, divided by ten to the power of `scale`.
  record Decimal(int precision, int scale, int bitWidth) implements FixedWidth {
    public Decimal {
      require(
          bitWidth == 32 || bitWidth == 64 || bitWidth == 128 || bitWidth == 256,
          "bitWidth 32, 64, 128 or 256",
          bitWidth);
      require(
          precision >= 1 && precision <= maximumPrecision(bitWidth),
          "precision 1 to " + maximumPrecision(bitWidth),
          precision);
    }

    /// Returns the largest number of decimal digits that `bitWidth` bits can always hold.
    public static int maximumPrecision(int bitWidth) {
      return switch (bitWidth) {
        case 32 -> 9;
        case 64 -> 18;
        case 128 -> 38;
        default -> 76;
      };
    }

    @Override
    public String toString() {
      return "decimal%d(%d, %d)".formatted(bitWidth, precision, scale);
    }
  }

  /// Days, or milliseconds that are whole days, since 1970-01-01.
  record Date(DateUnit unit) implements FixedWidth, Temporal {
    @Override
    public String toString() {
      return unit == DateUnit.DAY ? "date32[day]" : "date64[ms]";
    }
  }

  /// Time since midnight: 32 bits for seconds and milliseconds, 64 for the finer units.
  record Time(TimeUnit unit, int bitWidth) implements FixedWidth, Temporal {
    public Time {
      int needed = bitWidthOf(unit);
      require(bitWidth == needed, "bitWidth " + needed + " for " + unit, bitWidth);
    }

    /// Returns the bit width that the format prescribes for `unit`.
    public static int bitWidthOf(TimeUnit unit) {
      return switch (unit) {
        case SECOND, MILLISECOND -> 32;
        case MICROSECOND, NANOSECOND -> 64;
      };
    }

    @Override
    public String toString() {
      return "time%d[%s]".formatted(bitWidth, unit.symbol());
    }
  }

  /// Time since 1970-01-01T00:00:00: in UTC if it has a timezone, otherwise in an unspecified zone.
  record Timestamp(TimeUnit unit, @Nullable String timezone) implements FixedWidth, Temporal {

    /// Returns whether this counts nanoseconds in UTC.
    public boolean isZonedNanoseconds() {
      return unit == TimeUnit.NANOSECOND && timezone != null && !timezone.isEmpty();
    }

    @Override
    public String toString() {
      return timezone == null
          ? "timestamp[%s]".formatted(unit.symbol())
          : "timestamp[%s, %s]".formatted(unit.symbol(), timezone);
    }
  }

  record Interval(IntervalUnit unit) implements FixedWidth {
    @Override
    public String toString() {
      return switch (unit) {
        case YEAR_MONTH -> "interval[year_month]";
        case DAY_TIME -> "interval[day_time]";
        case MONTH_DAY_NANO -> "interval[month_day_nano]";
      };
    }
  }

  record List() implements VariableList, ListLike, Nested {
    @Override
    public String toString() {
      return "list";
    }
  }

  record Struct() implements Nested {
    @Override
    public String toString() {
      return "struct";
    }
  }

  /// One of several types per slot; `typeIds` holds the id of each child, in child order.
  record Union(UnionMode mode, java.util.List<Integer> typeIds) implements Nested {
    public Union {
      typeIds = java.util.List.copyOf(typeIds);
      for (int typeId : typeIds) {
        require(typeId >= 0 && typeId <= Byte.MAX_VALUE, "type id 0 to 127", typeId);
      }
      require(typeIds.stream().distinct().count() == typeIds.size(), "distinct type ids", typeIds);
    }

    @Override
    public String toString() {
      return mode == UnionMode.SPARSE ? "sparse_union" : "dense_union";
    }
  }

  record FixedSizeBinary(int byteWidth) implements FixedWidth, Bytes {
    public FixedSizeBinary {
      require(byteWidth >= 0, "byteWidth 0 or more", byteWidth);
    }

    @Override
    public String toString() {
      return "fixed_size_binary[" + byteWidth + "]";
    }
  }

  record FixedSizeList(int listSize) implements ListLike, Nested {
    public FixedSizeList {
      require(listSize >= 0, "listSize 0 or more", listSize);
    }

    @Override
    public String toString() {
      return "fixed_size_list[" + listSize + "]";
    }
  }

  /// A list of entries, each a struct of a key and a value.
  record Map(boolean keysSorted) implements VariableList, Nested {
    @Override
    public String toString() {
      return keysSorted ? "map[keys sorted]" : "map";
    }
  }

  record Duration(TimeUnit unit) implements FixedWidth, Temporal {
    @Override
    public String toString() {
      return "duration[" + unit.symbol() + "]";
    }
  }

  record LargeBinary() implements Bytes, VariableBytes {
    @Override
    public String toString() {
      return "large_binary";
    }
  }

  record LargeUtf8() implements Text, VariableBytes {
    @Override
    public String toString() {
      return "large_utf8";
    }
  }

  record LargeList() implements VariableList, ListLike, Nested {
    @Override
    public String toString() {
      return "large_list";
    }
  }

  record RunEndEncoded() implements ArrowType {
    @Override
    public String toString() {
      return "run_end_encoded";
    }
  }

  record BinaryView() implements Bytes, ViewBytes {
    @Override
    public String toString() {
      return "binary_view";
    }
  }

  record Utf8View() implements Text, ViewBytes {
    @Override
    public String toString() {
      return "utf8_view";
    }
  }

  record ListView() implements ViewList, ListLike, Nested {
    @Override
    public String toString() {
      return "list_view";
    }
  }

  record LargeListView() implements ViewList, ListLike, Nested {
    @Override
    public String toString() {
      return "large_list_view";
    }
  }

  private static void require(boolean holds, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException("Expected " + expected + " but found " + found);
    }
  }
}
