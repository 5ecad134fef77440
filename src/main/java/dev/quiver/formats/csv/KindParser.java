package dev.quiver.formats.csv;

import dev.quiver.arrow.type.Precision;
import dev.quiver.formats.value.BooleanParser;
import dev.quiver.formats.value.DateParser;
import dev.quiver.formats.value.DecimalParser;
import dev.quiver.formats.value.FloatParser;
import dev.quiver.formats.value.IntegerParser;
import dev.quiver.formats.value.TimeFormat;
import dev.quiver.formats.value.TimeParser;
import dev.quiver.formats.value.TimestampParser;
import dev.quiver.formats.value.ValueParser;
import org.jspecify.annotations.Nullable;

/// Determines the kind of a text. Numbers with leading zeros or a plus are text, since as numbers
/// they would lose these; dates and times need all their digits, so that no other text looks like
/// one. Used by one thread.
final class KindParser {

  /// The integer up to which a double holds all.
  private static final long DOUBLE_INTEGER_MAXIMUM = 1L << 53;

  private static final int DATE_LENGTH = "2024-01-31".length();
  private static final int TIME_LENGTH = "12:30:59".length();
  private static final int MINUTE_LENGTH = "2024-01-31T12:30".length();

  private final ValueParser integers =
      new IntegerParser(Long.SIZE, /* signed= */ true, /* canonical= */ true);
  private final ValueParser largeIntegers;
  private final FloatParser numbers;
  private final ValueParser booleans = new BooleanParser(/* canonical= */ true);
  private final ValueParser times = new TimeParser(/* fractionDigits= */ 6);
  private final ValueParser dates;
  private final ValueParser timestamps;
  private final ValueParser longTimestamps =
      new TimestampParser(/* fractionDigits= */ 9, /* zoned= */ false);
  private final ValueParser zonedTimestamps =
      new TimestampParser(/* fractionDigits= */ 6, /* zoned= */ true);

  /// The formats that the options state, or null.
  private final @Nullable TimeFormat dateFormat;

  private final @Nullable TimeFormat timestampFormat;

  KindParser(CsvOptions options) {
    this.largeIntegers = new DecimalParser(/* precision= */ 38, /* scale= */ 0, options.point());
    this.numbers = new FloatParser(Precision.DOUBLE, options.point(), /* canonical= */ true);
    this.dateFormat = options.dateFormat();
    this.timestampFormat = options.timestampFormat();
    this.dates = dateFormat == null ? new DateParser() : dateFormat.dates();
    this.timestamps =
        timestampFormat == null
            ? new TimestampParser(/* fractionDigits= */ 6, /* zoned= */ false)
            : timestampFormat.timestamps(/* fractionDigits= */ 6, timestampFormat.isZoned());
  }

  /// Returns the kind of a text without spaces around it.
  TextKind kind(byte[] text, int start, int end) {
    if (start == end) {
      return TextKind.TEXT;
    }
    byte first = text[start];
    boolean isNumeric = first == '-' || first == '.' || first == ',' || ValueParser.isDigit(first);
    TextKind kind = isNumeric ? number(text, start, end) : TextKind.TEXT;
    if (kind != TextKind.TEXT) {
      return kind;
    }
    if (booleans.parse(text, start, end)) {
      return TextKind.BOOLEAN;
    }
    if (numbers.parse(text, start, end) && !numbers.isFinite()) {
      return TextKind.NON_FINITE;
    }
    return time(text, start, end);
  }

  private TextKind number(byte[] text, int start, int end) {
    int first = text[start] == '-' ? start + 1 : start;
    if (integers.parse(text, start, end)) {
      long integer = integers.low();
      return integer >= -DOUBLE_INTEGER_MAXIMUM && integer <= DOUBLE_INTEGER_MAXIMUM
          ? TextKind.INTEGER
          : TextKind.LONG_INTEGER;
    }
    if (areDigits(text, first, end)) {
      boolean isZero = text[first] == '0';
      return !isZero && largeIntegers.parse(text, start, end)
          ? TextKind.LARGE_INTEGER
          : TextKind.TEXT;
    }
    return numbers.parse(text, start, end) && numbers.isFinite()
        ? TextKind.FRACTION
        : TextKind.TEXT;
  }

  private TextKind time(byte[] text, int start, int end) {
    boolean isIsoDate =
        end - start >= DATE_LENGTH && text[start + 4] == '-' && text[start + 7] == '-';
    if ((dateFormat != null || isIsoDate && end - start == DATE_LENGTH)
        && dates.parse(text, start, end)) {
      return isIsoDate && !longTimestamps.parse(text, start, end)
          ? TextKind.DISTANT_DATE
          : TextKind.DATE;
    }
    if (end - start >= TIME_LENGTH && text[start + 2] == ':' && times.parse(text, start, end)) {
      return TextKind.TIME;
    }
    if (timestampFormat != null) {
      return timestamps.parse(text, start, end)
          ? timestampFormat.isZoned() ? TextKind.ZONED_TIMESTAMP : TextKind.TIMESTAMP
          : TextKind.TEXT;
    }
    if (!isIsoDate || end - start < MINUTE_LENGTH || text[start + MINUTE_LENGTH - 3] != ':') {
      return TextKind.TEXT;
    }
    if (timestamps.parse(text, start, end)) {
      return longTimestamps.parse(text, start, end)
          ? TextKind.TIMESTAMP
          : TextKind.DISTANT_TIMESTAMP;
    }
    if (longTimestamps.parse(text, start, end)) {
      return TextKind.LONG_TIMESTAMP;
    }
    return zonedTimestamps.parse(text, start, end) ? TextKind.ZONED_TIMESTAMP : TextKind.TEXT;
  }

  private static boolean areDigits(byte[] text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (!ValueParser.isDigit(text[i])) {
        return false;
      }
    }
    return start < end;
  }
}
