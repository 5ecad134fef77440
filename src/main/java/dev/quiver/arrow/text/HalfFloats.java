package dev.quiver.arrow.text;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;

/// Half-precision numbers with the fewest digits that distinguish them. The JDK has no method for
/// that.
final class HalfFloats {

  private static final int SIGN = 0x8000;
  private static final int INFINITY = 0x7C00;

  /// The number after the largest one.
  private static final double END = 65_536;

  /// The bits of an exponent, in excess of [#EXPONENT_EXCESS].
  private static final int EXPONENT_BITS = 6;

  private static final int EXPONENT_EXCESS = 32;

  /// The digits and exponents computed so far, or 0. There are few, and each takes a microsecond to
  /// compute.
  private static final int[] DECIMALS = new int[INFINITY];

  private HalfFloats() {}

  /// Writes a finite number, such as `0.1` or `6e-8`.
  static void put(short bits, TextOutput output) throws IOException {
    if ((bits & SIGN) != 0) {
      output.put('-');
    }
    int magnitude = bits & ~SIGN & 0xFFFF;
    if (magnitude == 0) {
      output.put('0');
      return;
    }
    int decimal = DECIMALS[magnitude];
    if (decimal == 0) {
      decimal = shortest(magnitude);
      DECIMALS[magnitude] = decimal;
    }
    int exponent = (decimal & (1 << EXPONENT_BITS) - 1) - EXPONENT_EXCESS;
    ExponentNotation.put(decimal >>> EXPONENT_BITS, exponent, output);
  }

  private static int shortest(int magnitude) {
    double value = value(magnitude);
    double next = magnitude + 1 == INFINITY ? END : value(magnitude + 1);
    // All numbers between these are nearest to the value. The calculation is exact.
    BigDecimal low = new BigDecimal((value(magnitude - 1) + value) / 2);
    BigDecimal high = new BigDecimal((value + next) / 2);
    BigDecimal exact = new BigDecimal(value);
    BigDecimal rounded = exact;
    for (int digits = 1; digits < exact.precision(); digits++) {
      BigDecimal candidate = exact.round(new MathContext(digits));
      if (candidate.compareTo(low) > 0 && candidate.compareTo(high) < 0) {
        rounded = candidate;
        break;
      }
    }
    int exponent = EXPONENT_EXCESS - rounded.scale();
    return rounded.unscaledValue().intValueExact() << EXPONENT_BITS | exponent;
  }

  private static double value(int magnitude) {
    return Float.float16ToFloat((short) magnitude);
  }
}
