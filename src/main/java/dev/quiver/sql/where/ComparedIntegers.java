package dev.quiver.sql.where;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Integers. They are compared as integers or decimals, which hold all of them, or as DOUBLE, which
/// holds integers of up to 32 bits.
record ComparedIntegers(int bitWidth, boolean signed) implements ComparedValues {

  private static final int DOUBLE_BITS = 32;

  @Override
  public @Nullable Place place(SqlLiteral literal) {
    BigDecimal number =
        switch (literal.kind()) {
          case INTEGER, NUMERIC, STRING -> number(literal);
          case BOOLEAN, NULL_LITERAL -> null;
        };
    return number == null ? null : LiteralNumbers.among(bitWidth, signed, number);
  }

  private @Nullable BigDecimal number(SqlLiteral literal) {
    return switch (literal.type()) {
      case "" ->
          literal.kind() == SqlLiteral.Kind.STRING
              ? integer(literal, bitWidth, signed)
              : literal.hasExponent()
                  ? floatingPoint(literal)
                  : LiteralNumbers.decimal(literal.text());
      case "TINYINT" -> integer(literal, 8, true);
      case "SMALLINT" -> integer(literal, 16, true);
      case "INTEGER" -> integer(literal, 32, true);
      case "BIGINT" -> integer(literal, 64, true);
      case "UTINYINT" -> integer(literal, 8, false);
      case "USMALLINT" -> integer(literal, 16, false);
      case "UINTEGER" -> integer(literal, 32, false);
      case "UBIGINT" -> integer(literal, 64, false);
      case "DOUBLE" -> literal.kind() == SqlLiteral.Kind.STRING ? floatingPoint(literal) : null;
      default -> null;
    };
  }

  /// Returns a literal as a number of an integer type, or null if it may not be one.
  private static @Nullable BigDecimal integer(SqlLiteral literal, int bitWidth, boolean signed) {
    BigInteger value =
        literal.kind() == SqlLiteral.Kind.NUMERIC ? null : LiteralNumbers.integer(literal.text());
    boolean fits =
        value != null
            && (signed
                ? value.bitLength() < bitWidth
                : value.signum() >= 0 && value.bitLength() <= bitWidth);
    return fits ? new BigDecimal(value) : null;
  }

  private @Nullable BigDecimal floatingPoint(SqlLiteral literal) {
    Double value = bitWidth > DOUBLE_BITS ? null : LiteralNumbers.floatingPoint(literal.text());
    return value == null ? null : new BigDecimal(value);
  }
}
