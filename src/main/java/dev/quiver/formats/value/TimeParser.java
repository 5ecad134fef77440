package dev.quiver.formats.value;

/// A parser of times of day, such as `12:30` or `12:30:59.25` (ISO 8601), without an offset from
/// UTC.
public final class TimeParser extends ValueParser {

  private final TimeText time = new TimeText();
  private final TimestampUnit unit;

  /// @param fractionDigits those after the second at most, as the unit has them: 6 or 9
  public TimeParser(int fractionDigits) {
    this.unit = new TimestampUnit(fractionDigits);
  }

  @Override
  public boolean parse(byte[] text, int start, int end) {
    time.begin(text, start, end);
    return time.time()
        && time.isAtEnd()
        && time.fractionDigits() <= unit.fractionDigits()
        && unit.set(this, time.second(), time.nanosecond());
  }
}
