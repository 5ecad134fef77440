package dev.quiver.sql.where;

import dev.quiver.arrow.statistics.Predicate.Operator;
import org.jspecify.annotations.Nullable;

/// The operators of comparisons in syntax trees.
final class ComparisonOperators {

  private ComparisonOperators() {}

  /// Returns the operator of a type of expression, or null if it is another type.
  static @Nullable Operator of(String type) {
    return switch (type) {
      case "COMPARE_EQUAL" -> Operator.EQUAL;
      case "COMPARE_NOTEQUAL" -> Operator.NOT_EQUAL;
      case "COMPARE_LESSTHAN" -> Operator.LESS;
      case "COMPARE_LESSTHANOREQUALTO" -> Operator.LESS_OR_EQUAL;
      case "COMPARE_GREATERTHAN" -> Operator.GREATER;
      case "COMPARE_GREATERTHANOREQUALTO" -> Operator.GREATER_OR_EQUAL;
      case "COMPARE_NOT_DISTINCT_FROM" -> Operator.NOT_DISTINCT;
      case "COMPARE_DISTINCT_FROM" -> Operator.DISTINCT;
      default -> null;
    };
  }

  /// Returns the operator for the two sides in the other order.
  static Operator swapped(Operator operator) {
    return switch (operator) {
      case LESS -> Operator.GREATER;
      case LESS_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
      case GREATER -> Operator.LESS;
      case GREATER_OR_EQUAL -> Operator.LESS_OR_EQUAL;
      case EQUAL, NOT_EQUAL, NOT_DISTINCT, DISTINCT -> operator;
    };
  }

  /// Returns the operator that is true where this one is false, and null where it is null.
  static Operator negated(Operator operator) {
    return switch (operator) {
      case EQUAL -> Operator.NOT_EQUAL;
      case NOT_EQUAL -> Operator.EQUAL;
      case LESS -> Operator.GREATER_OR_EQUAL;
      case LESS_OR_EQUAL -> Operator.GREATER;
      case GREATER -> Operator.LESS_OR_EQUAL;
      case GREATER_OR_EQUAL -> Operator.LESS;
      case NOT_DISTINCT -> Operator.DISTINCT;
      case DISTINCT -> Operator.NOT_DISTINCT;
    };
  }
}
