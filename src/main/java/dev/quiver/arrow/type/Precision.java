package dev.quiver.arrow.type;

/// The widths of IEEE 754 floating-point numbers, in the order of Schema.fbs.
public enum Precision {
  HALF,
  SINGLE,
  DOUBLE;

  public int bitWidth() {
    return 16 << ordinal();
  }
}
