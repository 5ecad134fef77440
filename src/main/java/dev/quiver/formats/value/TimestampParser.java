package dev.quiver.formats.value;

/// A parser of timestamps, such as `2024-01-31`, `2024-01-31 12:30` or `2024-01-31T12:30:59.25`
/// (ISO 8601): units since 1970-01-01. With a time zone, each must have its offset from UTC after
/// the time, unless it is UTC by default, and without one, none may.
public final class TimestampParser extends ValueParser {

  private final TimeText time = new TimeText();
  private final TimestampUnit unit;
  private final boolean zoned;
  private final boolean isUtcByDefault;

  /// @param fractionDigits those after the second at most, as the unit has them: 6 or 9
  public TimestampParser(int fractionDigits, boolean zoned) {
    this(fractionDigits, zoned, /* isUtcByDefault= */ false);
  }

  private TimestampParser(int fractionDigits, boolean zoned, boolean isUtcByDefault) {
    this.unit = new TimestampUnit(fractionDigits);
    this.zoned = zoned;
    this.isUtcByDefault = isUtcByDefault;
  }

  /// Returns a parser of timestamps that are UTC unless they have an offset from it.
  ///
  /// @param fractionDigits as for the constructor
  public static TimestampParser ofUtcByDefault(int fractionDigits) {
    return new TimestampParser(fractionDigits, /* zoned= */ true, /* isUtcByDefault= */ true);
  }

  /// Returns the digits after the second that the last value has, without zeros at their end.
  int fractionDigits() {
    return time.fractionDigits();
  }

  @Override
  public boolean parse(byte[] text, int start, int end) {
    time.begin(text, start, end);
    if (!time.date()) {
      return false;
    }
    boolean hasTime = time.read('T') || time.read(' ');
    return (!hasTime || time.time())
        && (!zoned || isUtcByDefault && time.isAtEnd() || hasTime && time.offset())
        && time.isAtEnd()
        && time.fractionDigits() <= unit.fractionDigits()
        && unit.set(
            this, time.epochDay() * Calendar.SECONDS_PER_DAY + time.second(), time.nanosecond());
  }
}
