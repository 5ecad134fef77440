package dev.quiver.arrow.statistics;

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
