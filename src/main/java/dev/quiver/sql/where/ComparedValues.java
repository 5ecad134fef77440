package dev.quiver.sql.where;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.statistics.Predicate.Operator;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The values of a column in comparisons with literals.
interface ComparedValues {

  /// Returns the place of a literal among the values, or null unless the engine compares the column
  /// with exactly this value.
  @Nullable Place place(SqlLiteral literal);

  /// Returns whether a string in a list keeps its meaning.
  default boolean listsBareStrings() {
    return false;
  }

  /// The place of a literal among the values of a column.
  ///
  /// @param value the greatest value that is not greater than the literal, or null if all are
  ///   greater
  /// @param isExact whether it equals the literal
  record Place(@Nullable ByteString value, boolean isExact) {

    static Place exact(ByteString value) {
      return new Place(value, true);
    }

    /// Returns the comparison with the literal.
    Predicate compare(List<Integer> column, Operator operator) {
      ByteString below = value;
      if (below != null && isExact) {
        return new Predicate.Comparison(column, operator, below);
      }
      return switch (operator) {
        case EQUAL, NOT_DISTINCT -> new Predicate.In(column, List.of());
        case NOT_EQUAL -> new Predicate.NullTest(column, false);
        case DISTINCT -> new Predicate.Conjunction(List.of());
        case LESS, LESS_OR_EQUAL ->
            below == null
                ? new Predicate.In(column, List.of())
                : new Predicate.Comparison(column, Operator.LESS_OR_EQUAL, below);
        case GREATER, GREATER_OR_EQUAL ->
            below == null
                ? new Predicate.NullTest(column, false)
                : new Predicate.Comparison(column, Operator.GREATER, below);
      };
    }
  }

  /// Returns the values of a field, or null if none of its comparisons is supported.
  static @Nullable ComparedValues of(Field field) {
    Field values = field;
    if (field.dictionary() != null) {
      values = field.withDictionary(null);
    } else if (field.type() instanceof ArrowType.RunEndEncoded) {
      values = field.children().getLast();
    }
    // The engine has types of its own for some extensions.
    if (values.dictionary() != null
        || field.extensionName() != null
        || values.extensionName() != null) {
      return null;
    }
    return switch (values.type()) {
      case ArrowType.Bool() -> new Booleans();
      case ArrowType.Int(int bitWidth, boolean signed) -> new ComparedIntegers(bitWidth, signed);
      case ArrowType.FloatingPoint(var precision) ->
          new ComparedFloatingPoints(precision.bitWidth());
      case ArrowType.Decimal type -> ComparedDecimals.of(type);
      case ArrowType.Date(DateUnit unit) when unit == DateUnit.DAY -> new ComparedTemporals.Dates();
      case ArrowType.Time(var unit, int bitWidth) -> ComparedTemporals.Times.of(unit, bitWidth);
      case ArrowType.Timestamp(var unit, var zone) ->
          new ComparedTemporals.Timestamps(unit, zone != null && !zone.isEmpty());
      case ArrowType.Text _ -> new Texts();
      case ArrowType.Bytes _ -> new Blobs();
      default -> null;
    };
  }

  /// Booleans.
  record Booleans() implements ComparedValues {

    static final ByteString FALSE = ByteString.of(new byte[] {0});
    static final ByteString TRUE = ByteString.of(new byte[] {1});

    @Override
    public @Nullable Place place(SqlLiteral literal) {
      return literal.kind() == SqlLiteral.Kind.BOOLEAN && literal.type().isEmpty()
          ? Place.exact(literal.text().equalsIgnoreCase("true") ? TRUE : FALSE)
          : null;
    }
  }

  /// Text, which is compared byte by byte.
  record Texts() implements ComparedValues {

    @Override
    public @Nullable Place place(SqlLiteral literal) {
      boolean isText =
          switch (literal.type()) {
            case "", "VARCHAR", "TEXT", "STRING" -> literal.kind() == SqlLiteral.Kind.STRING;
            default -> false;
          };
      return isText ? Place.exact(ByteString.of(literal.text())) : null;
    }

    @Override
    public boolean listsBareStrings() {
      return true;
    }
  }

  /// Binary values. In a literal, `\xFF` is a byte.
  record Blobs() implements ComparedValues {

    @Override
    public @Nullable Place place(SqlLiteral literal) {
      boolean isBlob =
          switch (literal.type()) {
            case "", "BLOB", "BYTEA" -> literal.kind() == SqlLiteral.Kind.STRING;
            default -> false;
          };
      byte[] bytes = isBlob ? bytes(literal.text()) : null;
      return bytes == null ? null : Place.exact(ByteString.of(bytes));
    }

    /// Returns the bytes that a text stands for, or null if the engine may reject it.
    private static byte @Nullable [] bytes(String text) {
      byte[] bytes = new byte[text.length()];
      int count = 0;
      for (int i = 0; i < text.length(); count++) {
        char character = text.charAt(i);
        if (character == '\\') {
          int high = i + 3 < text.length() ? hexadecimal(text.charAt(i + 2)) : -1;
          int low = i + 3 < text.length() ? hexadecimal(text.charAt(i + 3)) : -1;
          if (high < 0 || low < 0 || text.charAt(i + 1) != 'x') {
            return null;
          }
          bytes[count] = (byte) (high << 4 | low);
          i += 4;
        } else if (character < 0x80) {
          bytes[count] = (byte) character;
          i++;
        } else {
          return null;
        }
      }
      return Arrays.copyOf(bytes, count);
    }

    private static int hexadecimal(char character) {
      return character < 0x80 ? Character.digit(character, 16) : -1;
    }
  }
}
