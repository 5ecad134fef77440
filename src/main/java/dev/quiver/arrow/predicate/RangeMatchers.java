package dev.quiver.arrow.predicate;

/// The inner loops over numbers. Each tells which of the first values lie in a range.
///
/// A value does if, taken as unsigned, its difference from the first number of the range is at most
/// `span`. That holds for signed and unsigned integers alike.
///
/// They run over heap arrays: loops over memory segments would be compiled for all kinds of
/// segments used in the process, and be several times slower. The arrays have whole groups of 64
/// values.
sealed interface RangeMatchers permits ScalarRangeMatchers, VectorRangeMatchers {

  /// Sets the bits of values in the range, and leaves the others as they are.
  ///
  /// @param matched a bit for each value; those past `length` may be set
  void test(byte[] values, int length, byte low, byte span, long[] matched);

  /// As for bytes.
  void test(short[] values, int length, short low, short span, long[] matched);

  /// As for bytes.
  void test(int[] values, int length, int low, int span, long[] matched);

  /// As for bytes.
  void test(long[] values, int length, long low, long span, long[] matched);

  /// Returns the vector matchers if the JVM was started with their module, as the service is,
  /// otherwise the scalar ones: workers start faster without it. The first call loads them.
  static RangeMatchers chosen() {
    return Chosen.MATCHERS;
  }

  /// Holds the chosen matchers.
  final class Chosen {
    private static final RangeMatchers MATCHERS =
        ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
            ? new VectorRangeMatchers()
            : new ScalarRangeMatchers();

    private Chosen() {}
  }
}
