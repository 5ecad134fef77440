package dev.quiver.formats.value;

import dev.quiver.arrow.type.Precision;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Determines the kind of a text. Numbers with leading zeros or a plus are text, since as numbers
/// they would lose these; dates and times need all their digits, so that no other text looks like
/// one. Used by one thread.
public final class KindParser {

  /// The integer up to which a double holds all.
  private static final long DOUBLE_INTEGER_MAXIMUM = 1L << 53;

  private static final int MICROSECOND_DIGITS = 6;

  /// The digits of an integer that a double surely holds.
  private static final int CERTAIN_DIGITS = 15;

  /// The characters from the point on of a fraction that is never too small for a double.
  private static final int FRACTION_LENGTH_MAXIMUM = 100;

  private static final int DATE_LENGTH = "2024-01-31".length();
  private static final int TIME_LENGTH = "12:30:59".length();
  private static final int MINUTE_LENGTH = "2024-01-31T12:30".length();
  private static final int UUID_LENGTH = "00000000-0000-4000-8000-000000000001".length();

  private final ValueParser integers =
      new IntegerParser(Long.SIZE, /* signed= */ true, '.', /* canonical= */ true);
  private final ValueParser largeIntegers;
  private final FloatParser numbers;
  private final ValueParser booleans = new BooleanParser(/* canonical= */ true);
  private final ValueParser times = new TimeParser(/* fractionDigits= */ 6);
  private final ValueParser longTimes = new TimeParser(/* fractionDigits= */ 9);
  private final ValueParser isoDates = new DateParser();
  private final ValueParser dates;
  private final ValueParser timestamps;
  private final TimestampParser longTimestamps =
      new TimestampParser(/* fractionDigits= */ 9, /* zoned= */ false);
  private final ValueParser zonedTimestamps =
      new TimestampParser(/* fractionDigits= */ 6, /* zoned= */ true);
  private final TimestampParser longZonedTimestamps =
      new TimestampParser(/* fractionDigits= */ 9, /* zoned= */ true);
  private final ValueParser uuids = new UuidParser();

  private final byte point;

  /// Parsers of what people write, or null if only programs write the texts.
  private final @Nullable WrittenDateParser writtenDates;

  private final @Nullable WrittenTimestampParser writtenTimestamps;
  private final @Nullable WrittenNumber writtenNumbers;
  private final @Nullable FloatParser otherNumbers;
  private final @Nullable DateOrder dateOrder;

  /// The stated formats, or null.
  private final @Nullable TimeFormat dateFormat;

  private final @Nullable TimeFormat timestampFormat;

  /// A parser of texts as people write them.
  ///
  /// @param point the decimal separator
  /// @param dateFormat how dates are written, or null if that is open
  /// @param dateOrder that of dates whose form has two meanings, or null if unknown
  /// @param timestampFormat how timestamps are written, or null for ISO 8601
  public KindParser(
      char point,
      @Nullable TimeFormat dateFormat,
      @Nullable DateOrder dateOrder,
      @Nullable TimeFormat timestampFormat) {
    this(point, dateFormat, dateOrder, timestampFormat, /* isWritten= */ true);
  }

  private KindParser(
      char point,
      @Nullable TimeFormat dateFormat,
      @Nullable DateOrder dateOrder,
      @Nullable TimeFormat timestampFormat,
      boolean isWritten) {
    this.writtenDates = isWritten && dateFormat == null ? new WrittenDateParser(dateOrder) : null;
    this.writtenTimestamps =
        isWritten && timestampFormat == null
            ? new WrittenTimestampParser(MICROSECOND_DIGITS, dateOrder)
            : null;
    this.writtenNumbers = isWritten ? new WrittenNumber(point) : null;
    this.otherNumbers =
        isWritten
            ? new FloatParser(Precision.DOUBLE, point == '.' ? ',' : '.', /* canonical= */ true)
            : null;
    this.dateOrder = dateOrder;
    this.largeIntegers = new DecimalParser(/* precision= */ 38, /* scale= */ 0, point);
    this.numbers = new FloatParser(Precision.DOUBLE, point, /* canonical= */ true);
    this.point = (byte) point;
    this.dateFormat = dateFormat;
    this.timestampFormat = timestampFormat;
    this.dates = dateFormat == null ? isoDates : dateFormat.dates();
    this.timestamps =
        timestampFormat == null
            ? new TimestampParser(/* fractionDigits= */ 6, /* zoned= */ false)
            : timestampFormat.timestamps(/* fractionDigits= */ 6, timestampFormat.isZoned());
  }

