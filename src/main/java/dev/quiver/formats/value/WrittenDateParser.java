package dev.quiver.formats.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A parser of dates in the forms that have one meaning, and maybe of those that have two: days
/// since 1970-01-01. Used by one thread.
///
/// | form | examples |
/// | --- | --- |
/// | ISO 8601 | `2024-01-31` |
/// | year first | `2024/1/31`, `2024.01.31` |
/// | points | `31.01.2024`, `5.1.2024` |
/// | the English name of a month | `31-JAN-2024`, `31JAN2024`, `5 Mar 2024`, `Jan 31 2024`, `March 1, 2024` |
/// | if the order is stated | `31/01/2024`, `1-31-2024`, `1/31/24` |
public final class WrittenDateParser extends ValueParser {

  private static final List<String> ABBREVIATIONS =
      TimeFormat.MONTHS.stream()
          .map(name -> name.substring(0, TimeFormat.ABBREVIATION_LENGTH))
          .toList();

  /// The characters of the shortest date, `1/2/24`.
  private static final int LENGTH_MINIMUM = 6;

  private static final int YEAR_DIGITS = 4;

  /// The years of dates. Other numbers are parts of something else.
  private static final int FIRST_YEAR = 1000;

  private static final int LAST_YEAR = 3000;

  /// The first year of two digits of the twentieth century, as POSIX has it.
  private static final int FIRST_SHORT_YEAR = 69;

  private final DateParser iso = new DateParser();
  private final TimeText text = new TimeText();
  private final @Nullable DateOrder order;

  /// The numbers of the last text that may be either a day or a month.
  private int first;

  private int second;

  /// The year of that text.
  private int year;

  /// @param order that of dates of three numbers with the year at the end, or null if unknown, in
  ///   which case they are no dates
  public WrittenDateParser(@Nullable DateOrder order) {
    this.order = order;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end) {
    if (iso.parse(bytes, start, end)) {
      low = iso.low();
      return true;
    }
    if (isWritten(bytes, start, end)) {
      return true;
    }
    return order != null
        && isAmbiguous(bytes, start, end)
        && (order == DateOrder.DAY_FIRST ? set(year, second, first) : set(year, first, second));
  }

  /// Returns whether a text is a date of another form than that of ISO 8601 that has one meaning.
  boolean isWritten(byte[] bytes, int start, int end) {
    if (!mayBeDate(bytes, start, end)) {
      return false;
    }
    text.begin(bytes, start, end);
    if (!ValueParser.isDigit(text.peek())) {
      return monthFirst();
    }
    int number = text.number(1, YEAR_DIGITS);
    int digits = text.position() - start;
    if (digits == YEAR_DIGITS) {
      return yearFirst(number);
    }
    if (digits > 2) {
      return false;
    }
    if (text.read('.') && ValueParser.isDigit(text.peek())) {
      int month = text.number(1, 2);
      return text.read('.') && setYear(month, number);
    }
    char separator = text.read('-') ? '-' : text.read(' ') ? ' ' : 0;
    int month = month();
    return month > 0 && (separator == 0 || text.read(separator)) && setYear(month, number);
  }

  /// Returns whether a text has the length and the end of a date. Most other texts have not.
  private static boolean mayBeDate(byte[] bytes, int start, int end) {
    return end - start >= LENGTH_MINIMUM
        && ValueParser.isDigit(bytes[end - 1])
        && (ValueParser.isDigit(bytes[end - 2]) || ValueParser.isDigit(bytes[start]));
  }

  /// Returns what a date of three numbers whose year is last has first, or null if the text is
  /// another one. If both orders are possible, that is the empty list.
  @Nullable List<DateOrder> orders(byte[] bytes, int start, int end) {
    if (!mayBeDate(bytes, start, end) || !isAmbiguous(bytes, start, end)) {
      return null;
    }
    boolean isDayFirst = isDay(year, second, first);
    boolean isMonthFirst = isDay(year, first, second);
    if (isDayFirst && isMonthFirst) {
      return List.of();
    }
    return isDayFirst
        ? List.of(DateOrder.DAY_FIRST)
        : isMonthFirst ? List.of(DateOrder.MONTH_FIRST) : null;
  }

  /// Returns whether a text is a number of two digits, another one, and a year of four or two
  /// digits, between slashes or hyphens.
  private boolean isAmbiguous(byte[] bytes, int start, int end) {
    text.begin(bytes, start, end);
    first = text.number(1, 2);
    char separator = text.read('/') ? '/' : '-';
    if (first < 0 || separator == '-' && !text.read('-')) {
      return false;
    }
    second = text.number(1, 2);
    if (second < 0 || !text.read(separator)) {
      return false;
    }
    int yearStart = text.position();
    year = text.number(2, YEAR_DIGITS);
    int digits = text.position() - yearStart;
    if (year < 0 || !text.isAtEnd() || digits != YEAR_DIGITS && digits != 2) {
      return false;
    }
    year += digits == YEAR_DIGITS ? 0 : year < FIRST_SHORT_YEAR ? 2000 : 1900;
    return true;
  }

  private boolean yearFirst(int year) {
    char separator = text.read('/') ? '/' : '.';
    if (separator == '.' && !text.read('.')) {
      return false;
    }
    // Versions of programs have points as well.
    int digits = separator == '.' ? 2 : 1;
    int month = text.number(digits, 2);
    if (month < 0 || !text.read(separator)) {
      return false;
    }
    int day = text.number(digits, 2);
    return text.isAtEnd() && set(year, month, day);
  }

  private boolean monthFirst() {
    int month = month();
    if (month == 0 || !text.read(' ')) {
      return false;
    }
    int day = text.number(1, 2);
    boolean hasComma = text.read(',');
    return (text.read(' ') || hasComma) && setYear(month, day);
  }

  /// Reads the name of a month, whole or abbreviated to three letters, and returns its number, or 0
  /// if absent.
  private int month() {
    for (int i = 0; i < ABBREVIATIONS.size(); i++) {
      if (text.readIgnoringCase(TimeFormat.MONTHS.get(i))
          || text.readIgnoringCase(ABBREVIATIONS.get(i))) {
        return i + 1;
      }
    }
    return 0;
  }

  private boolean setYear(int month, int day) {
    int year = text.number(YEAR_DIGITS, YEAR_DIGITS);
    return year >= 0 && text.isAtEnd() && set(year, month, day);
  }

  private boolean set(int year, int month, int day) {
    boolean isDay = isDay(year, month, day);
    low = isDay ? Calendar.epochDay(year, month, day) : 0;
    return isDay;
  }

  private static boolean isDay(int year, int month, int day) {
    return day > 0
        && month > 0
        && year >= FIRST_YEAR
        && year < LAST_YEAR
        && Calendar.isDay(year, month, day);
  }
}
