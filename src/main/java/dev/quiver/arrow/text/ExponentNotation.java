package dev.quiver.arrow.text;

import java.io.IOException;

/// Digits and an exponent as text: plain from `0.001` to `9999999.0`, otherwise with an exponent
/// such as `1.0E7`. A digit always follows the point.
final class ExponentNotation {

  /// The smallest number with 17 digits.
  private static final long SEVENTEEN_DIGITS = 10_000_000_000_000_000L;

  private static final long EIGHT_DIGITS_END = Digits.EIGHT_DIGITS_END;

  /// The exponents of the first digit of plain numbers.
  private static final int PLAIN_EXPONENT_MIN = -3;

  private static final int PLAIN_EXPONENT_MAX = 6;

  /// Room for `0.00` and 17 digits, and for the bytes overwritten later.
  private static final int ROOM = 40;

  private static final long POINT = '.';
  private static final long ZEROS = '0' | POINT << 8 | '0' << 16 | '0' << 24;

  private ExponentNotation() {}

  /// Writes a non-negative whole number below ten million.
  static void putWhole(long number, TextOutput output) throws IOException {
    output.putUnsigned(number);
    output.ensure(Long.BYTES);
    output.word(POINT | '0' << 8, 2);
  }

  /// Writes `digits·10^exponent`.
  ///
  /// @param digits a positive number of 1 to 17 digits
  static void put(long digits, int exponent, TextOutput output) throws IOException {
    // All ones if there are fewer than 17 digits, instead of a branch that cannot be predicted.
    long shorter = digits - SEVENTEEN_DIGITS >> 63;
    long aligned = digits + (9 * digits & shorter);
    int firstExponent = exponent + 16 + (int) shorter;
    while (aligned < SEVENTEEN_DIGITS) {
      aligned *= 10;
      firstExponent--;
    }
    long first = aligned / SEVENTEEN_DIGITS;
    long others = aligned - first * SEVENTEEN_DIGITS;
    long upper = others / EIGHT_DIGITS_END;
    long upperDigits = Digits.eight((int) upper);
    long lowerDigits = Digits.eight((int) (others - upper * EIGHT_DIGITS_END));
    int zeros = Digits.trailingZeros(lowerDigits);
    if (zeros == Long.BYTES) {
      zeros += Digits.trailingZeros(upperDigits);
    }
    int count = 17 - zeros;
    output.ensure(ROOM);
    long upperText = upperDigits | Digits.ASCII;
    long lowerText = lowerDigits | Digits.ASCII;
    boolean plain = firstExponent >= PLAIN_EXPONENT_MIN && firstExponent <= PLAIN_EXPONENT_MAX;
    int pointed = plain ? firstExponent : 0;
    // All ones to write `0.00` before the digits instead of a point among them. Both cases write
    // the same words, and one of the two has no bytes.
    int below = pointed >> 31;
    int beforePoint = pointed & ~below | Long.BYTES & below;
    output.word(ZEROS, 1 - pointed & below);
    output.word(first + '0', 1);
    output.word(upperText, beforePoint);
    output.word(POINT, 1 + below);
    output.word(upperText >>> (beforePoint << 3), Long.BYTES - beforePoint);
    // A negative size removes the excess.
    output.word(lowerText, Math.max(count - 1, beforePoint + 1 & ~below) - Long.BYTES);
    if (!plain) {
      output.put('E');
      output.putInteger(firstExponent);
    }
  }
}
