package dev.quiver.arrow.type;

/// Units of dates, in the order of Schema.fbs.
public enum DateUnit {
  DAY,
  MILLISECOND
}
