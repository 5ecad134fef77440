package dev.quiver.sql.syntax;

import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.execution.SqlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The syntax tree of a condition on the rows of one dataset.
///
/// A condition compares, computes and converts values of one row. It has no subqueries, aggregates,
/// windows, lambdas or parameters, and nothing whose result differs each time.
public final class ConditionTree {

  /// Stands before a condition to make it a statement.
  private static final String PREFIX = "SELECT 1 FROM t WHERE ";

  private static final Set<String> EXPRESSIONS =
      Set.of(
          "BETWEEN",
          "CASE",
          "CAST",
          "COLLATE",
          "COLUMN_REF",
          "COMPARISON",
          "CONJUNCTION",
          "CONSTANT",
          "FUNCTION",
          "OPERATOR",
          "TYPE");

  private final String condition;
  private final JsonNode root;
  private final List<JsonNode> references = new ArrayList<>();

  private ConditionTree(String condition, JsonNode root) {
    this.condition = condition;
    this.root = root;
  }

  /// Returns the statements that are parsed to inspect a condition. An addition that would change
  /// the statement, such as `1) OR (1` or `1 LIMIT 2`, fails in one of the two. The line ends keep
  /// a comment at the end from hiding the parenthesis.
  public static List<String> statements(String condition) {
    return List.of(PREFIX + condition, PREFIX + "(\n" + condition + "\n)");
  }

  /// Inspects the trees of both [#statements].
  ///
  /// @throws Invalid if one of them is not a statement, or if the condition has a forbidden part
  public static ConditionTree of(String condition, String plain, String parenthesized) {
    JsonNode where = whereClause(condition, plain, PREFIX.length());
    whereClause(condition, parenthesized, PREFIX.length() + 2);
    ConditionTree tree = new ConditionTree(condition, where);
    tree.visit(where);
    return tree;
  }

  private static JsonNode whereClause(String condition, String json, int offset) {
    JsonNode statements = SyntaxTree.parse(json);
    if (statements.path("error").booleanValue(false)) {
      String message = statements.path("error_message").asString("");
      int bytes = SyntaxTree.errorOffset(statements) - offset;
      throw new Invalid(
          Reason.INVALID_SQL,
          SqlText.sentence(message),
          condition,
          SqlText.characters(condition, Math.max(-1, bytes)),
          0);
    }
    JsonNode node = statements.path("statements").path(0).path("node");
    JsonNode where = node.path("where_clause");
    if (statements.path("statements").size() != 1 || where.isMissingNode()) {
      throw new Invalid(
          Reason.INVALID_SQL, "Expected one condition but found another statement", -1, 0);
    }
    return where;
  }

  public JsonNode root() {
    return root;
  }

  /// Returns the names of columns in the order of their first appearance, each with its position in
  /// the condition in characters. A name may denote a struct whose fields follow.
  ///
  /// @param table the name of the table, which may stand before the name of a column
  public Map<String, Integer> columns(String table) {
    Map<String, Integer> columns = new LinkedHashMap<>();
    for (JsonNode reference : references) {
      JsonNode names = reference.path("column_names");
      String first = names.path(0).asString("");
      boolean isQualified = names.size() > 1 && ColumnNames.areEqual(first, table);
      String column = isQualified ? names.path(1).asString("") : first;
      columns.putIfAbsent(column, position(reference));
    }
    return columns;
  }

  private void visit(JsonNode node) {
    if (node.isObject() && node.has("class")) {
      visitExpression(node);
    }
    node.forEach(this::visit);
  }

  private void visitExpression(JsonNode node) {
    String expression = node.path("class").asString("");
    String function = node.path("function_name").asString("").toLowerCase(Locale.ROOT);
    if (!EXPRESSIONS.contains(expression)) {
      String found = function.isEmpty() ? expression.toLowerCase(Locale.ROOT) : function;
      throw notAllowed(node, "a condition on the values of one row", found);
    }
    boolean asOperator = node.path("is_operator").booleanValue(false);
    // The parser has a row without values for the list in `IN ()`.
    boolean isEmptyList = function.equals("row") && node.path("arguments").isEmpty();
    if (!function.isEmpty()
        && !isEmptyList
        && !SqlFunctions.isAllowedInCondition(function, asOperator)) {
      throw notAllowed(node, "a function that a condition may use", function);
    }
    if (expression.equals("COLUMN_REF")) {
      references.add(node);
    }
  }

  private Invalid notAllowed(JsonNode node, String expected, String found) {
    return new Invalid(
        Reason.SQL_NOT_ALLOWED,
        "Expected %s but found %s".formatted(expected, found),
        condition,
        position(node),
        node.path("query_location_length").intValue(0));
  }

  private int position(JsonNode node) {
    int location = node.path("query_location").intValue(-1);
    return location < 0 ? -1 : SqlText.characters(condition, location - PREFIX.length());
  }
}
