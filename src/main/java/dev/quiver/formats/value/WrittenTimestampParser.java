package dev.quiver.formats.value;

import org.jspecify.annotations.Nullable;

/// A parser of timestamps without an offset from UTC in the forms of ISO 8601, and in those of
/// [WrittenDateParser] with a time of day after them, such as `31.01.2024 10:00` or `Jan 31 2024,
/// 3:05:10 PM`: units since 1970-01-01. Used by one thread.
public final class WrittenTimestampParser extends ValueParser {

  /// The characters of the shortest timestamp, `1/2/24 1:00`.
  private static final int LENGTH_MINIMUM = 11;

  /// More characters than a timestamp has, `September 30, 2024, 10:00:00.123456789 PM`.
  private static final int LENGTH_MAXIMUM = 50;

  private static final int HOURS_OF_HALF = 12;
  private static final int SECONDS_PER_HOUR = 3_600;

  private final TimestampParser iso;
  private final WrittenDateParser dates;
  private final TimeText time = new TimeText();
  private final TimestampUnit unit;

  /// The second of the day of the last text.
  private long second;

  /// @param fractionDigits those after the second at most, as the unit has them: 6 or 9
  /// @param order as for [WrittenDateParser]
  public WrittenTimestampParser(int fractionDigits, @Nullable DateOrder order) {
    this.iso = new TimestampParser(fractionDigits, /* zoned= */ false);
    this.dates = new WrittenDateParser(order);
    this.unit = new TimestampUnit(fractionDigits);
  }

  @Override
  public boolean parse(byte[] text, int start, int end) {
    if (iso.parse(text, start, end)) {
      low = iso.low();
      return true;
    }
    int dateEnd = dateEnd(text, start, end);
    if (dateEnd < 0) {
      dateEnd = end;
      second = 0;
      time.begin(text, end, end);
    }
    return dates.parse(text, start, dateEnd)
        && unit.set(this, dates.low() * Calendar.SECONDS_PER_DAY + second, time.nanosecond());
  }

  /// Returns the parser of dates.
  WrittenDateParser dates() {
    return dates;
  }

  /// Returns the end of the date before a time of day, which is read, or -1 if a text does not end
  /// with one.
  int dateEnd(byte[] text, int start, int end) {
    int hour = mayBeTimestamp(text, start, end) ? hour(text, start, end) : -1;
    if (hour < 0) {
      return -1;
    }
    time.begin(text, hour, end);
    if (!time.time() || time.fractionDigits() > unit.fractionDigits()) {
      return -1;
    }
    second = time.second();
    if (!time.isAtEnd() && !readHalf()) {
      return -1;
    }
    int last = hour - 1;
    return text[last - 1] == ',' ? last - 1 : last;
  }

  /// Returns whether a text has the length and the ends of a timestamp. Most other texts have not.
  private static boolean mayBeTimestamp(byte[] text, int start, int end) {
    int length = end - start;
    return length >= LENGTH_MINIMUM
        && length <= LENGTH_MAXIMUM
        && (ValueParser.isDigit(text[end - 1]) || (text[end - 1] | 0x20) == 'm');
  }

  /// Returns the offset of the one or two digits before the first colon, which a space precedes, or
  /// -1 if absent.
  private static int hour(byte[] text, int start, int end) {
    int colon = start;
    while (colon < end && text[colon] != ':') {
      colon++;
    }
    int hour = colon;
    while (hour > start + 2 && colon - hour < 2 && ValueParser.isDigit(text[hour - 1])) {
      hour--;
    }
    return colon < end && hour < colon && text[hour - 1] == ' ' ? hour : -1;
  }

  /// Reads `AM` or `PM` in any case after the time, whose hour is then one from 1 to 12.
  private boolean readHalf() {
    time.read(' ');
    boolean isMorning = time.readIgnoringCase("am");
    long hour = second / SECONDS_PER_HOUR;
    if (!isMorning && !time.readIgnoringCase("pm")
        || !time.isAtEnd()
        || hour < 1
        || hour > HOURS_OF_HALF) {
      return false;
    }
    second += (isMorning ? 0 : HOURS_OF_HALF) * SECONDS_PER_HOUR;
    second -= hour == HOURS_OF_HALF ? HOURS_OF_HALF * SECONDS_PER_HOUR : 0;
    return true;
  }
}
