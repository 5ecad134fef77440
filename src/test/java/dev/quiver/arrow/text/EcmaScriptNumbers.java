package dev.quiver.arrow.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The text of numbers by `Number::toString` of ECMAScript, step by step, but with the sign of
/// negative zero.
public final class EcmaScriptNumbers {

  private EcmaScriptNumbers() {}

  /// Returns the text of a finite number.
  public static String of(double value) {
    return signed(
        1 / value < 0 || value < 0,
        shortest(Double.toString(Math.abs(value)), text -> text.doubleValue() == Math.abs(value)));
  }

  /// Returns the text of a finite number of single precision.
  public static String of(float value) {
    return signed(
        1 / value < 0 || value < 0,
        shortest(Float.toString(Math.abs(value)), text -> text.floatValue() == Math.abs(value)));
  }

  /// Returns the text of a decimal that is not negative.
  static String of(BigDecimal decimal) {
    if (decimal.signum() == 0) {
      return "0";
    }
    BigDecimal stripped = decimal.stripTrailingZeros();
    String digits = stripped.unscaledValue().toString();
    int k = digits.length();
    // The value is 0.digits·10^n.
    int n = k - stripped.scale();
    if (k <= n && n <= 21) {
      return digits + "0".repeat(n - k);
    }
    if (0 < n && n <= 21) {
      return digits.substring(0, n) + "." + digits.substring(n);
    }
    if (-6 < n && n <= 0) {
      return "0." + "0".repeat(-n) + digits;
    }
    String exponent = (n > 0 ? "e+" : "e-") + Math.abs(n - 1);
    return k == 1
        ? digits + exponent
        : digits.substring(0, 1) + "." + digits.substring(1) + exponent;
  }

  private static String signed(boolean isNegative, BigDecimal magnitude) {
    return (isNegative ? "-" : "") + of(magnitude);
  }

  /// Returns the closest of the decimals with the fewest digits, of which the JDK has two where one
  /// is enough.
  private static BigDecimal shortest(String text, Predicate<BigDecimal> isSame) {
    BigDecimal decimal = new BigDecimal(text);
    if (decimal.stripTrailingZeros().precision() != 2) {
      return decimal;
    }
    return Stream.of(RoundingMode.DOWN, RoundingMode.UP)
        .map(mode -> decimal.round(new MathContext(1, mode)))
        .filter(isSame)
        .min((a, b) -> a.subtract(decimal).abs().compareTo(b.subtract(decimal).abs()))
        .orElse(decimal);
  }
}
