package dev.quiver.sql.where;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.statistics.Predicate.Operator;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.where.ComparedColumns.Column;
import dev.quiver.sql.where.ComparedColumns.Compared;
import dev.quiver.sql.where.ComparedValues.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The parts of a condition that compare a column with literals.
///
/// @param predicate selects the rows that pass all these parts
/// @param isWhole whether they are the whole condition
public record Conjuncts(Predicate.Conjunction predicate, boolean isWhole) {

  /// The maximum number of parts, since the work on them grows faster than their number.
  private static final int COUNT_MAXIMUM = 100;

  /// The maximum number of literals in a list where each takes time for each value. The engine
  /// looks values up in a longer one.
  private static final int LITERALS_MAXIMUM = 16;

  /// Returns the parts of a condition in a syntax tree.
  ///
  /// @param table the name of the table, which may qualify a column
  public static Conjuncts of(JsonNode condition, Schema schema, String table) {
    Builder builder = new Builder(new ComparedColumns(schema, table));
    builder.add(condition, /* negated= */ false);
    return new Conjuncts(new Predicate.Conjunction(builder.parts), builder.isWhole);
  }

  /// Returns whether such parts are absent.
  public boolean isEmpty() {
    return predicate.parts().isEmpty();
  }

  private static final class Builder {

    private final ComparedColumns columns;
    private final List<Predicate> parts = new ArrayList<>();
    private boolean isWhole = true;

    Builder(ComparedColumns columns) {
      this.columns = columns;
    }

    /// @param negated whether the negation of the expression is a part
    void add(JsonNode node, boolean negated) {
      String type = node.path("type").asString("");
      if (type.equals("OPERATOR_NOT")) {
        add(node.path("children").path(0), !negated);
        return;
      }
      if (type.equals(negated ? "CONJUNCTION_OR" : "CONJUNCTION_AND")) {
        node.path("children").forEach(part -> add(part, negated));
        return;
      }
      Predicate part = parts.size() < COUNT_MAXIMUM ? predicate(node, negated) : null;
      if (part == null) {
        isWhole = false;
      } else {
        parts.add(part);
      }
    }

    private @Nullable Predicate predicate(JsonNode node, boolean negated) {
      return switch (node.path("class").asString("")) {
        case "COLUMN_REF" -> flag(node, negated);
        case "COMPARISON" -> comparison(node, negated);
        case "BETWEEN" -> between(node, negated);
        case "FUNCTION" -> negated ? null : prefix(node);
        case "OPERATOR" ->
            switch (node.path("type").asString("")) {
              case "COMPARE_IN" -> in(node.path("children"), negated);
              case "COMPARE_NOT_IN" -> in(node.path("children"), !negated);
              case "OPERATOR_IS_NULL" -> nullTest(node, !negated);
              case "OPERATOR_IS_NOT_NULL" -> nullTest(node, negated);
              default -> null;
            };
        default -> null;
      };
    }

    private @Nullable Predicate flag(JsonNode node, boolean negated) {
      Compared column = columns.compared(node);
      return column != null && column.values() instanceof ComparedValues.Booleans
          ? new Predicate.Comparison(
              column.path(),
              Operator.EQUAL,
              negated ? ComparedValues.Booleans.FALSE : ComparedValues.Booleans.TRUE)
          : null;
    }

    private @Nullable Predicate comparison(JsonNode node, boolean negated) {
      Operator operator = ComparisonOperators.of(node.path("type").asString(""));
      JsonNode left = node.path("left");
      JsonNode right = node.path("right");
      if (operator == null) {
        return null;
      }
      Compared column = columns.compared(left);
      SqlLiteral literal = SqlLiteral.of(right);
      if (column == null) {
        column = columns.compared(right);
        literal = SqlLiteral.of(left);
        operator = ComparisonOperators.swapped(operator);
      }
      operator = negated ? ComparisonOperators.negated(operator) : operator;
      if (literal == null || column == null) {
        return null;
      }
      if (literal.isNull()) {
        return switch (operator) {
          case DISTINCT -> new Predicate.NullTest(column.path(), false);
          case NOT_DISTINCT -> new Predicate.NullTest(column.path(), true);
          default -> new Predicate.In(column.path(), List.of());
        };
      }
      Place place = column.values().place(literal);
      return place == null ? null : place.compare(column.path(), operator);
    }

