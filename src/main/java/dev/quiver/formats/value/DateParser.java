package dev.quiver.formats.value;

/// A parser of dates, such as `2024-01-31`: days since 1970-01-01 (ISO 8601).
public final class DateParser extends ValueParser {

  private final TimeText time = new TimeText();

  @Override
  public boolean parse(byte[] text, int start, int end) {
    time.begin(text, start, end);
    if (!time.date() || !time.isAtEnd()) {
      return false;
    }
    low = time.epochDay();
    return low == (int) low;
  }
}
