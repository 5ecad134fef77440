package dev.quiver.columnar;

/// An interval of several components, which do not add up to one number: no month has always the
/// same days, no day always the same seconds.
public sealed interface IntervalValue {

  record DayTime(int days, int milliseconds) implements IntervalValue {}

  record MonthDayNano(int months, int days, long nanoseconds) implements IntervalValue {}
}
