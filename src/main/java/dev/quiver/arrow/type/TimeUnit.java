package dev.quiver.arrow.type;

/// Units of time, in the order of Schema.fbs.
public enum TimeUnit {
  SECOND("s"),
  MILLISECOND("ms"),
  MICROSECOND("us"),
  NANOSECOND("ns");

  private final String symbol;

  TimeUnit(String symbol) {
    this.symbol = symbol;
  }

  public String symbol() {
    return symbol;
  }
}
