package dev.quiver.formats.value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A format of dates and times, such as `%d.%m.%Y %H:%M`, as of the function `strptime` in POSIX.
///
/// | directive | what it reads |
/// | --- | --- |
/// | `%Y` `%y` | a year of four digits; of two, from 1969 to 2068 |
/// | `%m` `%d` `%e` `%j` | the number of a month, of a day in it (`%e` likewise), of a day in the year |
/// | `%B` `%b` | the English name of a month or its first three letters, in any case |
/// | `%A` `%a` | the English name of a day of the week or its first three letters, which is not compared with the date |
/// | `%H` `%I` `%p` | an hour, an hour up to 12, `AM` or `PM` in any case |
/// | `%M` `%S` | a minute, a second |
/// | `%f` `%g` `%n` | digits after the second, as a fraction of it: at most six, three and nine |
/// | `%z` | an offset from UTC |
/// | `%x` `%F`, `%X` `%T`, `%R` | `%Y-%m-%d`, `%H:%M:%S`, `%H:%M` |
/// | `%c` | `%Y-%m-%d %H:%M:%S` |
/// | `%%` | a percent sign |
///
/// Numbers may lack leading zeros; a hyphen after the percent sign, as in `%-d`, says the same.
/// Other characters stand for themselves, and a space for any number of them.
public final class TimeFormat {

  /// The English names of months, in lower case.
  static final List<String> MONTHS =
      List.of(
          "january",
          "february",
          "march",
          "april",
          "may",
          "june",
          "july",
          "august",
          "september",
          "october",
          "november",
          "december");

  private static final List<String> DAYS =
      List.of("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday");

  private static final List<String> HALVES = List.of("am", "pm");

  /// The letters of a name that is abbreviated.
  static final int ABBREVIATION_LENGTH = 3;

  private static final String DIRECTIVES = "YymdejBbAaHIpMSfgnz";
  private static final Pattern DIRECTIVE = Pattern.compile("%.");
  private static final String DATE = "%Y-%m-%d";
  private static final String TIME = "%H:%M:%S";
  private static final String MINUTE = "%H:%M";

  /// The year from which on two digits are of the last century.
  private static final int CENTURY_START = 69;

  /// Directives, and characters that stand for themselves, which are negative.
  private final List<Integer> steps;

  private TimeFormat(List<Integer> steps) {
    this.steps = List.copyOf(steps);
  }