    private @Nullable Predicate between(JsonNode node, boolean negated) {
      Compared column = columns.compared(node.path("input"));
      SqlLiteral lower = SqlLiteral.of(node.path("lower"));
      SqlLiteral upper = SqlLiteral.of(node.path("upper"));
      if (column == null || lower == null || upper == null || !lower.isLike(upper)) {
        return null;
      }
      ComparedValues values = column.values();
      if (lower.isBareString() && !values.listsBareStrings()) {
        return null;
      }
      Place low = values.place(lower);
      Place high = values.place(upper);
      if (low == null || high == null) {
        return null;
      }
      ByteString least = low.value();
      ByteString greatest = high.value();
      if (!negated) {
        return new Predicate.Conjunction(
            List.of(
                low.compare(column.path(), Operator.GREATER_OR_EQUAL),
                high.compare(column.path(), Operator.LESS_OR_EQUAL)));
      }
      return low.isExact() && high.isExact() && least != null && greatest != null
          ? new Predicate.Outside(column.path(), least, greatest)
          : null;
    }

    private @Nullable Predicate in(JsonNode children, boolean negated) {
      Compared column = columns.compared(children.path(0));
      if (column == null) {
        return null;
      }
      ComparedValues values = column.values();
      List<ByteString> literals = new ArrayList<>();
      SqlLiteral first = null;
      boolean hasNull = false;
      for (int i = 1; i < children.size(); i++) {
        SqlLiteral literal = SqlLiteral.of(children.get(i));
        if (literal == null) {
          return null;
        }
        if (literal.isNull()) {
          hasNull = true;
          continue;
        }
        first = first == null ? literal : first;
        Place place =
            literal.isLike(first) && (!literal.isBareString() || values.listsBareStrings())
                ? values.place(literal)
                : null;
        if (place == null) {
          return null;
        }
        if (place.value() != null && place.isExact()) {
          literals.add(place.value());
        }
      }
      if (literals.size() > LITERALS_MAXIMUM && !isLookedUp(column)) {
        return null;
      }
      if (!negated) {
        return new Predicate.In(column.path(), literals);
      }
      return hasNull
          ? new Predicate.In(column.path(), List.of())
          : new Predicate.NotIn(column.path(), literals);
    }

    /// Returns whether a value is looked up among many literals. A dictionary value is compared
    /// once for all slots, and a number of up to 64 bits is searched.
    private static boolean isLookedUp(Compared column) {
      boolean isNarrow =
          switch (column.field().type()) {
            case ArrowType.Int _,
                ArrowType.FloatingPoint _,
                ArrowType.Bool _,
                ArrowType.Temporal _ ->
                true;
            case ArrowType.Decimal decimal -> decimal.bitWidth() <= Long.SIZE;
            default -> false;
          };
      return isNarrow || column.field().dictionary() != null;
    }

    private @Nullable Predicate nullTest(JsonNode node, boolean isNull) {
      Column column = columns.of(node.path("children").path(0));
      return column == null || values(column.field()).type() instanceof ArrowType.Union
          ? null
          : new Predicate.NullTest(column.path(), isNull);
    }

    private static Field values(Field field) {
      return field.type() instanceof ArrowType.RunEndEncoded
          ? values(field.children().getLast())
          : field;
    }

    private @Nullable Predicate prefix(JsonNode node) {
      JsonNode arguments = node.path("arguments");
      Compared column = columns.compared(arguments.path(0).path("expression"));
      SqlLiteral literal = SqlLiteral.of(arguments.path(1).path("expression"));
      if (arguments.size() != 2
          || column == null
          || !(column.values() instanceof ComparedValues.Texts)
          || literal == null
          || !literal.isBareString()) {
        return null;
      }
      String text = literal.text();
      return switch (node.path("function_name").asString("")) {
        case "starts_with", "prefix", "^@" ->
            new Predicate.Prefix(column.path(), ByteString.of(text));
        case "~~" ->
            text.matches("[^%_\\\\]*%")
                ? new Predicate.Prefix(
                    column.path(), ByteString.of(text.substring(0, text.length() - 1)))
                : null;
        default -> null;
      };
    }
  }
}
