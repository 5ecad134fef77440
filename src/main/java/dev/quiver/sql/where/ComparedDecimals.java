package dev.quiver.sql.where;

import dev.quiver.arrow.type.ArrowType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Decimals that the engine has as such. They are compared as decimals that have the digits of both
/// sides, if these are at most 38.
record ComparedDecimals(int precision, int scale, int bitWidth) implements ComparedValues {

  private static final int PRECISION_MAXIMUM = 38;

  /// The digits that the engine may give an integer literal.
  private static final int INTEGER_DIGITS = 19;

  /// Returns the values of a type, or null if the engine lacks it.
  static @Nullable ComparedDecimals of(ArrowType.Decimal type) {
    int precision = Math.max(type.precision(), type.scale());
    return type.scale() < 0 || precision > PRECISION_MAXIMUM
        ? null
        : new ComparedDecimals(precision, type.scale(), type.bitWidth());
  }

  @Override
  public @Nullable Place place(SqlLiteral literal) {
    BigDecimal number = literal.type().isEmpty() ? number(literal) : null;
    return number == null
        ? null
        : LiteralNumbers.among(bitWidth, /* signed= */ true, number.scaleByPowerOfTen(scale));
  }

  private @Nullable BigDecimal number(SqlLiteral literal) {
    BigDecimal number = LiteralNumbers.decimal(literal.text());
    if (number == null) {
      return null;
    }
    int wholeDigits = number.precision() - number.scale();
    return switch (literal.kind()) {
      case INTEGER, NUMERIC ->
          Math.max(precision - scale, INTEGER_DIGITS) + Math.max(scale, number.scale())
                  <= PRECISION_MAXIMUM
              ? number
              : null;
      case STRING -> number.scale() <= scale && wholeDigits <= precision - scale ? number : null;
      case BOOLEAN, NULL_LITERAL -> null;
    };
  }
}
