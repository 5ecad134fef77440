package dev.quiver.arrow.text;

/// Decimal digits, eight at a time, in the bytes of a word. The lowest byte has the first digit.
final class Digits {

  /// The difference between the characters `0` to `9` and the bytes 0 to 9, in each byte.
  static final long ASCII = 0x3030_3030_3030_3030L;

  /// The first number with more than four digits.
  static final int FOUR_DIGITS_END = 10_000;

  /// The first number with more than eight digits.
  static final int EIGHT_DIGITS_END = 100_000_000;

  /// The characters of the numbers 0 to 99, the first in the lower byte.
  private static final short[] PAIRS = pairs();

  private Digits() {}

  private static short[] pairs() {
    short[] pairs = new short[100];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = (short) ('0' + i / 10 | '0' + i % 10 << 8);
    }
    return pairs;
  }

  /// Returns the two characters of a number below 100, the first in the lowest byte.
  static long pair(int number) {
    return PAIRS[number];
  }

  /// Returns the digits, as bytes 0 to 9, of a number below [#FOUR_DIGITS_END] in the four lowest
  /// bytes.
  static long four(int number) {
    int firstTwo = number / 100;
    return (pair(firstTwo) | pair(number - firstTwo * 100) << 16) & 0x0F0F_0F0FL;
  }

  /// Returns the digits, as bytes 0 to 9, of a number below [#EIGHT_DIGITS_END].
  static long eight(int number) {
    // Halves the number into lanes of four digits, two, and one. Each quotient is a product and a
    // shift, which is exact for the numbers of a lane.
    int firstFour = number / 10_000;
    long fours = firstFour | (long) (number - firstFour * 10_000) << 32;
    long firstTwos = (fours * 10_486 >>> 20) & 0x0000_007F_0000_007FL;
    long twos = firstTwos | fours - firstTwos * 100 << 16;
    long firsts = (twos * 103 >>> 10) & 0x000F_000F_000F_000FL;
    return firsts | twos - firsts * 10 << 8;
  }

  /// Returns the number of leading zeros. The last digit does not count as one.
  static int leadingZeros(long digits) {
    return Long.numberOfTrailingZeros(digits | 1L << 56) >>> 3;
  }

  /// Returns the number of trailing zeros.
  static int trailingZeros(long digits) {
    return Long.numberOfLeadingZeros(digits) >>> 3;
  }
}
