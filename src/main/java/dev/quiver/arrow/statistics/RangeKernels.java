package dev.quiver.arrow.statistics;

import org.jspecify.annotations.Nullable;

/// The inner loops over numbers. Each extends a range by signed integers on the heap.
///
/// Loops over memory segments would be compiled for all kinds of segments used in the process, and
/// be several times slower.
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

  /// Returns the vector kernels if the JVM was started with their module, otherwise the scalar
  /// ones. The first call loads them.
  static RangeKernels chosen() {
    return Chosen.KERNELS;
  }

  /// Holds the chosen kernels.
  final class Chosen {
    private static final RangeKernels KERNELS =
        ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
            ? new VectorRangeKernels()
            : new ScalarRangeKernels();

    private Chosen() {}
  }
}
