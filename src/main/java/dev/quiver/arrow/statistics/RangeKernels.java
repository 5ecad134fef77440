package dev.quiver.arrow.statistics;

import dev.quiver.arrow.validate.kernel.VectorModule;
import org.jspecify.annotations.Nullable;

/// The inner loops over numbers. Some extend a range by signed integers, and others tell which
/// values lie in a range.
///
/// They run over heap arrays: loops over memory segments would be compiled for all kinds of
/// segments used in the process, and be several times slower.
sealed interface RangeKernels permits ScalarRangeKernels, VectorRangeKernels {

  /// Extends a range by the first values.
  ///
  /// @param words a bit for each value to consider, zero past `length`; null for all values
  void extend(byte[] values, int length, long @Nullable [] words, LongRange range);

  /// As for bytes.
  void extend(short[] values, int length, long @Nullable [] words, LongRange range);

  /// As for bytes.
  void extend(int[] values, int length, long @Nullable [] words, LongRange range);

  /// As for bytes.
  void extend(long[] values, int length, long @Nullable [] words, LongRange range);

  /// Replaces the values outside of a range.
  void replaceOutside(short[] values, int length, short least, short greatest, short replacement);

  /// Replaces the values outside of a range.
  void replaceOutside(int[] values, int length, int least, int greatest, int replacement);

  /// Replaces the values outside of a range.
  void replaceOutside(long[] values, int length, long least, long greatest, long replacement);

  /// Sets the bits of values in a range, and leaves the others as they are. A value lies in the
  /// range if, taken as unsigned, its difference from `low` is at most `span`. That holds for
  /// signed and unsigned integers alike.
  ///
  /// @param values whole groups of 64 values
  /// @param matched a bit for each value; those past `length` may be set
  void test(byte[] values, int length, byte low, byte span, long[] matched);

  /// As for bytes.
  void test(short[] values, int length, short low, short span, long[] matched);

  /// As for bytes.
  void test(int[] values, int length, int low, int span, long[] matched);

  /// As for bytes.
  void test(long[] values, int length, long low, long span, long[] matched);

  /// Returns the vector kernels if their module is present, as in the service, otherwise the scalar
  /// ones: workers start faster without it. The first call loads them.
  static RangeKernels chosen() {
    return Chosen.KERNELS;
  }

  /// Holds the chosen kernels.
  final class Chosen {
    private static final RangeKernels KERNELS =
        VectorModule.isPresent() ? new VectorRangeKernels() : new ScalarRangeKernels();

    private Chosen() {}
  }

  /// The smallest and the largest of some numbers.
  final class LongRange {

    long minimum;
    long maximum;

    LongRange() {
      clear();
    }

    void clear() {
      minimum = Long.MAX_VALUE;
      maximum = Long.MIN_VALUE;
    }

    void add(long least, long greatest) {
      minimum = Math.min(minimum, least);
      maximum = Math.max(maximum, greatest);
    }
  }
}
