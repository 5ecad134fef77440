package dev.quiver.formats.value;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// A parser of integers of at most 64 bits: decimal digits after an optional sign.
public final class IntegerParser extends ValueParser {

  /// The number of digits that surely fit into 64 signed bits.
  private static final int CERTAIN_DIGITS = 18;

  /// Longer texts have zeros before their digits that do not occur in practice.
  private static final int LENGTH_MAXIMUM = 100;

  private final boolean canonical;
  private final BigInteger minimum;
  private final BigInteger maximum;
  private final long least;
  private final long greatest;

  /// @param canonical whether a text is an integer only if it is written as its digits alone: with
  ///   other zeros before them, a plus, or a minus before zero, it would lose these
  public IntegerParser(int bitWidth, boolean signed, boolean canonical) {
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
        return false;
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
    for (int i = first; i < end; i++) {
      if (!isDigit(text[i])) {
        return false;
      }
    }
    BigInteger value =
        new BigInteger(new String(text, start, end - start, StandardCharsets.US_ASCII));
    low = value.longValue();
    return value.compareTo(minimum) >= 0 && value.compareTo(maximum) <= 0;
  }
}
