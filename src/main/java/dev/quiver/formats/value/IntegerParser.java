package dev.quiver.formats.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// A parser of integers of at most 64 bits: decimal digits after an optional sign. Unless texts
/// must be canonical, also numbers with a point or an exponent that are integers, such as the
/// `1e+05` of R, and the `3.0` of pandas for a column with nulls.
public final class IntegerParser extends ValueParser {

  /// The number of digits that surely fit into 64 signed bits.
  private static final int CERTAIN_DIGITS = 18;

  /// Longer texts have zeros before their digits that do not occur in practice.
  private static final int LENGTH_MAXIMUM = 100;

  /// Greater ones exceed 64 bits, but for zero.
  private static final int INTEGER_DIGITS_MAXIMUM = 20;

  private static final int EXPONENT_DIGITS_MAXIMUM = 3;

  private final byte point;
  private final boolean canonical;
  private final BigInteger minimum;
  private final BigInteger maximum;
  private final long least;
  private final long greatest;

  /// @param point the decimal separator
  /// @param canonical whether a text is an integer only if it is written as its digits alone: with
  ///   other zeros before them, a plus, or a minus before zero, it would lose these
  public IntegerParser(int bitWidth, boolean signed, char point, boolean canonical) {
    this.point = (byte) point;
    this.canonical = canonical;
    BigInteger count = BigInteger.ONE.shiftLeft(bitWidth);
    this.minimum = signed ? count.shiftRight(1).negate() : BigInteger.ZERO;
    this.maximum = minimum.add(count).subtract(BigInteger.ONE);
    this.least = minimum.longValue();
    // Greater ones of 64 unsigned bits have more digits.
    this.greatest = maximum.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
  }

  @Override
  public boolean parse(byte[] text, int start, int end) {
    boolean negative = start < end && text[start] == '-';
    boolean signed = negative || start < end && text[start] == '+';
    int first = signed ? start + 1 : start;
    int digits = end - first;
    boolean isNegativeZero = negative && digits == 1 && text[first] == '0';
    if (digits < 1 || canonical && (isNegativeZero || hasSurplusStart(text, start, end))) {
      return false;
    }
    if (digits > CERTAIN_DIGITS) {
      return parseExactly(text, start, end, first);
    }
    long value = 0;
    for (int i = first; i < end; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return parseNumber(text, start, end, first);
      }
      value = 10 * value + digit;
    }
    low = negative ? -value : value;
    return low >= least && low <= greatest;
  }

  private boolean parseExactly(byte[] text, int start, int end, int first) {
    if (end - start > LENGTH_MAXIMUM) {
      return false;
    }
    if (digitsEnd(text, first, end) < end) {
      return parseNumber(text, start, end, first);
    }
    return set(new BigInteger(new String(text, start, end - start, StandardCharsets.US_ASCII)));
  }

  /// Parses a number with a point or an exponent, if it is an integer.
  private boolean parseNumber(byte[] text, int start, int end, int first) {
    if (canonical || end - start > LENGTH_MAXIMUM || !isNumber(text, first, end)) {
      return false;
    }
    String number = new String(text, start, end - start, StandardCharsets.US_ASCII);
    BigDecimal value = new BigDecimal(number.replace((char) point, '.'));
    if (value.signum() == 0) {
      return set(BigInteger.ZERO);
    }
    boolean isShort = value.precision() - value.scale() <= INTEGER_DIGITS_MAXIMUM;
    return isShort && value.stripTrailingZeros().scale() <= 0 && set(value.toBigIntegerExact());
  }

  /// Returns whether a text without its sign is a number: digits, perhaps a point between them, and
  /// perhaps an exponent.
  private boolean isNumber(byte[] text, int first, int end) {
    int next = digitsEnd(text, first, end);
    boolean hasDigits = next > first;
    if (hasDigits && next < end && text[next] == point) {
      int fraction = next + 1;
      next = digitsEnd(text, fraction, end);
      hasDigits = next > fraction;
    }
    if (!hasDigits || next == end) {
      return hasDigits;
    }
    if (text[next] != 'e' && text[next] != 'E') {
      return false;
    }
    next++;
    if (next < end && (text[next] == '-' || text[next] == '+')) {
      next++;
    }
    int exponentDigits = end - next;
    return exponentDigits >= 1
        && exponentDigits <= EXPONENT_DIGITS_MAXIMUM
        && digitsEnd(text, next, end) == end;
  }

  private static int digitsEnd(byte[] text, int start, int end) {
    int next = start;
    while (next < end && isDigit(text[next])) {
      next++;
    }
    return next;
  }

  private boolean set(BigInteger value) {
    low = value.longValue();
    return value.compareTo(minimum) >= 0 && value.compareTo(maximum) <= 0;
  }
}
