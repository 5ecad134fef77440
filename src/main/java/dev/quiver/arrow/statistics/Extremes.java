package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.type.ArrowType;
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

  /// Returns whether all values are timestamps in nanoseconds with a zone, and whole microseconds.
  default boolean isWholeMicroseconds() {
    return false;
  }

  /// Returns the extremes of a type without values so far, or null if its values have no order.
  static @Nullable Extremes of(ArrowType type, BlockMemory memory, RangeKernels kernels) {
    return switch (ValueKind.of(type)) {
      case NONE, UNORDERED_BYTES -> null;
      case BOOLEAN -> new BoolExtremes();
      case INTEGER, FLOATING_POINT -> new NumberExtremes(type, memory, kernels);
      case WIDE -> new WideExtremes(NumberKeys.byteWidth(type) * Byte.SIZE, memory, kernels);
      case BYTES -> new BinaryExtremes(type instanceof ArrowType.Text, memory, kernels);
    };
  }
}
