package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Layout;
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
    ValueOrder order = ValueOrder.of(type);
    return switch (order) {
      case null -> null;
      case BYTES ->
          switch (type) {
            case ArrowType.Bool() -> new BoolExtremes();
            case ArrowType.Text _ -> new BinaryExtremes(true, memory, kernels);
            default -> new BinaryExtremes(false, memory, kernels);
          };
      case SIGNED, UNSIGNED, FLOATING_POINT -> {
        int bitWidth = (int) Layout.of(type).buffers().get(1).bitWidth();
        yield bitWidth <= Long.SIZE
            ? new NumberExtremes(bitWidth, order, memory, kernels)
            : new WideExtremes(bitWidth, memory, kernels);
      }
    };
  }
}
