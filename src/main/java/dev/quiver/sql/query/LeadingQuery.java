package dev.quiver.sql.query;

import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.syntax.SyntaxTree;
import dev.quiver.sql.worker.Leading;
import dev.quiver.sql.worker.LeadingKeys;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The statements that need only the first rows in the order of a column: `SELECT … FROM … ORDER BY
/// column LIMIT n` in its plainest form, of one dataset, without a condition, a function or a
/// subquery. They may sort by further columns, and have an `OFFSET`.
final class LeadingQuery {

  private static final Set<String> QUERY_MEMBERS =
      Set.of("type", "modifiers", "cte_map", "select_list", "from_table", "aggregate_handling");

  private static final Set<String> LIMIT_MEMBERS = Set.of("type", "limit", "offset");

  private final JsonNode query;
  private final Schema schema;

  private LeadingQuery(JsonNode query, Schema schema) {
    this.query = query;
    this.schema = schema;
  }

  /// Returns the rows that a statement needs, or null if it may need all.
  ///
  /// @param query the node of the whole query
  /// @param schema of the only dataset that it may name
  static @Nullable Leading of(JsonNode query, Schema schema) {
    // In SQL, a name may denote another column.
    return ColumnNames.areKept(schema) ? new LeadingQuery(query, schema).leading() : null;
  }

  private @Nullable Leading leading() {
    JsonNode table = query.path("from_table");
    JsonNode modifiers = query.path("modifiers");
    // The engine leaves out members that are empty.
    boolean isPlain =
        is(query, "type", "SELECT_NODE")
            && QUERY_MEMBERS.containsAll(query.propertyNames())
            && query.path("cte_map").path("map").isEmpty()
            && is(query, "aggregate_handling", "STANDARD_HANDLING")
            && is(table, "type", "BASE_TABLE")
            && SyntaxTree.PLAIN_TABLE_MEMBERS.containsAll(table.propertyNames())
            && modifiers.size() == 2
            && is(modifiers.path(0), "type", "ORDER_MODIFIER")
            && is(modifiers.path(1), "type", "LIMIT_MODIFIER")
            && LIMIT_MEMBERS.containsAll(modifiers.path(1).propertyNames());
    return isPlain ? leading(modifiers.path(0).path("orders").path(0), modifiers.path(1)) : null;
  }

  private @Nullable Leading leading(JsonNode order, JsonNode limit) {
    int column = column(order.path("expression"));
    long rowCount =
        limit.hasNonNull("offset")
            ? number(limit.path("limit")) + number(limit.path("offset"))
            : number(limit.path("limit"));
    boolean isLeading =
        column >= 0
            && rowCount > 0
            && rowCount <= Leading.ROW_COUNT_MAXIMUM
            && !is(order, "null_order", "NULLS FIRST")
            && LeadingKeys.exist(schema.fields().get(column))
            && query.path("select_list").valueStream().allMatch(item -> keeps(item, column));
    return isLeading ? new Leading(column, is(order, "type", "DESCENDING"), (int) rowCount) : null;
  }

  /// Whether the name of the column that the statement sorts by still means it beside an item of
  /// its list, whose alias would come first.
  private boolean keeps(JsonNode item, int column) {
    JsonNode names = item.path("column_names");
    String last = names.path(names.size() - 1).asString("");
    return switch (item.path("class").asString("")) {
      case "STAR" -> SelectedColumns.STAR_MEMBERS.containsAll(item.propertyNames());
      case "COLUMN_REF" ->
          column(item) == column || !isNamed(item.path("alias").asString(last), column);
      default -> false;
    };
  }

  /// Returns the index of the column that an expression is, or -1.
  private int column(JsonNode expression) {
    JsonNode names = expression.path("column_names");
    boolean isName = is(expression, "class", "COLUMN_REF") && names.size() == 1;
    for (int i = 0; isName && i < schema.fields().size(); i++) {
      if (isNamed(names.path(0).asString(""), i)) {
        return i;
      }
    }
    return -1;
  }

  private boolean isNamed(String name, int column) {
    return ColumnNames.areEqual(
        name, ColumnNames.ofColumn(column, schema.fields().get(column).name()));
  }

  /// Returns the value of a literal, or a number that is beyond all limits.
  private static long number(JsonNode expression) {
    JsonNode literal = expression.path("literal");
    String text = literal.path("text").asString("");
    boolean isSmall = is(literal, "kind", "INTEGER") && text.matches("[0-9]{1,4}");
    return is(expression, "class", "CONSTANT") && isSmall
        ? Integer.parseInt(text)
        : Integer.MAX_VALUE;
  }

  private static boolean is(JsonNode node, String member, String expected) {
    return node.path(member).asString("").equals(expected);
  }
}