  /// A parser of texts as JSON and ISO 8601 have them.
  public KindParser() {
    this(
        '.',
        /* dateFormat= */ null,
        /* dateOrder= */ null,
        /* timestampFormat= */ null,
        /* isWritten= */ false);
  }

  /// Returns the kind of a text without spaces around it.
  public TextKind kind(byte[] text, int start, int end) {
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
    TextKind time = time(text, start, end);
    return time == TextKind.TEXT ? written(text, start, end) : time;
  }

  /// Returns the kind of a text in a form that people write, or `TEXT`.
  private TextKind written(byte[] text, int start, int end) {
    TextKind time = writtenTime(text, start, end);
    if (time != TextKind.TEXT) {
      return time;
    }
    byte first = text[start];
    WrittenNumber number = writtenNumbers;
    if (number == null || first != '-' && !ValueParser.isDigit(first)) {
      return TextKind.TEXT;
    }
    int percent = WrittenNumber.percentStart(text, start, end);
    if (percent > 0) {
      return numbers.parse(text, start, percent) ? TextKind.PERCENT : TextKind.TEXT;
    }
    if (number.read(text, start, end) > 0) {
      return number.hasFraction ? TextKind.GROUPED_FRACTION : TextKind.GROUPED_INTEGER;
    }
    FloatParser other = otherNumbers;
    return other != null && other.parse(text, start, end) && other.isFinite()
        ? TextKind.OTHER_NUMBER
        : TextKind.TEXT;
  }

  private TextKind writtenTime(byte[] text, int start, int end) {
    WrittenDateParser dates = writtenDates;
    TextKind date =
        dates == null ? TextKind.TEXT : writtenDate(dates, text, start, end, TextKind.WRITTEN_DATE);
    WrittenTimestampParser timestamps = writtenTimestamps;
    int dateEnd =
        date != TextKind.TEXT || timestamps == null ? -1 : timestamps.dateEnd(text, start, end);
    if (timestamps == null || dateEnd < 0) {
      return date;
    }
    return dateEnd - start == DATE_LENGTH && isoDates.parse(text, start, dateEnd)
        ? TextKind.WRITTEN_TIMESTAMP
        : writtenDate(timestamps.dates(), text, start, dateEnd, TextKind.WRITTEN_TIMESTAMP);
  }

  /// Returns a kind for a date of one meaning, that of one with more meanings, or `TEXT`.
  private TextKind writtenDate(
      WrittenDateParser dates, byte[] text, int start, int end, TextKind kind) {
    if (dates.isWritten(text, start, end)) {
      return kind;
    }
    List<DateOrder> orders = dates.orders(text, start, end);
    if (orders == null) {
      return TextKind.TEXT;
    }
    boolean isKnown = dateOrder != null && (orders.isEmpty() || orders.contains(dateOrder));
    return isKnown ? kind : kind(orders);
  }

  private static TextKind kind(List<DateOrder> orders) {
    if (orders.isEmpty()) {
      return TextKind.EITHER_DATE;
    }
    return orders.contains(DateOrder.DAY_FIRST)
        ? TextKind.DAY_FIRST_DATE
        : TextKind.MONTH_FIRST_DATE;
  }

  /// Returns the kind of a text that begins as a number, or `TEXT` if it is not one.
  public TextKind number(byte[] text, int start, int end) {
    if (integers.parse(text, start, end)) {
      long integer = integers.low();
      return integer >= -DOUBLE_INTEGER_MAXIMUM && integer <= DOUBLE_INTEGER_MAXIMUM
          ? TextKind.INTEGER
          : TextKind.LONG_INTEGER;
    }
    int first = text[start] == '-' ? start + 1 : start;
    if (areDigits(text, first, end)) {
      if (text[first] == '0') {
        // A zero with a minus is a float.
        return end - first == 1 && first > start ? TextKind.FRACTION : TextKind.TEXT;
      }
      return largeIntegers.parse(text, start, end)
          ? TextKind.LARGE_INTEGER
          : TextKind.UNREPRESENTABLE;
    }
    if (numbers.parse(text, start, end)) {
      return !numbers.isFinite()
          ? TextKind.TEXT
          : loses(text, start, end, Double.longBitsToDouble(numbers.low()))
              ? TextKind.UNREPRESENTABLE
              : TextKind.FRACTION;
    }
    return isNumber(text, start, end) ? TextKind.UNREPRESENTABLE : TextKind.TEXT;
  }

