package dev.quiver.sql.syntax;

import java.util.Set;

/// The kinds of nodes of the engine's syntax trees that a statement may have. A kind that is absent
/// here is rejected.
final class SyntaxNodes {

  /// The nodes that only read.
  static final Set<String> QUERY_NODES =
      Set.of("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE");

  /// The sources of rows: datasets, and rows computed from them.
  static final Set<String> SOURCES =
      Set.of(
          "BASE_TABLE",
          "JOIN",
          "SUBQUERY",
          "TABLE_FUNCTION",
          "EXPRESSION_LIST",
          "EMPTY",
          "PIVOT",
          "SHOW_REF");

  /// The sources that use no column by themselves, unless a join says so.
  static final Set<String> WHOLE_SOURCES =
      Set.of("BASE_TABLE", "JOIN", "SUBQUERY", "TABLE_FUNCTION", "EXPRESSION_LIST", "EMPTY");

  /// The expressions that use no column by themselves.
  static final Set<String> WHOLE_EXPRESSIONS =
      Set.of(
          "BETWEEN",
          "CASE",
          "CAST",
          "COMPARISON",
          "CONJUNCTION",
          "CONSTANT",
          "FUNCTION",
          "OPERATOR",
          "PARAMETER",
          "SUBQUERY",
          "TYPE",
          "WINDOW");

  /// The modifiers of a query, such as its order.
  static final Set<String> MODIFIERS =
      Set.of(
          "ASCENDING",
          "DESCENDING",
          "DISTINCT_MODIFIER",
          "LIMIT_MODIFIER",
          "LIMIT_PERCENT_MODIFIER",
          "ORDER_MODIFIER",
          "ORDER_ASCENDING",
          "ORDER_DEFAULT",
          "ORDER_DESCENDING");

  /// All expressions.
  static final Set<String> EXPRESSIONS =
      Set.of(
          "BETWEEN",
          "CASE",
          "CAST",
          "COLLATE",
          "COLUMN_REF",
          "COMPARISON",
          "CONJUNCTION",
          "CONSTANT",
          "DEFAULT",
          "FUNCTION",
          "LAMBDA",
          "LAMBDA_REF",
          "OPERATOR",
          "PARAMETER",
          "POSITIONAL_REFERENCE",
          "STAR",
          "SUBQUERY",
          "TYPE",
          "WINDOW");

  private SyntaxNodes() {}
}
