package dev.quiver.arrow.type;

/// An interval of several components. They do not add up to one number, since months differ in days
/// and days in seconds.
public sealed interface IntervalValue {

  record DayTime(int days, int milliseconds) implements IntervalValue {}

  record MonthDayNano(int months, int days, long nanoseconds) implements IntervalValue {}
}
