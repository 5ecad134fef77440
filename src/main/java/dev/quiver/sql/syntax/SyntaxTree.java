package dev.quiver.sql.syntax;

import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.execution.SqlText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
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

  /// The place of a name in the statement.
  ///
  /// @param position the offset in characters, or -1 if unknown
  /// @param length the number of characters, or 0 if unknown
  public record Use(int position, int length) {}

  /// The members of a base table that is read as it is, under its name or an alias.
  public static final Set<String> PLAIN_TABLE_MEMBERS =
      Set.of(
          "type",
          "alias",
          "query_location",
          "query_location_length",
          "table_name",
          "schema_name",
          "catalog_name",
          "qualified_name");

  /// The condition of a statement on the rows of the only dataset that it reads.
  ///
  /// @param condition the expression after `WHERE`
  /// @param table the name that the statement gives the dataset
  public record Filter(JsonNode condition, String table) {}

  private final String sql;
  private final SyntaxPlaces places;
  private final TableNames tables;
  private final Set<String> parameters = new HashSet<>();

  /// The names that WITH gives to queries, innermost first, in lower case: the engine ignores case.
  private final Deque<Set<String>> scopes = new ArrayDeque<>();

  /// Queries by the sources of their rows.
  private final Map<JsonNode, JsonNode> selects = new IdentityHashMap<>();

  /// The place of the parentheses around the next query, or null.
  private @Nullable Use enclosing;

  /// The place of the innermost query if it is `SHOW`, whose own place is unknown; null for a place
  /// that is unknown, too.
  private @Nullable Use showPlace;

  private boolean repeatable = true;
  private boolean usesColumns;
  private int tableCount;
  private @Nullable Filter filter;
  private JsonNode query = MissingNode.getInstance();

  private SyntaxTree(String sql) {
    this.sql = sql;
    this.places = new SyntaxPlaces(sql);
    this.tables = new TableNames(places);
  }

  /// Inspects a tree.
  ///
  /// @param json the tree as the engine writes it, or its error
  /// @throws SqlException if the statement is not one SELECT that only reads datasets
  public static SyntaxTree of(String sql, String json) {
    JsonNode root = parse(json);
    SyntaxTree tree = new SyntaxTree(sql);
    if (root.path("error").booleanValue(false)) {
      throw tree.parserError(root);
    }
    JsonNode statements = root.path("statements");
    if (statements.size() != 1) {
      throw new Invalid(
          Reason.SQL_NOT_ALLOWED,
          "Expected one statement but found " + statements.size(),
          sql,
          -1,
          0,
          statements.isEmpty() ? StatementHints.NO_STATEMENT : StatementHints.TWO_STATEMENTS);
    }
    JsonNode query = statements.get(0).path("node");
    tree.visit(query);
    tree.query = query;
    tree.filter = tree.tableCount == 1 && tree.catalog().isEmpty() ? filter(query) : null;
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
    return tables.datasets();
  }

  /// Returns the lists of datasets that the statement reads.
  public List<CatalogTable> catalog() {
    return tables.catalog();
  }

  /// Returns the names of the parameters: numbers from 1, or names.
  public Set<String> parameters() {
    return parameters;
  }

  /// Returns whether the same statement over the same versions always has the same result, apart
  /// from the order of rows and the last digits of sums.
  public boolean isRepeatable() {
    return repeatable && tables.catalog().isEmpty();
  }

  /// Returns whether the statement may use a column of a dataset. One that only counts rows does
  /// not.
  public boolean usesColumns() {
    return usesColumns;
  }

  /// Returns the condition that every row has to pass before anything else sees it, or null if none
  /// is known. Only the plainest form is: one SELECT from one dataset, which is named nowhere else.
  public @Nullable Filter filter() {
    return filter;
  }

  /// Returns the node of the whole query.
  public JsonNode query() {
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
      throw places.notAllowed(node, "a query that only reads", type.replace("_QUERY_NODE", ""));
    }
    selects.put(node.path("from_table"), node);
    showPlace = scopes.isEmpty() ? new Use(0, sql.length()) : enclosing;
    enclosing = null;
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
      case "BASE_TABLE" -> {
        tableCount++;
        String name = lowerCase(node.path("table_name"));
        tables.add(
            node, scopes.stream().anyMatch(names -> names.contains(name)), selects.get(node));
      }
      case "TABLE_FUNCTION" -> {
        String name = lowerCase(node.path("function").path("function_name"));
        if (!SqlFunctions.isAllowedTable(name)) {
          throw places.notAllowed(
              node,
              "a dataset or one of " + SqlFunctions.tableFunctions(),
              name,
              SqlFunctions.tableHint(name));
        }
      }
      case "SHOW_REF" -> {
        String shown = node.path("show_type").asString("");
        if (!shown.equals("DESCRIBE") && !shown.equals("SUMMARY")) {
          tables.addShown(node, showPlace);
        }
      }
      case "SUBQUERY" -> enclosing = places.use(node);
      default -> {
        if (!SyntaxNodes.SOURCES.contains(type)) {
          throw places.notAllowed(node, "a dataset", type);
        }
      }
    }
    visitMembers(node);
  }

  private void visitExpression(JsonNode node, String expression) {
    if (!SyntaxNodes.EXPRESSIONS.contains(expression)) {
      throw places.notAllowed(node, "an expression", expression);
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
      throw places.notAllowed(node, "the result of an aggregate", "EXPORT_STATE");
    }
    repeatable &= !SqlFunctions.isChanging(function);
  }

  /// Checks that a statement may use a function. A name that the engine does not know is an error
  /// of the statement, as it is for the engine.
  private void checkFunction(JsonNode node, String function, boolean asOperator) {
    if (!SqlFunctions.isAllowed(function, asOperator)) {
      throw places.invalid(
          SqlFunctions.exists(function) ? Reason.SQL_NOT_ALLOWED : Reason.INVALID_SQL,
          node,
          "a function of values",
          SyntaxPlaces.quoted(function) + SqlFunctions.reason(function),
          SqlFunctions.hint(function));
    }
  }

  /// Checks the aggregate that a function takes by its name.
  private void checkAggregate(JsonNode node) {
    JsonNode argument = node.path("arguments").path(1).path("expression");
    if (!argument.path("class").asString("").equals("CONSTANT")) {
      throw places.notAllowed(node, "the name of an aggregate as a literal", "another argument");
    }
    checkFunction(node, lowerCase(argument.path("literal").path("text")), /* asOperator= */ false);
  }

  private Invalid parserError(JsonNode root) {
    String message = root.path("error_message").asString("");
    if (message.startsWith("Only SELECT statements")) {
      return new Invalid(
          Reason.SQL_NOT_ALLOWED,
          "Expected one SELECT but found another statement",
          sql,
          -1,
          0,
          OtherStatements.hint(sql));
    }
    return new Invalid(
        Reason.INVALID_SQL,
        SqlText.sentence(message),
        sql,
        SqlText.characters(sql, errorOffset(root)),
        0);
  }

  private static String lowerCase(JsonNode text) {
    return text.asString("").toLowerCase(Locale.ROOT);
  }
}
