package dev.quiver.formats.value;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// A parser of decimals of at most 76 digits, which have 256 bits: digits after an optional sign,
/// with no more of them behind the point than the type has, but for zeros at their end.
public final class DecimalParser extends ValueParser {

  /// The number of digits that fit into 64 bits.
  private static final int CERTAIN_DIGITS = 18;

  /// Longer texts have zeros before their digits that do not occur in practice.
  private static final int LENGTH_MAXIMUM = 100;

  private static final long[] POWERS_OF_TEN = new long[CERTAIN_DIGITS + 1];

  static {
    POWERS_OF_TEN[0] = 1;
    for (int i = 1; i < POWERS_OF_TEN.length; i++) {
      POWERS_OF_TEN[i] = 10 * POWERS_OF_TEN[i - 1];
    }
  }

  private final int precision;
  private final int scale;
  private final byte point;

  /// @param point the decimal separator
  public DecimalParser(int precision, int scale, char point) {
    this.precision = precision;
    this.scale = scale;
    this.point = (byte) point;
  }

  @Override
  public boolean parse(byte[] text, int start, int endOfText) {
    int end = withoutZeros(text, start, endOfText);
    boolean negative = start < end && text[start] == '-';
    int first = negative || start < end && text[start] == '+' ? start + 1 : start;
    if (end - first > LENGTH_MAXIMUM) {
      return false;
    }
    int pointAt = end;
    long value = 0;
    int digits = endOfText - end;
    int significant = 0;
    for (int i = first; i < end; i++) {
      byte c = text[i];
      if (isDigit(c)) {
        digits++;
        significant += significant > 0 || c != '0' ? 1 : 0;
        value = 10 * value + (c - '0');
      } else if (c == point && pointAt == end) {
        pointAt = i;
      } else {
        return false;
      }
    }
    int missing = scale - Math.max(0, end - pointAt - 1);
    if (digits == 0 || missing < 0 || significant > 0 && significant + missing > precision) {
      return false;
    }
    if (significant + missing > CERTAIN_DIGITS) {
      set(text, first, end, missing, negative);
    } else if (significant == 0) {
      low = 0;
      extendSign();
    } else {
      low = negative ? -value * POWERS_OF_TEN[missing] : value * POWERS_OF_TEN[missing];
      extendSign();
    }
    return true;
  }

  private void extendSign() {
    high = low >> Long.SIZE - 1;
    third = high;
    fourth = high;
  }

  /// Returns the end of a text without zeros behind the point that the type has no digits for.
  private int withoutZeros(byte[] text, int start, int end) {
    int last = end;
    while (last > start && text[last - 1] == '0') {
      last--;
    }
    for (int i = last - 1; last < end && i >= start && i >= last - scale - 1; i--) {
      if (text[i] == point) {
        return Math.min(end, i + 1 + scale);
      }
    }
    return end;
  }

  private void set(byte[] text, int first, int end, int missing, boolean negative) {
    String digits =
        new String(text, first, end - first, StandardCharsets.US_ASCII)
            .replace(Character.toString(point), "");
    BigInteger magnitude = new BigInteger(digits).multiply(BigInteger.TEN.pow(missing));
    BigInteger value = negative ? magnitude.negate() : magnitude;
    low = value.longValue();
    high = value.shiftRight(Long.SIZE).longValue();
    third = value.shiftRight(2 * Long.SIZE).longValue();
    fourth = value.shiftRight(3 * Long.SIZE).longValue();
  }
}
