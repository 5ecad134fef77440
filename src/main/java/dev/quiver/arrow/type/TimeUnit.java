package dev.quiver.arrow.type;

/// Units of time, in the order of Schema.fbs.
public enum TimeUnit {
  SECOND("s", 1, 0),
  MILLISECOND("ms", 1_000, 3),
  MICROSECOND("us", 1_000_000, 6),
  NANOSECOND("ns", 1_000_000_000, 9);

  private final String symbol;
  private final long perSecond;
  private final int fractionDigits;

  TimeUnit(String symbol, long perSecond, int fractionDigits) {
    this.symbol = symbol;
    this.perSecond = perSecond;
    this.fractionDigits = fractionDigits;
  }

  public String symbol() {
    return symbol;
  }

  /// Returns the number of units in a second.
  public long perSecond() {
    return perSecond;
  }

  /// Returns the number of digits of a fraction of a second.
  public int fractionDigits() {
    return fractionDigits;
  }
}
