package dev.quiver.arrow.text;

import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/// Half-precision numbers with the fewest digits that distinguish them. The JDK has no method for
/// that.
final class HalfFloats {

  private static final int SIGN = 0x8000;
  private static final int INFINITY = 0x7C00;

  /// The number after the largest one.
  private static final double END = 65_536;

  /// The texts computed so far. There are few, and each takes a microsecond to compute.
  private static final @Nullable String[] TEXTS = new String[INFINITY];

  private HalfFloats() {}

  /// Returns the text of a finite number, such as `0.1` or `6.0E-8`.
  static String toString(short bits) {
    int magnitude = bits & ~SIGN & 0xFFFF;
    String text = TEXTS[magnitude];
    if (text == null) {
      text = shortest(magnitude);
      TEXTS[magnitude] = text;
    }
    return (bits & SIGN) == 0 ? text : "-" + text;
  }

  private static String shortest(int magnitude) {
    if (magnitude == 0) {
      return "0.0";
    }
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
    return Double.toString(rounded.doubleValue());
  }

  private static double value(int magnitude) {
    return Float.float16ToFloat((short) magnitude);
  }
}
