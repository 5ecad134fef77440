package dev.quiver.formats.value;

import dev.quiver.arrow.type.Precision;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// A parser of floating-point numbers, each of which becomes the nearest one of its precision:
/// digits with an optional sign, point and exponent, or `nan`, `inf` and `infinity` in any case. A
/// number beyond the range of the precision is rejected.
///
/// If a double holds the integer of all digits exactly, and the power of ten as well, their
/// quotient or product is the number. Others of up to 19 digits are read as in *Number Parsing at a
/// Gigabyte per Second* by Daniel Lemire: their integer is multiplied by a power of five of 128
/// bits, which decides on every bit of a double. As later shown by Noble Mushtak and Daniel Lemire,
/// this needs no other way out. Of more digits, the first ones decide unless the next integer would
/// become another double.
public final class FloatParser extends ValueParser {

  private static final int DIGITS_MAXIMUM = 19;

  /// Longer texts do not occur as numbers in practice.
  private static final int LENGTH_MAXIMUM = 1_000;

  /// Exponents from which on any number is zero or too large.
  private static final int EXPONENT_MAXIMUM = 10_000;

  /// The powers of ten that a double holds, and the integers up to which it holds all.
  private static final int EXACT_POWER = 22;

  private static final long EXACT_INTEGER = 1L << 53;
  private static final double[] POWERS_OF_TEN = new double[EXACT_POWER + 1];

  private static final int POWER_MINIMUM = -342;
  private static final int POWER_MAXIMUM = 308;

  /// The 128 highest bits of each power of five, the upper 64 before the lower.
  private static final long[] POWERS_OF_FIVE = new long[2 * (POWER_MAXIMUM - POWER_MINIMUM + 1)];

  private static final int MANTISSA_BITS = 52;
  private static final long HIDDEN_BIT = 1L << MANTISSA_BITS;
  private static final int EXPONENT_BIAS = 1023;
  private static final int INFINITE_EXPONENT = 0x7FF;
  private static final long SIGN = Long.MIN_VALUE;

  /// The bits of a double that a float lacks, and those between two floats.
  private static final long FLOAT_REST = (1L << 29) - 1;

  private static final long FLOAT_MIDDLE = 1L << 28;

  static {
    for (int i = 0; i <= EXACT_POWER; i++) {
      POWERS_OF_TEN[i] = Double.parseDouble("1e" + i);
    }
    for (int power = POWER_MINIMUM; power <= POWER_MAXIMUM; power++) {
      BigInteger bits = power < 0 ? reciprocal(-power) : BigInteger.valueOf(5).pow(power);
      BigInteger highest = bits.shiftRight(bits.bitLength() - 128);
      int index = 2 * (power - POWER_MINIMUM);
      POWERS_OF_FIVE[index] = highest.shiftRight(Long.SIZE).longValue();
      POWERS_OF_FIVE[index + 1] = highest.longValue();
    }
  }

  /// Returns the next integer above a power of two divided by a power of five, of at least 128
  /// bits.
  private static BigInteger reciprocal(int power) {
    BigInteger divisor = BigInteger.valueOf(5).pow(power);
    int bits = divisor.bitLength();
    int shift = power <= 27 ? bits + 127 : 2 * bits + 128;
    return BigInteger.ONE.shiftLeft(shift).divide(divisor).add(BigInteger.ONE);
  }

  private final Precision precision;
  private final byte point;
  private final long points;
  private final boolean canonical;
  private boolean finite;

  /// @param point the decimal separator
  /// @param canonical whether a text is a number only if it loses nothing but digits of a fraction:
  ///   not zeros or a plus before its digits, and not digits of an integer beyond 2⁵³
  public FloatParser(Precision precision, char point, boolean canonical) {
    this.precision = precision;
    this.point = (byte) point;
    this.points = DigitWords.points(this.point);
    this.canonical = canonical;
  }

  /// Returns whether the last value is neither infinite nor not a number.
  public boolean isFinite() {
    return finite;
  }

