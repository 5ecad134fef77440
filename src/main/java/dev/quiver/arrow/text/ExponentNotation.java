package dev.quiver.arrow.text;

import java.io.IOException;

/// Digits and an exponent as text, as `Number::toString` of ECMAScript has them: plain from
/// `0.000001` to below `1e21`, otherwise with an exponent such as `1.5e-7` or `1e+21`.
final class ExponentNotation {

  /// The smallest number with 17 digits.
  private static final long SEVENTEEN_DIGITS = 10_000_000_000_000_000L;

  private static final long EIGHT_DIGITS_END = Digits.EIGHT_DIGITS_END;

  /// The exponents of the first digit of plain numbers.
  private static final int PLAIN_EXPONENT_MIN = -6;

  private static final int PLAIN_EXPONENT_MAX = 20;

  /// Room for `0.00000` and 17 digits, and for the bytes overwritten later.
  private static final int ROOM = 40;

  private static final long POINT = '.';
  private static final long ZEROS = Digits.ASCII & ~0xFF00L | POINT << 8;

  private ExponentNotation() {}

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
    if (pointed > Long.BYTES) {
      output.word(first + '0', 1);
      output.word(upperText, Long.BYTES);
      putLarge(lowerText, count, pointed, output);
      return;
    }
    // All ones to write `0.00` before the digits instead of a point among them. Both cases write
    // the same words, and one of the two has no bytes.
    int below = pointed >> 31;
    int beforePoint = pointed & ~below | Long.BYTES & below;
    output.word(ZEROS, 1 - pointed & below);
    output.word(first + '0', 1);
    output.word(upperText, beforePoint);
    output.word(POINT, 1 + below);
    output.word(upperText >>> (beforePoint << 3), Long.BYTES - beforePoint);
    // A negative size removes the excess, and the point of a whole number.
    boolean whole = count - 1 <= pointed;
    output.word(lowerText, (whole ? pointed : count) - 1 - Long.BYTES);
    if (!plain) {
      output.put('e');
      if (firstExponent > 0) {
        output.put('+');
      }
      output.putInteger(firstExponent);
    }
  }

  /// Writes the digits after the first nine of a number.
  ///
  /// @param count the number of digits without zeros at the end
  /// @param pointed the number of digits between the first one and the point: nine or more
  private static void putLarge(long lowerText, int count, int pointed, TextOutput output) {
    int beforePoint = Math.min(pointed - Long.BYTES, Long.BYTES);
    output.word(lowerText, beforePoint);
    if (count - 1 > pointed) {
      output.word(POINT, 1);
      output.word(lowerText >>> (beforePoint << 3), count - 1 - pointed);
    } else {
      output.word(Digits.ASCII, Math.max(0, pointed - 2 * Long.BYTES));
    }
  }
}
