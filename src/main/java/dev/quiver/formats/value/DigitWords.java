package dev.quiver.formats.value;

import dev.quiver.arrow.memory.ByteWords;
import dev.quiver.arrow.memory.LittleEndian;

/// Numbers of at most sixteen characters, whose digits are read eight at a time, as in *Quickly
/// parsing eight digits* by Daniel Lemire. Lengths vary from value to value, so that branches for
/// them would often be predicted wrong.
final class DigitWords {

  /// The result for other texts.
  static final long NONE = -1;

  private static final int LENGTH_MAXIMUM = 2 * Long.BYTES;
  private static final int FRACTION_SHIFT = 56;
  private static final long ZEROS = ByteWords.repeated('0');
  private static final long SEVEN_DIGITS = 10_000_000;
  private static final long EIGHT_DIGITS = 100_000_000;

  private DigitWords() {}

  /// Returns a decimal separator in the form that [#decimal] expects.
  ///
  /// @param point an ASCII character other than a digit
  static long points(byte point) {
    return ByteWords.repeated(point ^ '0');
  }

  /// Reads digits with at most one point between them, before them or after them.
  ///
  /// @param points the decimal separator, by [#points]
  /// @return an encoded number, which [#integer] and [#fractionDigits] decode, or [#NONE]
  static long decimal(byte[] text, int start, int end, long points) {
    int length = end - start;
    if (length < 1 || length > LENGTH_MAXIMUM || start + Long.BYTES > text.length) {
      return NONE;
    }
    boolean hasTwoWords = length > Long.BYTES;
    long last = hasTwoWords ? word(text, end - Long.BYTES) : beginning(text, start, length);
    long first = hasTwoWords ? beginning(text, start, length - Long.BYTES) : 0;
    long scale = EIGHT_DIGITS;
    long fractionDigits = 0;
    int point = indexOf(last, points);
    if (point < Long.BYTES) {
      last = without(last, point);
      scale = SEVEN_DIGITS;
      fractionDigits = Long.BYTES - 1 - point;
    } else if (hasTwoWords && (point = indexOf(first, points)) < Long.BYTES) {
      first = without(first, point);
      fractionDigits = 2 * Long.BYTES - 1 - point;
    }
    if (!areDigits(last) || !areDigits(first) || length == 1 && scale == SEVEN_DIGITS) {
      return NONE;
    }
    return fractionDigits << FRACTION_SHIFT | scale * integerOf(first) + integerOf(last);
  }

  /// Returns the integer that the digits are without the point.
  static long integer(long decimal) {
    return decimal & (1L << FRACTION_SHIFT) - 1;
  }

  /// Returns the number of digits after the point.
  static int fractionDigits(long decimal) {
    return (int) (decimal >>> FRACTION_SHIFT);
  }

  /// Returns eight characters, of which the digits are their values.
  private static long word(byte[] text, int start) {
    return LittleEndian.getInt64(text, start) ^ ZEROS;
  }

  /// Returns the characters of a text that are not in its last word, after zeros.
  private static long beginning(byte[] text, int start, int length) {
    return word(text, start) << Long.SIZE - length * Byte.SIZE;
  }

  /// Returns the index of the first byte that two words have in common, or 8.
  private static int indexOf(long word, long other) {
    return Long.numberOfTrailingZeros(ByteWords.zeros(word ^ other)) >>> 3;
  }

  /// Returns a word without one of its bytes, after a zero.
  private static long without(long word, int index) {
    int shift = index * Byte.SIZE;
    long before = word & (1L << shift) - 1;
    return word >>> shift >>> Byte.SIZE << Byte.SIZE << shift | before << Byte.SIZE;
  }

  private static boolean areDigits(long word) {
    return ByteWords.below(word, 10) == ByteWords.HIGHEST_BITS;
  }

  /// Returns the integer of eight digits, the highest of which is in the lowest byte.
  private static long integerOf(long digits) {
    long pairs = 10 * digits + (digits >>> Byte.SIZE);
    long odd = pairs & 0x000000FF000000FFL;
    long even = pairs >>> Short.SIZE & 0x000000FF000000FFL;
    return odd * (100 + (1_000_000L << Integer.SIZE)) + even * (1 + (10_000L << Integer.SIZE))
        >>> Integer.SIZE;
  }
}
