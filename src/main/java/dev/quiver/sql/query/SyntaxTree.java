package dev.quiver.sql.query;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.execution.SqlText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/// The syntax tree of a statement: which datasets it names, and whether it only reads.
///
/// The engine's parser writes the tree as JSON. Its form belongs to the engine's version; a kind of
/// node that is not known here is rejected, so that nothing new is allowed by accident.
public final class SyntaxTree {

  /// A statement of 64 KiB with an operator in every other character nests less than this.
  private static final int DEPTH_MAXIMUM = 4_000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAXIMUM).build())
                  .build())
          .build();

  private static final int QUOTE_LENGTH = 100;

  /// The place of a name in the statement.
  ///
  /// @param position the offset in characters, or -1 if unknown
  /// @param length the number of characters, or 0 if unknown
  public record Use(int position, int length) {}

  /// The members of a base table that is read as it is, under its name or an alias.
  static final Set<String> PLAIN_TABLE_MEMBERS =
      Set.of(
          "type",
          "alias",
          "query_location",
          "query_location_length",
          "table_name",
          "qualified_name");

  /// The condition of a statement on the rows of the only dataset that it reads.
  ///
  /// @param condition the expression after `WHERE`
  /// @param table the name that the statement gives the dataset
  record Filter(JsonNode condition, String table) {}

  private final String sql;
  private final Map<String, Use> datasets = new LinkedHashMap<>();
  private final Set<String> parameters = new HashSet<>();

  /// The names that WITH gives to queries, innermost first, in lower case: the engine ignores case.
  private final Deque<Set<String>> scopes = new ArrayDeque<>();

  private boolean repeatable = true;
  private boolean usesColumns;
  private int tableCount;
  private @Nullable Filter filter;
  private JsonNode query = MissingNode.getInstance();

  private SyntaxTree(String sql) {
    this.sql = sql;
  }

  /// Inspects a tree.
  ///
  /// @param json the tree as the engine writes it, or its error
  /// @throws SqlException if the statement is not one SELECT that only reads datasets
  static SyntaxTree of(String sql, String json) {
    JsonNode root = parse(json);
    SyntaxTree tree = new SyntaxTree(sql);
    if (root.path("error").booleanValue(false)) {
      throw tree.parserError(root);
    }
    JsonNode statements = root.path("statements");
    if (statements.size() != 1) {
      throw new Invalid(
          Reason.SQL_NOT_ALLOWED, "Expected one statement but found " + statements.size(), -1, 0);
    }
    JsonNode query = statements.get(0).path("node");
    tree.visit(query);
    tree.query = query;
    tree.filter = tree.tableCount == 1 ? filter(query) : null;
    return tree;
  }

  /// Parses what the engine writes.
  static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new Invalid(Reason.INVALID_SQL, "Expected a statement that nests less", -1, 0);
    }
  }

  /// Returns the position of a syntax error in bytes, or -1 if unknown.
  static int errorOffset(JsonNode error) {
    String position = error.path("position").asString("");
    return position.matches("[0-9]{1,9}") ? Integer.parseInt(position) : -1;
  }

  /// Returns the names of datasets in the order of their first appearance, each with its place.
  public Map<String, Use> datasets() {
    return datasets;
  }

  /// Returns the names of the parameters: numbers from 1, or names.
  public Set<String> parameters() {
    return parameters;
  }

  /// Returns whether the same statement over the same versions always has the same result, apart
  /// from the order of rows and the last digits of sums.
  public boolean isRepeatable() {
    return repeatable;
  }

  /// Returns whether the statement may use a column of a dataset. One that only counts rows does
  /// not.
  boolean usesColumns() {
    return usesColumns;
  }

  /// Returns the condition that every row has to pass before anything else sees it, or null if none
  /// is known. Only the plainest form is: one SELECT from one dataset, which is named nowhere else.
  @Nullable Filter filter() {
    return filter;
  }

  /// Returns the node of the whole query.
  JsonNode query() {
    return query;
  }

  private static @Nullable Filter filter(JsonNode query) {
    JsonNode table = query.path("from_table");
    boolean isPlain =
        query.path("type").asString("").equals("SELECT_NODE")
            && query.path("cte_map").path("map").isEmpty()
            && !query.hasNonNull("sample")
            && query.hasNonNull("where_clause")
            && table.path("type").asString("").equals("BASE_TABLE")
            && PLAIN_TABLE_MEMBERS.containsAll(table.propertyNames());
    return isPlain
        ? new Filter(
            query.path("where_clause"),
            table.path("alias").asString(table.path("table_name").asString("")))
        : null;
  }

  private void visit(JsonNode node) {
    if (node.isArray()) {
      node.forEach(this::visit);
      return;
    }
    if (!node.isObject()) {
      return;
    }
    if (node.hasNonNull("sample")) {
      repeatable = false;
    }
    String expression = node.path("class").asString("");
    String type = node.path("type").asString("");
    if (!expression.isEmpty()) {
      visitExpression(node, expression);
    } else if (type.endsWith("_NODE")) {
      visitQuery(node, type);
    } else if (!type.isEmpty() && !SyntaxNodes.MODIFIERS.contains(type)) {
      visitSource(node, type);
    } else {
      visitMembers(node);
    }
  }

  private void visitMembers(JsonNode node) {
    node.forEach(this::visit);
  }

  private void visitQuery(JsonNode node, String type) {
    if (!SyntaxNodes.QUERY_NODES.contains(type)) {
      throw notAllowed(node, "a query that only reads", type.replace("_QUERY_NODE", ""));
    }
    Set<String> names = new HashSet<>();
    scopes.push(names);
    if (type.equals("RECURSIVE_CTE_NODE")) {
      names.add(lowerCase(node.path("cte_name")));
    }
    for (JsonNode entry : node.path("cte_map").path("map")) {
      // A query does not see its own name, unless it is recursive.
      visit(entry.path("value"));
      names.add(lowerCase(entry.path("key")));
    }
    node.forEachEntry((name, member) -> {
      if (!name.equals("cte_map")) {
        visit(member);
      }
    });
    scopes.pop();
  }

  private void visitSource(JsonNode node, String type) {
    usesColumns |=
        !SyntaxNodes.WHOLE_SOURCES.contains(type)
            || !node.path("using_columns").isEmpty()
            || !node.path("column_name_alias").isEmpty()
            || node.path("ref_type").asString("").equals("NATURAL");
    switch (type) {
      case "BASE_TABLE" -> addDataset(node);
      case "TABLE_FUNCTION" -> {
        String name = lowerCase(node.path("function").path("function_name"));
        if (!SqlFunctions.isAllowedTable(name)) {
          throw notAllowed(node, "a dataset or one of " + SqlFunctions.tableFunctions(), name);
        }
      }
      case "SHOW_REF" -> {
        String shown = node.path("show_type").asString("");
        if (!shown.equals("DESCRIBE") && !shown.equals("SUMMARY")) {
          throw notAllowed(node, "DESCRIBE or SUMMARIZE", "SHOW " + shown);
        }
      }
      default -> {
        if (!SyntaxNodes.SOURCES.contains(type)) {
          throw notAllowed(node, "a dataset", type);
        }
      }
    }
    visitMembers(node);
  }

  private void visitExpression(JsonNode node, String expression) {
    if (!SyntaxNodes.EXPRESSIONS.contains(expression)) {
      throw notAllowed(node, "an expression", expression);
    }
    usesColumns |= !SyntaxNodes.WHOLE_EXPRESSIONS.contains(expression);
    if (expression.equals("PARAMETER")) {
      parameters.add(node.path("identifier").asString(""));
    }
    if (expression.equals("COLUMN_REF")) {
      // A name such as current_date is a function unless a column has it.
      JsonNode names = node.path("column_names");
      repeatable &= names.size() != 1 || !SqlFunctions.isChanging(lowerCase(names.get(0)));
    }
    if (node.has("function_name")) {
      visitFunction(node);
    }
    visitMembers(node);
  }

  private void visitFunction(JsonNode node) {
    String function = lowerCase(node.path("function_name"));
    checkFunction(node, function, node.path("is_operator").booleanValue(false));
    if (SqlFunctions.takesAggregate(function)) {
      checkAggregate(node);
    }
    if (node.path("export_state").booleanValue(false)) {
      throw notAllowed(node, "the result of an aggregate", "EXPORT_STATE");
    }
    repeatable &= !SqlFunctions.isChanging(function);
  }

  /// Checks that a statement may use a function. A name that the engine does not know is an error
  /// of the statement, as it is for the engine.
  private void checkFunction(JsonNode node, String function, boolean asOperator) {
    if (!SqlFunctions.isAllowed(function, asOperator)) {
      throw invalid(
          SqlFunctions.exists(function) ? Reason.SQL_NOT_ALLOWED : Reason.INVALID_SQL,
          node,
          "a function of values",
          Excerpt.of(function, QUOTE_LENGTH) + SqlFunctions.advice(function));
    }
  }

  /// Checks the aggregate that a function takes by its name.
  private void checkAggregate(JsonNode node) {
    JsonNode argument = node.path("arguments").path(1).path("expression");
    if (!argument.path("class").asString("").equals("CONSTANT")) {
      throw notAllowed(node, "the name of an aggregate as a literal", "another argument");
    }
    checkFunction(node, lowerCase(argument.path("literal").path("text")), /* asOperator= */ false);
  }

  private void addDataset(JsonNode node) {
    String name = node.path("table_name").asString("");
    JsonNode path = node.path("qualified_name").path("path");
    if (path.size() > 1) {
      String parts = String.join(".", path.valueStream().map(part -> part.asString("")).toList());
      String quoted = Excerpt.of(parts, QUOTE_LENGTH);
      throw new Invalid(
          Reason.UNKNOWN_DATASET,
          "Expected the name of a dataset but found %s; a name with a dot is quoted: \"%s\""
              .formatted(quoted, quoted),
          sql,
          position(node),
          length(node));
    }
    tableCount++;
    if (node.has("at_clause")) {
      throw notAllowed(node, "a version in the name, such as \"%s@3\",".formatted(name), "AT");
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (SqlFunctions.isReservedTable(lower)) {
      throw notAllowed(node, "a dataset", name + ", which is a table of the engine");
    }
    if (scopes.stream().noneMatch(names -> names.contains(lower))) {
      datasets.putIfAbsent(name, new Use(position(node), length(node)));
    }
  }

  private Invalid parserError(JsonNode root) {
    String message = root.path("error_message").asString("");
    if (message.startsWith("Only SELECT statements")) {
      return new Invalid(
          Reason.SQL_NOT_ALLOWED, "Expected one SELECT but found another statement", -1, 0);
    }
    return new Invalid(
        Reason.INVALID_SQL,
        SqlText.sentence(message),
        sql,
        SqlText.characters(sql, errorOffset(root)),
        0);
  }

  private Invalid notAllowed(JsonNode node, String expected, String found) {
    return invalid(Reason.SQL_NOT_ALLOWED, node, expected, Excerpt.of(found, QUOTE_LENGTH));
  }

  private Invalid invalid(Reason reason, JsonNode node, String expected, String found) {
    return new Invalid(
        reason,
        "Expected %s but found %s".formatted(expected, found),
        sql,
        position(node),
        length(node));
  }

  private int position(JsonNode node) {
    return SqlText.characters(sql, node.path("query_location").intValue(-1));
  }

  private int length(JsonNode node) {
    int start = node.path("query_location").intValue(-1);
    int length = node.path("query_location_length").intValue(0);
    return start < 0 ? 0 : SqlText.characters(sql, start + length) - position(node);
  }

  private static String lowerCase(JsonNode text) {
    return text.asString("").toLowerCase(Locale.ROOT);
  }
}
