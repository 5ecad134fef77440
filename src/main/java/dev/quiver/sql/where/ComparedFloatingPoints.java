package dev.quiver.sql.where;

import dev.quiver.arrow.memory.ByteString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Floating-point numbers. Columns of up to 32 bits are compared as FLOAT with integers and
/// decimals, and as DOUBLE with a DOUBLE.
record ComparedFloatingPoints(int bitWidth) implements ComparedValues {

  /// The powers of ten that a number of 32 or 64 bits holds exactly.
  private static final int FLOAT_SCALE_MAXIMUM = 10;

  private static final int DOUBLE_SCALE_MAXIMUM = 22;

  @Override
  public @Nullable Place place(SqlLiteral literal) {
    Double value =
        switch (literal.type()) {
          case "" ->
              switch (literal.kind()) {
                case INTEGER, NUMERIC ->
                    literal.hasExponent()
                        ? LiteralNumbers.floatingPoint(literal.text())
                        : quotient(literal.text(), isDouble());
                case STRING -> text(literal.text(), isDouble());
                case BOOLEAN, NULL_LITERAL -> null;
              };
          case "DOUBLE" ->
              literal.kind() == SqlLiteral.Kind.STRING
                  ? text(literal.text(), /* isDouble= */ true)
                  : null;
          case "FLOAT", "REAL" ->
              literal.kind() == SqlLiteral.Kind.STRING
                  ? text(literal.text(), /* isDouble= */ false)
                  : null;
          default -> null;
        };
    ByteString encoded = value == null ? null : encoded(value);
    return encoded == null ? null : Place.exact(encoded);
  }

  private boolean isDouble() {
    return bitWidth == Double.SIZE;
  }

  /// Returns an integer or a decimal as the quotient of two exact numbers, which is how the engine
  /// converts it, or null if one of them is not exact.
  private static @Nullable Double quotient(String text, boolean isDouble) {
    BigDecimal number = LiteralNumbers.decimal(text);
    if (number == null) {
      return null;
    }
    int bits = isDouble ? 53 : 24;
    int scaleMaximum = isDouble ? DOUBLE_SCALE_MAXIMUM : FLOAT_SCALE_MAXIMUM;
    boolean isExact = number.unscaledValue().bitLength() <= bits && number.scale() <= scaleMaximum;
    return isExact ? (isDouble ? number.doubleValue() : number.floatValue()) : null;
  }

  /// Returns the number that a string stands for, or null if the engine may reject it.
  private static @Nullable Double text(String text, boolean isDouble) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "inf", "infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> {
        Double value = LiteralNumbers.floatingPoint(text);
        if (value == null || isDouble) {
          yield value;
        }
        float narrow = Float.parseFloat(text);
        boolean isNormal = Math.abs(narrow) >= Float.MIN_NORMAL && Float.isFinite(narrow);
        yield isNormal || value == 0 ? (double) narrow : null;
      }
    };
  }

  /// Returns a number as a value of this width, or null if none equals it.
  private @Nullable ByteString encoded(double value) {
    boolean isNan = Double.isNaN(value);
    return switch (bitWidth) {
      case Double.SIZE -> bits(Double.doubleToLongBits(value));
      case Float.SIZE ->
          isNan || (float) value == value ? bits(Float.floatToIntBits((float) value)) : null;
      default -> {
        short half = Float.floatToFloat16((float) value);
        yield isNan || Float.float16ToFloat(half) == value ? bits(half) : null;
      }
    };
  }

  private ByteString bits(long bits) {
    return LiteralNumbers.encoded(BigInteger.valueOf(bits), bitWidth);
  }
}