  /// Returns the format that a text describes, or null if it has an unknown directive.
  public static @Nullable TimeFormat parse(String format) {
    String expanded =
        DIRECTIVE
            .matcher(format)
            .replaceAll(directive ->
                switch (directive.group()) {
                  case "%c" -> DATE + " " + TIME;
                  case "%x", "%F" -> DATE;
                  case "%X", "%T" -> TIME;
                  case "%R" -> MINUTE;
                  default -> Matcher.quoteReplacement(directive.group());
                });
    byte[] bytes = expanded.getBytes(StandardCharsets.UTF_8);
    List<Integer> steps = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        return null;
      }
      if (bytes[i] != '%') {
        steps.add(-Byte.toUnsignedInt(bytes[i]));
        continue;
      }
      i += i + 1 < bytes.length && bytes[i + 1] == '-' ? 2 : 1;
      int directive = i < bytes.length ? bytes[i] : 0;
      if (directive == '%') {
        steps.add(-directive);
      } else if (DIRECTIVES.indexOf(directive) >= 0) {
        steps.add(directive);
      } else {
        return null;
      }
    }
    return new TimeFormat(steps);
  }

  /// Returns whether times have an offset from UTC.
  public boolean isZoned() {
    return steps.contains((int) 'z');
  }

  /// Returns a parser of dates, as days since 1970-01-01. A time other than midnight and an offset
  /// are not part of it.
  public ValueParser dates() {
    return new Parser(/* unit= */ null);
  }

  /// Returns a parser of timestamps, as units since 1970-01-01.
  ///
  /// @param fractionDigits those after the second at most, as the unit has them: 6 or 9
  /// @param zoned whether a timestamp has an offset from UTC. If the format does not, or has one
  ///   where none is, no text is a timestamp
  public ValueParser timestamps(int fractionDigits, boolean zoned) {
    return zoned == isZoned() ? new Parser(new TimestampUnit(fractionDigits)) : new NoParser();
  }

  private static final class NoParser extends ValueParser {

    @Override
    public boolean parse(byte[] text, int start, int end) {
      return false;
    }
  }

  private final class Parser extends ValueParser {

    private final TimeText time = new TimeText();
    private final @Nullable TimestampUnit unit;
    private int year;
    private int month;
    private int day;

    /// The day of the year, or -1 if not stated.
    private int dayOfYear;

    private int hour;
    private int minute;
    private int second;

    /// Whether the hour is one of the second half of the day, or null if not stated.
    private @Nullable Boolean afternoon;

    /// @param unit of timestamps, or null for dates
    Parser(@Nullable TimestampUnit unit) {
      this.unit = unit;
    }

    @Override
    public boolean parse(byte[] text, int start, int end) {
      time.begin(text, start, end);
      year = 1970;
      month = 1;
      day = 1;
      dayOfYear = -1;
      hour = 0;
      minute = 0;
      second = 0;
      afternoon = null;
      for (int i = 0; i < steps.size(); i++) {
        if (!read(steps.get(i))) {
          return false;
        }
      }
      return time.isAtEnd() && set();
    }

    private boolean read(int step) {
      if (step == -' ') {
        while (time.read(' ')) {
          // Any number of spaces.
        }
        return true;
      }
      if (step < 0) {
        return time.read((char) -step);
      }
      int number =
          switch (step) {
            case 'Y' -> year = time.number(4, 4);
            case 'y' -> {
              int ofCentury = time.number(2, 2);
              year = (ofCentury < CENTURY_START ? 2000 : 1900) + ofCentury;
              yield ofCentury;
            }
            case 'm' -> month = time.number(1, 2);
            case 'd', 'e' -> day = time.number(1, 2);
            case 'j' -> dayOfYear = time.number(1, 3);
            case 'B', 'b' -> month = 1 + name(MONTHS);
            case 'A', 'a' -> name(DAYS);
            case 'H' -> hour = time.number(1, 2);
            case 'I' -> {
              hour = time.number(1, 2);
              yield hour >= 1 && hour <= 12 ? hour : -1;
            }
            case 'M' -> minute = time.number(1, 2);
            case 'S' -> second = time.number(1, 2);
            case 'p' -> {
              int half = name(HALVES);
              afternoon = half == 1;
              yield half;
            }
            case 'f' -> time.fraction(6);
            case 'g' -> time.fraction(3);
            case 'n' -> time.fraction(9);
            default -> time.offset() ? 0 : -1;
          };
      return number >= 0;
    }

    private boolean set() {
      int ofDay = hour;
      if (afternoon != null) {
        ofDay = hour < 1 || hour > 12 ? -1 : hour % 12 + (afternoon ? 12 : 0);
      }
      boolean isDay =
          Calendar.isDay(year, month, day)
              && dayOfYear != 0
              && dayOfYear <= (Calendar.isLeap(year) ? 366 : 365);
      if (!isDay || !Calendar.isTime(ofDay, minute, second)) {
        return false;
      }
      long epochDay =
          dayOfYear < 0
              ? Calendar.epochDay(year, month, day)
              : Calendar.epochDay(year, 1, 1) + dayOfYear - 1;
      // An offset has been subtracted already.
      long ofDate = time.second() + Calendar.secondOfDay(ofDay, minute, second);
      if (unit == null) {
        low = epochDay;
        // A date would lose them.
        return ofDate == 0 && time.nanosecond() == 0 && !isZoned();
      }
      return time.fractionDigits() <= unit.fractionDigits()
          && unit.set(this, epochDay * Calendar.SECONDS_PER_DAY + ofDate, time.nanosecond());
    }

    /// Returns the index of the name that is next, or -2 if none is.
    private int name(List<String> names) {
      for (int i = 0; i < names.size(); i++) {
        String name = names.get(i);
        int abbreviated = Math.min(name.length(), ABBREVIATION_LENGTH);
        if (time.readIgnoringCase(name) || time.readIgnoringCase(name.substring(0, abbreviated))) {
          return i;
        }
      }
      return -2;
    }
  }
}