  @Override
  public boolean parse(byte[] text, int start, int end) {
    if (canonical && hasSurplusStart(text, start, end)) {
      return false;
    }
    boolean negative = start < end && text[start] == '-';
    int first = negative || start < end && text[start] == '+' ? start + 1 : start;
    finite = true;
    long decimal = DigitWords.decimal(text, first, end, points);
    if (decimal == DigitWords.NONE) {
      return parseByCharacter(text, start, end, negative, first);
    }
    long integer = DigitWords.integer(decimal);
    int fractionDigits = DigitWords.fractionDigits(decimal);
    if (integer <= EXACT_INTEGER && precision == Precision.DOUBLE) {
      // As in bits, which is too large to become part of this method.
      double value = integer / POWERS_OF_TEN[fractionDigits];
      low = Double.doubleToRawLongBits(negative ? -value : value);
      return true;
    }
    // That many digits leave no room for a point.
    boolean losesDigits = canonical && integer > EXACT_INTEGER;
    return !losesDigits
        && set(text, start, end, negative, integer, -fractionDigits, /* truncated= */ false);
  }

  /// Parses what [DigitWords] does not read.
  ///
  /// @param first the offset of the first character after the sign
  private boolean parseByCharacter(byte[] text, int start, int end, boolean negative, int first) {
    int next = first;
    long integer = 0;
    int digits = 0;
    int dropped = 0;
    int pointAt = -1;
    for (; next < end; next++) {
      byte c = text[next];
      if (isDigit(c)) {
        if (digits < DIGITS_MAXIMUM) {
          integer = 10 * integer + (c - '0');
          digits += integer == 0 ? 0 : 1;
        } else {
          dropped++;
        }
      } else if (c == point && pointAt < 0) {
        pointAt = next;
      } else {
        break;
      }
    }
    if (next - first == (pointAt < 0 ? 0 : 1)) {
      return parseNonFinite(text, first, end, negative);
    }
    boolean isWhole = pointAt < 0 && next == end;
    if (canonical && isWhole && (dropped > 0 || Long.compareUnsigned(integer, EXACT_INTEGER) > 0)) {
      return false;
    }
    int exponent = dropped - (pointAt < 0 ? 0 : next - pointAt - 1);
    if (next < end) {
      int stated = exponent(text, next, end);
      if (stated == Integer.MIN_VALUE) {
        return false;
      }
      exponent += stated;
    }
    if (end - start > LENGTH_MAXIMUM) {
      return false;
    }
    return set(text, start, end, negative, integer, exponent, dropped > 0);
  }

  private boolean set(
      byte[] text,
      int start,
      int end,
      boolean negative,
      long integer,
      int exponent,
      boolean truncated) {
    long bits = bits(integer, exponent);
    if (truncated && bits != bits(integer + 1, exponent)) {
      bits = Double.doubleToRawLongBits(Double.parseDouble(javaText(text, start, end))) & ~SIGN;
    }
    if (bits >>> MANTISSA_BITS == INFINITE_EXPONENT) {
      return false;
    }
    bits |= negative ? SIGN : 0;
    double value = Double.longBitsToDouble(bits);
    switch (precision) {
      case DOUBLE -> low = bits;
      case SINGLE -> {
        float single = (float) value;
        if ((bits & FLOAT_REST) == FLOAT_MIDDLE
            || value != 0 && Math.abs(value) < Float.MIN_NORMAL) {
          // The text may be on either side of the middle between two floats.
          single = Float.parseFloat(javaText(text, start, end));
        }
        low = Float.floatToRawIntBits(single);
        return Float.isFinite(single);
      }
      case HALF -> {
        low = half(text, start, end, value);
        return Float.isFinite(Float.float16ToFloat((short) low));
      }
    }
    return true;
  }

  /// Returns the nearest half of a text.
  ///
  /// @param value the nearest double
  private short half(byte[] text, int start, int end, double value) {
    boolean isMiddle =
        value == (float) value
            && value != 0
            && half(Math.nextDown(value)) != half(Math.nextUp(value));
    if (!isMiddle) {
      return half(value);
    }
    // The text may be on either side of the middle between two halves.
    int side = new BigDecimal(javaText(text, start, end)).compareTo(new BigDecimal(value));
    return half(side < 0 ? Math.nextDown(value) : side > 0 ? Math.nextUp(value) : value);
  }

  /// Returns the nearest half of a double. What a float lacks of it must count once only.
  private static short half(double value) {
    float single = (float) value;
    if (Math.abs((double) single) > Math.abs(value)) {
      single = Float.intBitsToFloat(Float.floatToRawIntBits(single) - 1);
    }
    return Float.floatToFloat16(
        single == value ? single : Float.intBitsToFloat(Float.floatToRawIntBits(single) | 1));
  }

