package dev.quiver.arrow.text;

import dev.quiver.arrow.type.TimeUnit;
import java.io.IOException;

/// Dates, times and durations in ISO 8601, for every value that a slot can hold.
///
/// Fractions have as many digits as the unit: 3, 6, 9 or none. Years follow the proleptic Gregorian
/// calendar, including the year 0. Years after 9999 have a `+`, years before 0 a `-`. No calendar
/// class of Java covers the years that 64 bits of seconds reach.
final class IsoText {

  private static final long SECONDS_PER_DAY = 86_400;
  private static final int DAYS_PER_CYCLE = 146_097;
  private static final int YEARS_PER_CYCLE = 400;

  /// Days from 0000-03-01 to 1970-01-01.
  private static final int EPOCH_DAYS = 719_468;

  /// Days from 0000-03-01 to 10000-01-01.
  private static final int PLAIN_DAYS_END = 3_652_365;

  /// Room for a date or a time of day, and for the bytes overwritten later.
  private static final int ROOM = 24;

  private static final long DASH = '-';
  private static final long COLON = ':';

  private IsoText() {}

  /// Writes a number of days since 1970-01-01 as a date.
  static void date(long epochDay, TextOutput output) throws IOException {
    // A year that starts in March has the leap day at its end.
    long days = epochDay + EPOCH_DAYS;
    if (days >= 0 && days < PLAIN_DAYS_END) {
      plainDate((int) days, output);
      return;
    }
    long cycle = Math.floorDiv(days, DAYS_PER_CYCLE);
    int dayOfCycle = (int) Math.floorMod(days, DAYS_PER_CYCLE);
    int yearOfCycle =
        (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365;
    int dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100);
    int monthFromMarch = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
    int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
    year(cycle * YEARS_PER_CYCLE + yearOfCycle + (month <= 2 ? 1 : 0), output);
    output.put('-');
    output.putPadded(month, 2);
    output.put('-');
    output.putPadded(day, 2);
  }

  /// Writes a date of the years 0 to 9999 by 32-bit products: see Cassio Neri and Lorenz Schneider,
  /// *Euclidean affine functions and their application to calendar algorithms*.
  private static void plainDate(int days, TextOutput output) throws IOException {
    int quarters = 4 * days + 3;
    int century = quarters / DAYS_PER_CYCLE;
    int quartersOfCentury = quarters % DAYS_PER_CYCLE | 3;
    long product = 2_939_745L * quartersOfCentury;
    int yearOfCentury = (int) (product >>> 32);
    int dayOfYear = (int) ((product & 0xFFFF_FFFFL) / 2_939_745 / 4);
    int monthAndDay = 2_141 * dayOfYear + 197_913;
    int monthFromMarch = monthAndDay >>> 16;
    int day = (monthAndDay & 0xFFFF) / 2_141 + 1;
    int nextYear = dayOfYear >= 306 ? 1 : 0;
    int year = 100 * century + yearOfCentury + nextYear;
    int month = monthFromMarch - 12 * nextYear;
    output.ensure(ROOM);
    output.word(
        Digits.pair(year / 100)
            | Digits.pair(year % 100) << 16
            | DASH << 32
            | Digits.pair(month) << 40
            | DASH << 56,
        Long.BYTES);
    output.word(Digits.pair(day), 2);
  }

  private static void year(long year, TextOutput output) throws IOException {
    if (year < 0) {
      output.put('-');
    } else if (year > 9_999) {
      output.put('+');
    }
    output.putPadded(Math.abs(year), 4);
  }

  /// Writes a number of units since midnight as a time of day. Outside of a day, it has more hours
  /// or a sign.
  static void time(long value, TimeUnit unit, TextOutput output) throws IOException {
    if (value < 0) {
      output.put('-');
    }
    long magnitude = Math.abs(value);
    long perSecond = unit.perSecond();
    long seconds = Long.divideUnsigned(magnitude, perSecond);
    if (seconds >= 0 && seconds < SECONDS_PER_DAY) {
      timeOfDay((int) seconds, output);
    } else {
      output.putPadded(seconds / 3_600, 2);
      output.put(':');
      output.putPadded(seconds / 60 % 60, 2);
      output.put(':');
      output.putPadded(seconds % 60, 2);
    }
    fraction((int) (magnitude - seconds * perSecond), unit, output);
  }

  private static void timeOfDay(int seconds, TextOutput output) throws IOException {
    int minutes = seconds / 60;
    int hours = minutes / 60;
    output.ensure(ROOM);
    output.word(
        Digits.pair(hours)
            | COLON << 16
            | Digits.pair(minutes - hours * 60) << 24
            | COLON << 40
            | Digits.pair(seconds - minutes * 60) << 48,
        Long.BYTES);
  }

  /// Writes a number of units since 1970-01-01T00:00:00 as a date and time.
  static void timestamp(long value, TimeUnit unit, TextOutput output) throws IOException {
    // The compiler turns a division by a constant into a multiplication.
    long seconds =
        switch (unit) {
          case SECOND -> value;
          case MILLISECOND -> Math.floorDiv(value, 1_000L);
          case MICROSECOND -> Math.floorDiv(value, 1_000_000L);
          case NANOSECOND -> Math.floorDiv(value, 1_000_000_000L);
        };
    long days = Math.floorDiv(seconds, SECONDS_PER_DAY);
    date(days, output);
    output.put('T');
    timeOfDay((int) (seconds - days * SECONDS_PER_DAY), output);
    fraction((int) (value - seconds * unit.perSecond()), unit, output);
  }

  private static void fraction(int fraction, TimeUnit unit, TextOutput output) throws IOException {
    if (unit == TimeUnit.SECOND) {
      return;
    }
    output.ensure(ROOM);
    output.word('.', 1);
    int digits = unit.fractionDigits();
    if (digits > Long.BYTES) {
      output.word(Digits.eight(fraction / 10) | Digits.ASCII, Long.BYTES);
      output.word('0' + fraction % 10, 1);
    } else {
      output.word((Digits.eight(fraction) | Digits.ASCII) >>> (Long.BYTES - digits << 3), digits);
    }
  }

  /// Writes a duration of `count` units in seconds, without months or days.
  static void duration(long count, TimeUnit unit, TextOutput output) throws IOException {
    interval(0, 0, count, unit, output);
  }

  /// Writes an interval. Zero components are omitted. Each component has its own sign, since none
  /// converts into another.
  static void interval(int months, int days, long count, TimeUnit unit, TextOutput output)
      throws IOException {
    output.put('P');
    if (months != 0) {
      output.putInteger(months);
      output.put('M');
    }
    if (days != 0) {
      output.putInteger(days);
      output.put('D');
    }
    if (count != 0 || months == 0 && days == 0) {
      output.put('T');
      seconds(count, unit, output);
      output.put('S');
    }
  }

  private static void seconds(long count, TimeUnit unit, TextOutput output) throws IOException {
    if (count < 0) {
      output.put('-');
    }
    long magnitude = Math.abs(count);
    output.putUnsigned(Long.divideUnsigned(magnitude, unit.perSecond()));
    long fraction = Long.remainderUnsigned(magnitude, unit.perSecond());
    int digits = unit.fractionDigits();
    if (fraction != 0) {
      while (fraction % 10 == 0) {
        fraction /= 10;
        digits--;
      }
      output.put('.');
      output.putPadded(fraction, digits);
    }
  }
}
