package dev.quiver.arrow.statistics;

/// An estimator of the number of distinct values: a HyperLogLog of 16,384 registers, whose standard
/// error is 0.8 %.
///
/// It depends on the set of values alone, not on their order or on how they are divided. The
/// estimate is the improved one of Otmar Ertl, *New cardinality estimation algorithms for
/// HyperLogLog sketches*, 2017, which has no bias for any number of values.
final class DistinctEstimator {

  private static final int INDEX_BITS = 14;
  private static final int REGISTER_COUNT = 1 << INDEX_BITS;

  /// The greatest number of a register but one.
  private static final int RANK_BITS = Long.SIZE - INDEX_BITS;

  /// 1 / (2 ln 2).
  private static final double FACTOR = 0.721_347_520_444_481_7;

  private final byte[] registers = new byte[REGISTER_COUNT];

  /// @param hash a stable hash of a value
  void add(long hash) {
    int index = (int) (hash >>> RANK_BITS);
    int rank = Long.numberOfLeadingZeros(hash << INDEX_BITS | 1L << INDEX_BITS - 1) + 1;
    if (rank > registers[index]) {
      registers[index] = (byte) rank;
    }
  }

  void merge(DistinctEstimator other) {
    for (int i = 0; i < REGISTER_COUNT; i++) {
      registers[i] = (byte) Math.max(registers[i], other.registers[i]);
    }
  }

  long estimate() {
    int[] counts = new int[RANK_BITS + 2];
    for (byte register : registers) {
      counts[register]++;
    }
    double sum =
        REGISTER_COUNT * tau((double) (REGISTER_COUNT - counts[RANK_BITS + 1]) / REGISTER_COUNT);
    for (int rank = RANK_BITS; rank > 0; rank--) {
      sum = (sum + counts[rank]) / 2;
    }
    sum += REGISTER_COUNT * sigma((double) counts[0] / REGISTER_COUNT);
    return Math.round(FACTOR * REGISTER_COUNT * REGISTER_COUNT / sum);
  }

  private static double sigma(double part) {
    if (part == 1) {
      return Double.POSITIVE_INFINITY;
    }
    double x = part;
    double y = 1;
    double z = x;
    double before;
    do {
      x *= x;
      before = z;
      z += x * y;
      y += y;
    } while (z != before);
    return z;
  }

  private static double tau(double part) {
    if (part == 0 || part == 1) {
      return 0;
    }
    double x = part;
    double y = 1;
    double z = 1 - x;
    double before;
    do {
      x = Math.sqrt(x);
      before = z;
      y /= 2;
      z -= (1 - x) * (1 - x) * y;
    } while (z != before);
    return z / 3;
  }
}
