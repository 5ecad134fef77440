package dev.quiver.arrow.type;

/// The components of an interval, in the order of Schema.fbs.
public enum IntervalUnit {
  YEAR_MONTH(32),
  DAY_TIME(64),
  MONTH_DAY_NANO(128);

  private final int bitWidth;

  IntervalUnit(int bitWidth) {
    this.bitWidth = bitWidth;
  }

  /// Returns the bits of one value: months; days and milliseconds; months, days and nanoseconds.
  public int bitWidth() {
    return bitWidth;
  }
}
