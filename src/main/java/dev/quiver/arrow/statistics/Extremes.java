package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
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
      case BOOLEAN -> new OfBooleans();
      case INTEGER, FLOATING_POINT -> new NumberExtremes(type, memory, kernels);
      case WIDE -> new WideExtremes(NumberKeys.byteWidth(type) * Byte.SIZE, memory, kernels);
      case BYTES -> new BinaryExtremes(type instanceof ArrowType.Text, memory, kernels);
    };
  }

  /// The extremes of booleans: false is less than true.
  final class OfBooleans implements Extremes {

    private final long[] values = new long[SlotMask.LENGTH_MAXIMUM / Long.SIZE];
    private boolean hasFalse;
    private boolean hasTrue;

    @Override
    public long add(ArrayData array, long length, SlotMask mask) {
      MemorySegment data = array.buffer(BufferRole.DATA);
      long count = 0;
      for (long from = 0; from < length; from += SlotMask.LENGTH_MAXIMUM) {
        int blockLength = (int) Math.min(SlotMask.LENGTH_MAXIMUM, length - from);
        count += mask.read(from, blockLength);
        long[] words = mask.words();
        Bitmaps.readWords(data, from, blockLength, values);
        long ones = 0;
        long zeros = 0;
        for (int i = 0; i << 6 < blockLength; i++) {
          ones |= values[i] & words[i];
          zeros |= ~values[i] & words[i];
        }
        hasTrue |= ones != 0;
        hasFalse |= zeros != 0;
      }
      return count;
    }

    @Override
    public @Nullable Bound minimum() {
      return hasFalse ? bound(0) : maximum();
    }

    @Override
    public @Nullable Bound maximum() {
      return hasTrue ? bound(1) : hasFalse ? bound(0) : null;
    }

    private static Bound bound(int value) {
      return new Bound(ByteString.of(new byte[] {(byte) value}), true);
    }
  }
}
