package dev.quiver.statistics;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DateUnit;
import dev.quiver.memory.BlockMemory;
import dev.quiver.statistics.ColumnStatistics.Bound;
import org.jspecify.annotations.Nullable;

/// The smallest and the largest value of some arrays of one type.
interface Extremes {

  /// Adds the considered values of an array.
  ///
  /// @return how many there are
  long add(ArrayData array, long length, SlotMask mask);

  /// Returns the lower bound, or null without values.
  @Nullable Bound minimum();

  /// Returns the upper bound, or null without values.
  @Nullable Bound maximum();

  /// Returns whether a value is NaN.
  default boolean hasNan() {
    return false;
  }

  /// Returns the extremes of a type without values so far, or null if its values have no order.
  static @Nullable Extremes of(ArrowType type, BlockMemory memory, RangeKernels kernels) {
    return switch (type) {
      case ArrowType.Bool() -> new BoolExtremes();
      case ArrowType.Int(int bitWidth, boolean signed) ->
          new NumberExtremes(
              bitWidth,
              signed ? NumberExtremes.Order.SIGNED : NumberExtremes.Order.UNSIGNED,
              memory,
              kernels);
      case ArrowType.FloatingPoint(var precision) ->
          new NumberExtremes(
              precision.bitWidth(), NumberExtremes.Order.FLOATING_POINT, memory, kernels);
      case ArrowType.Decimal(_, _, int bitWidth) ->
          bitWidth <= Long.SIZE
              ? new NumberExtremes(bitWidth, NumberExtremes.Order.SIGNED, memory, kernels)
              : new WideExtremes(bitWidth, memory, kernels);
      case ArrowType.Date(DateUnit unit) ->
          new NumberExtremes(
              unit == DateUnit.DAY ? 32 : 64, NumberExtremes.Order.SIGNED, memory, kernels);
      case ArrowType.Time(_, int bitWidth) ->
          new NumberExtremes(bitWidth, NumberExtremes.Order.SIGNED, memory, kernels);
      case ArrowType.Timestamp _, ArrowType.Duration _ ->
          new NumberExtremes(Long.SIZE, NumberExtremes.Order.SIGNED, memory, kernels);
      case ArrowType.Binary(),
          ArrowType.LargeBinary(),
          ArrowType.BinaryView(),
          ArrowType.FixedSizeBinary _ ->
          new BinaryExtremes(false, memory, kernels);
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Utf8View() ->
          new BinaryExtremes(true, memory, kernels);
      case ArrowType.Null(),
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
          null;
    };
  }
}