  /// Returns whether a double lacks more of a number than digits of its fraction. Of one beyond
  /// 2⁵³, it has to give back each digit.
  private boolean loses(byte[] text, int start, int end, double value) {
    if (value != 0 && Math.abs(value) < DOUBLE_INTEGER_MAXIMUM) {
      return false;
    }
    if (value == 0) {
      return hasNonZeroDigit(text, start, end);
    }
    BigDecimal stated =
        new BigDecimal(
            new String(text, start, end - start, StandardCharsets.US_ASCII)
                .replace((char) point, '.'));
    BigDecimal rounded =
        new BigDecimal(value).round(new MathContext(stated.precision(), RoundingMode.HALF_EVEN));
    return rounded.compareTo(stated) != 0;
  }

  private static boolean hasNonZeroDigit(byte[] text, int start, int end) {
    for (int i = start; i < end && (text[i] | 0x20) != 'e'; i++) {
      if (text[i] >= '1' && text[i] <= '9') {
        return true;
      }
    }
    return false;
  }

  /// Returns whether a text is a number as programs write it: digits, and maybe a fraction and an
  /// exponent.
  private boolean isNumber(byte[] text, int start, int end) {
    if (ValueParser.hasSurplusStart(text, start, end)) {
      return false;
    }
    int next = digitsEnd(text, text[start] == '-' ? start + 1 : start, end);
    if (next < end && text[next] == point) {
      next = digitsEnd(text, next + 1, end);
    }
    if (next < end && next > start && (text[next] | 0x20) == 'e') {
      next++;
      next += next < end && (text[next] == '-' || text[next] == '+') ? 1 : 0;
      int last = digitsEnd(text, next, end);
      return last > next && last == end;
    }
    return next == end && ValueParser.isDigit(text[end - 1]);
  }

  private static int digitsEnd(byte[] text, int start, int end) {
    int next = start;
    while (next < end && ValueParser.isDigit(text[next])) {
      next++;
    }
    return next;
  }

  /// Returns the kind of a number of JSON, which is well-formed.
  public TextKind jsonNumber(byte[] text, int start, int end) {
    for (int i = start; i < end; i++) {
      byte c = text[i];
      if (c == '.'
          && i - start <= CERTAIN_DIGITS
          && end - i <= FRACTION_LENGTH_MAXIMUM
          && areDigits(text, i + 1, end)) {
        return TextKind.FRACTION;
      } else if (!ValueParser.isDigit(c) && c != '-') {
        break;
      }
    }
    return number(text, start, end);
  }

  /// Returns the kind of the text of a string in JSON, which is never a number or a boolean.
  public TextKind string(byte[] text, int start, int end) {
    boolean isUuid =
        end - start == UUID_LENGTH && text[start + 8] == '-' && uuids.parse(text, start, end);
    return isUuid ? TextKind.UUID : time(text, start, end);
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
    if (end - start >= TIME_LENGTH && text[start + 2] == ':') {
      if (times.parse(text, start, end)) {
        return TextKind.TIME;
      }
      if (longTimes.parse(text, start, end)) {
        return TextKind.LONG_TIME;
      }
    }
    if (timestampFormat != null) {
      return timestamps.parse(text, start, end)
          ? timestampFormat.isZoned() ? TextKind.ZONED_TIMESTAMP : TextKind.TIMESTAMP
          : TextKind.TEXT;
    }
    if (!isIsoDate || end - start < MINUTE_LENGTH || text[start + MINUTE_LENGTH - 3] != ':') {
      return TextKind.TEXT;
    }
    if (longTimestamps.parse(text, start, end)) {
      return longTimestamps.fractionDigits() <= MICROSECOND_DIGITS
          ? TextKind.TIMESTAMP
          : TextKind.LONG_TIMESTAMP;
    }
    if (timestamps.parse(text, start, end)) {
      return TextKind.DISTANT_TIMESTAMP;
    }
    return zonedTime(text, start, end);
  }

  private TextKind zonedTime(byte[] text, int start, int end) {
    if (longZonedTimestamps.parse(text, start, end)) {
      return longZonedTimestamps.fractionDigits() <= MICROSECOND_DIGITS
          ? TextKind.ZONED_TIMESTAMP
          : TextKind.LONG_ZONED_TIMESTAMP;
    }
    return zonedTimestamps.parse(text, start, end)
        ? TextKind.DISTANT_ZONED_TIMESTAMP
        : TextKind.TEXT;
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