  private String javaText(byte[] text, int start, int end) {
    return new String(text, start, end - start, StandardCharsets.US_ASCII)
        .replace((char) point, '.');
  }

  /// Returns the exponent that ends a text, or the least integer if it is invalid.
  private static int exponent(byte[] text, int start, int end) {
    if ((text[start] | 0x20) != 'e') {
      return Integer.MIN_VALUE;
    }
    int next = start + 1;
    boolean negative = next < end && text[next] == '-';
    next += negative || next < end && text[next] == '+' ? 1 : 0;
    if (next == end) {
      return Integer.MIN_VALUE;
    }
    int exponent = 0;
    for (; next < end; next++) {
      if (!isDigit(text[next])) {
        return Integer.MIN_VALUE;
      }
      exponent = Math.min(EXPONENT_MAXIMUM, 10 * exponent + (text[next] - '0'));
    }
    return negative ? -exponent : exponent;
  }

  private boolean parseNonFinite(byte[] text, int start, int end, boolean negative) {
    boolean infinite =
        equalsIgnoringCase(text, start, end, "inf")
            || equalsIgnoringCase(text, start, end, "infinity");
    if (!infinite && !equalsIgnoringCase(text, start, end, "nan")) {
      return false;
    }
    finite = false;
    float value =
        !infinite ? Float.NaN : negative ? Float.NEGATIVE_INFINITY : Float.POSITIVE_INFINITY;
    low =
        switch (precision) {
          case DOUBLE -> Double.doubleToRawLongBits(value);
          case SINGLE -> Float.floatToRawIntBits(value);
          case HALF -> Float.floatToFloat16(value);
        };
    return true;
  }

  /// Returns the bits of the double nearest to an integer, taken as unsigned, times a power of ten.
  private static long bits(long integer, int power) {
    if (integer == 0 || power < POWER_MINIMUM) {
      return 0;
    }
    if (power > POWER_MAXIMUM) {
      return (long) INFINITE_EXPONENT << MANTISSA_BITS;
    }
    if (integer > 0 && integer <= EXACT_INTEGER && power >= -EXACT_POWER && power <= EXACT_POWER) {
      // Both are exact, and so is the rounding.
      return Double.doubleToRawLongBits(
          power < 0 ? integer / POWERS_OF_TEN[-power] : integer * POWERS_OF_TEN[power]);
    }
    int zeros = Long.numberOfLeadingZeros(integer);
    long shifted = integer << zeros;
    int index = 2 * (power - POWER_MINIMUM);
    long productHigh = Math.unsignedMultiplyHigh(shifted, POWERS_OF_FIVE[index]);
    long productLow = shifted * POWERS_OF_FIVE[index];
    if ((productHigh & 0x1FF) == 0x1FF) {
      long more = Math.unsignedMultiplyHigh(shifted, POWERS_OF_FIVE[index + 1]);
      productLow += more;
      productHigh += Long.compareUnsigned(more, productLow) > 0 ? 1 : 0;
    }
    int highest = (int) (productHigh >>> Long.SIZE - 1);
    int shift = highest + Long.SIZE - MANTISSA_BITS - 3;
    long mantissa = productHigh >>> shift;
    // The second term is the binary exponent of the power of ten.
    int exponent = EXPONENT_BIAS + (217_706 * power >> 16) + 63 + highest - zeros;
    if (exponent <= 0) {
      return subnormal(mantissa, 1 - exponent);
    }
    boolean middle =
        Long.compareUnsigned(productLow, 1) <= 0
            && power >= -4
            && power <= 23
            && (mantissa & 3) == 1
            && mantissa << shift == productHigh;
    mantissa = (middle ? mantissa & ~1 : mantissa) + (middle ? 0 : mantissa & 1) >>> 1;
    if (mantissa >= HIDDEN_BIT << 1) {
      mantissa = HIDDEN_BIT;
      exponent++;
    }
    return exponent >= INFINITE_EXPONENT
        ? (long) INFINITE_EXPONENT << MANTISSA_BITS
        : mantissa & ~HIDDEN_BIT | (long) exponent << MANTISSA_BITS;
  }

  private static long subnormal(long mantissa, int shift) {
    if (shift >= Long.SIZE) {
      return 0;
    }
    long shifted = mantissa >>> shift;
    // The lowest normal number has this exponent as its highest bit.
    return shifted + (shifted & 1) >>> 1;
  }
}
