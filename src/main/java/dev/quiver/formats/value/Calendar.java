package dev.quiver.formats.value;

/// Days of the proleptic Gregorian calendar, with the year 0, and times of a day.
final class Calendar {

  static final long SECONDS_PER_DAY = 86_400;

  private static final int[] DAYS_OF_MONTHS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  private static final int DAYS_PER_CYCLE = 146_097;
  private static final int YEARS_PER_CYCLE = 400;

  /// Days from 0000-03-01 to 1970-01-01.
  private static final int EPOCH_DAYS = 719_468;

  private Calendar() {}

  static boolean isLeap(long year) {
    return (year & 3) == 0 && (year % 100 != 0 || year % YEARS_PER_CYCLE == 0);
  }

  static boolean isDay(long year, int month, int day) {
    return month >= 1
        && month <= 12
        && day >= 1
        && (day <= DAYS_OF_MONTHS[month - 1] || month == 2 && day == 29 && isLeap(year));
  }

  /// Returns the days from 1970-01-01 to a day.
  static long epochDay(long year, int month, int day) {
    // A year that starts in March has the leap day at its end.
    long shifted = month <= 2 ? year - 1 : year;
    long cycle = Math.floorDiv(shifted, YEARS_PER_CYCLE);
    long yearOfCycle = shifted - cycle * YEARS_PER_CYCLE;
    int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    long dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear;
    return cycle * DAYS_PER_CYCLE + dayOfCycle - EPOCH_DAYS;
  }

  static boolean isTime(int hour, int minute, int second) {
    return hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  }

  static long secondOfDay(int hour, int minute, int second) {
    return (hour * 60L + minute) * 60 + second;
  }
}
