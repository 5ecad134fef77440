package dev.quiver.sql.where;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.sql.where.ComparedValues.Place;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Numbers in literals, and their places among integers.
final class LiteralNumbers {

  /// The digits before and after the point of literals that the engine compares as decimals of at
  /// most 38 digits.
  static final int DIGITS_MAXIMUM = 18;

  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,40}");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(?:\\d{1,40}\\.?\\d{0,40}|\\.\\d{1,40})");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d{1,40}(?:\\.\\d{1,40})?|\\.\\d{1,40})(?:[eE][+-]?\\d{1,3})?");

  private LiteralNumbers() {}

  /// Returns an integer without a point, or null.
  static @Nullable BigInteger integer(String text) {
    return INTEGER.matcher(text).matches() ? new BigInteger(text) : null;
  }

  /// Returns a number without an exponent and with at most [#DIGITS_MAXIMUM] digits on each side of
  /// the point, or null.
  static @Nullable BigDecimal decimal(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      return null;
    }
    int point = text.indexOf('.');
    int wholeDigits = (point < 0 ? text.length() : point) - (text.matches("[+-].*") ? 1 : 0);
    int digits = point < 0 ? 0 : text.length() - point - 1;
    return wholeDigits <= DIGITS_MAXIMUM && digits <= DIGITS_MAXIMUM ? new BigDecimal(text) : null;
  }

  /// Returns the number nearest to a text, or null unless it is normal or zero.
  static @Nullable Double floatingPoint(String text) {
    if (!NUMBER.matcher(text).matches()) {
      return null;
    }
    double value = Double.parseDouble(text);
    boolean isNormal = Math.abs(value) >= Double.MIN_NORMAL && Double.isFinite(value);
    return isNormal || new BigDecimal(text).signum() == 0 ? value : null;
  }

  /// Returns the place of a number among the integers of a width.
  static Place among(int bitWidth, boolean signed, BigDecimal number) {
    BigInteger span = BigInteger.ONE.shiftLeft(bitWidth);
    BigInteger least = signed ? span.shiftRight(1).negate() : BigInteger.ZERO;
    BigInteger greatest = least.add(span).subtract(BigInteger.ONE);
    BigInteger floor = number.setScale(0, RoundingMode.FLOOR).toBigInteger();
    if (floor.compareTo(least) < 0) {
      return new Place(null, false);
    }
    if (floor.compareTo(greatest) > 0) {
      return new Place(encoded(greatest, bitWidth), false);
    }
    boolean isExact = new BigDecimal(floor).compareTo(number) == 0;
    return new Place(encoded(floor, bitWidth), isExact);
  }

  /// Returns the lowest bits of an integer as little-endian bytes.
  static ByteString encoded(BigInteger value, int bitWidth) {
    byte[] bytes = new byte[bitWidth >>> 3];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = value.shiftRight(i << 3).byteValue();
    }
    return ByteString.of(bytes);
  }
}
