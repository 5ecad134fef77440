package dev.quiver.formats.value;

import dev.quiver.arrow.memory.ByteWords;
import dev.quiver.arrow.memory.LittleEndian;
import java.nio.charset.StandardCharsets;

/// A text that is read from its start as a date, a time of day or an offset from UTC, in the forms
/// of ISO 8601 that most programs write. Used by one thread.
final class TimeText {

  /// Years have more digits only after a sign. An array of dates reaches seven.
  private static final int SIGNED_YEAR_DIGITS_MAXIMUM = 7;

  private static final int DATE_LENGTH = "2024-01-31".length();

  /// The first eight characters of a date, and the hyphens among them.
  private static final long DATE = word("0000-00-");

  private static final long DATE_HYPHENS = 0xFF0000FF00000000L;

  private static final long TIME = word("00:00:00");
  private static final long TIME_COLONS = 0x0000FF0000FF0000L;

  private byte[] text = {};
  private int position;
  private int end;

  private long epochDay;
  private long second;
  private long nanosecond;
  private int fractionDigits;

  private static long word(String characters) {
    return LittleEndian.getInt64(characters.getBytes(StandardCharsets.US_ASCII), 0);
  }

  void begin(byte[] bytes, int start, int endOfText) {
    text = bytes;
    position = start;
    end = endOfText;
    second = 0;
    nanosecond = 0;
    fractionDigits = 0;
  }

  /// Returns the offset after what was read.
  int position() {
    return position;
  }

  boolean isAtEnd() {
    return position == end;
  }

  /// Returns the next character, or 0 at the end.
  byte peek() {
    return position < end ? text[position] : 0;
  }

  /// Reads a character if it is the next one.
  boolean read(char character) {
    boolean found = position < end && text[position] == (byte) character;
    position += found ? 1 : 0;
    return found;
  }

  /// Reads decimal digits, as many as there are up to a maximum.
  ///
  /// @return the number, or -1 if there are fewer digits than the minimum
  int number(int digitsMinimum, int digitsMaximum) {
    int number = 0;
    int first = position;
    int last = Math.min(end, position + digitsMaximum);
    while (position < last && ValueParser.isDigit(text[position])) {
      number = 10 * number + (text[position++] - '0');
    }
    return position - first < digitsMinimum ? -1 : number;
  }

  /// Returns eight characters if digits are wherever a pattern has zeros, and the pattern's
  /// characters elsewhere. The digits are their values then.
  ///
  /// @param others the bits of the characters that are not digits
  /// @return the word, or -1 for other characters
  private long word(long pattern, long others) {
    if (end - position < Long.BYTES) {
      return -1;
    }
    long word = LittleEndian.getInt64(text, position) ^ pattern;
    return (word & others) == 0 && ByteWords.below(word, 10) == ByteWords.HIGHEST_BITS ? word : -1;
  }

  /// Returns the number of two digits of a word.
  private static int twoDigits(long word, int index) {
    int digits = (int) (word >>> index * Byte.SIZE);
    return 10 * (digits & 0xF) + (digits >>> Byte.SIZE & 0xF);
  }

  /// Reads a date, such as `2024-01-31`. A year before 0 has a sign, and so has one after 9999.
  boolean date() {
    long word = end - position < DATE_LENGTH ? -1 : word(DATE, DATE_HYPHENS);
    if (word >= 0
        && ValueParser.isDigit(text[position + Long.BYTES])
        && ValueParser.isDigit(text[position + Long.BYTES + 1])) {
      int day = 10 * (text[position + Long.BYTES] - '0') + text[position + Long.BYTES + 1] - '0';
      position += DATE_LENGTH;
      return setDate(100 * twoDigits(word, 0) + twoDigits(word, 2), twoDigits(word, 5), day);
    }
    boolean negative = peek() == '-';
    boolean signed = negative || peek() == '+';
    position += signed ? 1 : 0;
    long year = number(4, signed ? SIGNED_YEAR_DIGITS_MAXIMUM : 4);
    if (year < 0 || !read('-')) {
      return false;
    }
    int month = number(1, 2);
    if (month < 0 || !read('-')) {
      return false;
    }
    int day = number(1, 2);
    return setDate(negative ? -year : year, month, day);
  }

  private boolean setDate(long year, int month, int day) {
    boolean isDay = Calendar.isDay(year, month, day);
    epochDay = isDay ? Calendar.epochDay(year, month, day) : 0;
    return isDay;
  }

  /// Reads a time, such as `12:30`, `12:30:59` or `12:30:59.5`.
  boolean time() {
    long word = word(TIME, TIME_COLONS);
    if (word >= 0) {
      position += Long.BYTES;
      return setTime(twoDigits(word, 0), twoDigits(word, 3), twoDigits(word, 6), true);
    }
    int hour = number(1, 2);
    if (hour < 0 || !read(':')) {
      return false;
    }
    int minute = number(2, 2);
    boolean hasSeconds = read(':');
    return setTime(hour, minute, hasSeconds ? number(2, 2) : 0, hasSeconds);
  }

  private boolean setTime(int hour, int minute, int ofMinute, boolean hasSeconds) {
    if (!Calendar.isTime(hour, minute, ofMinute)) {
      return false;
    }
    second = Calendar.secondOfDay(hour, minute, ofMinute);
    return !hasSeconds || !read('.') || fraction(/* digitsMaximum= */ 9) >= 0;
  }

  /// Reads the digits of a fraction of a second: one to nine.
  ///
  /// @return the digits as a number, or -1 if absent
  int fraction(int digitsMaximum) {
    int first = position;
    int digits = number(1, digitsMaximum);
    nanosecond = digits * TimestampUnit.nanoseconds(position - first);
    int last = position;
    while (last > first && text[last - 1] == '0') {
      last--;
    }
    fractionDigits = last - first;
    return digits;
  }

  /// Reads a word of lower-case letters in any case if it is the next one.
  boolean readIgnoringCase(String word) {
    int last = position + word.length();
    boolean found = last <= end && ValueParser.equalsIgnoringCase(text, position, last, word);
    position = found ? last : position;
    return found;
  }

  /// Reads an offset: `Z`, or hours and maybe minutes after a sign, such as `+01`, `+0100` or
  /// `+01:00`, which are subtracted from the time.
  boolean offset() {
    if (read('Z') || read('z')) {
      return true;
    }
    boolean negative = read('-');
    if (!negative && !read('+')) {
      return false;
    }
    int hours = number(2, 2);
    boolean colon = read(':');
    int minutes = colon || ValueParser.isDigit(peek()) ? number(2, 2) : 0;
    if (hours < 0 || minutes < 0 || hours > 23 || minutes > 59) {
      return false;
    }
    long offset = Calendar.secondOfDay(hours, minutes, 0);
    second -= negative ? -offset : offset;
    return true;
  }

  /// Returns the days since 1970-01-01.
  long epochDay() {
    return epochDay;
  }

  /// Returns the seconds of the day, which may be of another day after an offset.
  long second() {
    return second;
  }

  /// Returns the nanoseconds of the second.
  long nanosecond() {
    return nanosecond;
  }

  /// Returns the number of digits after the second, without zeros at their end.
  int fractionDigits() {
    return fractionDigits;
  }
}
