package dev.quiver.sql.syntax;

import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.syntax.SqlScanner.Token;
import dev.quiver.sql.syntax.SyntaxTree.Use;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The tables that a statement names: datasets, and lists of datasets in place of the engine's own
/// catalog, which describes nothing of the store.
final class TableNames {

  private static final List<String> SCHEMA = List.of("main");
  private static final List<String> SCHEMA_OF_DATABASE = List.of("memory", "main");
  private static final List<String> CATALOG = List.of("information_schema");
  private static final List<String> CATALOG_OF_DATABASE = List.of("memory", "information_schema");

  /// The tables of the engine's catalog that `SHOW` reads, by the names that its parser gives them.
  private static final Map<String, CatalogTable.Kind> SHOWN =
      Map.of(
          "\"tables\"", CatalogTable.Kind.NAMES,
          "__show_tables_expanded", CatalogTable.Kind.NAMES_AND_COLUMNS);

  private static final String SHOW_HINT =
      "Write SHOW TABLES, SHOW ALL TABLES or DESCRIBE and the name of a dataset, alone or in parentheses";

  private final SyntaxPlaces places;
  private final Map<String, Use> datasets = new LinkedHashMap<>();
  private final List<CatalogTable> catalog = new ArrayList<>();

  TableNames(SyntaxPlaces places) {
    this.places = places;
  }

  /// Returns the names of datasets in the order of their first appearance, each with its place.
  Map<String, Use> datasets() {
    return datasets;
  }

  /// Returns the lists of datasets.
  List<CatalogTable> catalog() {
    return catalog;
  }

  /// Adds a named table.
  ///
  /// @param isQuery whether a name without a schema is that of a query of this statement
  /// @param select the query with the table as its only source, or null
  /// @throws Invalid if it cannot be one
  void add(JsonNode node, boolean isQuery, @Nullable JsonNode select) {
    String name = node.path("table_name").asString("");
    if (node.has("at_clause")) {
      throw places.notAllowed(
          node,
          "a version in the name, such as \"%s@3\",".formatted(name),
          "AT",
          "Write the name with the version in double quotes, as \"%s@3\"".formatted(name));
    }
    List<String> schema = schema(node);
    if (schema.equals(CATALOG) || schema.equals(CATALOG_OF_DATABASE)) {
      addCatalog(node, name, schema.size() + 1, select);
      return;
    }
    if (!schema.isEmpty() && !schema.equals(SCHEMA) && !schema.equals(SCHEMA_OF_DATABASE)) {
      throw qualified(node);
    }
    if (SqlFunctions.isReservedTable(name.toLowerCase(Locale.ROOT))) {
      throw places.notAllowed(
          node,
          "a dataset",
          name + ", which is a table of the engine",
          "SHOW TABLES lists the datasets; one of this name is read with its version, such as \"%s@1\""
              .formatted(name));
    }
    if (!isQuery || !schema.isEmpty()) {
      datasets.putIfAbsent(name, places.use(node));
    }
  }

  /// Adds what `SHOW` shows.
  ///
  /// @param place the statement, or the parentheses around `SHOW`; null for another place
  void addShown(JsonNode node, @Nullable Use place) {
    String type = node.path("show_type").asString("");
    String name = node.path("table_name").asString("");
    CatalogTable.Kind kind =
        switch (type) {
          case "SHOW_SPECIAL" -> SHOWN.get(name);
          case "SHOW_FROM" ->
              schema(node).equals(SCHEMA) || schema(node).equals(SCHEMA_OF_DATABASE)
                  ? CatalogTable.Kind.NAMES
                  : null;
          case "SHOW" -> CatalogTable.Kind.DESCRIPTION;
          default -> null;
        };
    if (kind == null || place == null) {
      String shown = type.equals("SHOW_SPECIAL") ? name.replace("\"", "") : type;
      throw places.notAllowed(
          node,
          "SHOW TABLES, DESCRIBE or SUMMARIZE",
          kind == null ? "SHOW " + shown : "it within WITH",
          kind == null ? SHOW_HINT : "Write SELECT * FROM information_schema.tables");
    }
    if (kind == CatalogTable.Kind.DESCRIPTION) {
      datasets.putIfAbsent(name, place);
    }
    catalog.add(new CatalogTable(kind, place, name, /* compared= */ null));
  }

  private void addCatalog(JsonNode node, String name, int nameCount, @Nullable JsonNode select) {
    CatalogTable.Kind kind =
        switch (name.toLowerCase(Locale.ROOT)) {
          case "tables" -> CatalogTable.Kind.TABLES;
          case "columns" -> CatalogTable.Kind.COLUMNS;
          case "schemata" -> CatalogTable.Kind.SCHEMATA;
          default -> null;
        };
    int start = places.position(node);
    if (kind == null || start < 0) {
      throw places.notAllowed(
          node,
          "a dataset",
          "information_schema." + name,
          kind == null
              ? "Use information_schema.tables or information_schema.columns"
              : "Write DESCRIBE SELECT * FROM information_schema." + name);
    }
    // An alias stays where it is.
    List<Token> tokens = SqlScanner.tokens(places.sql().substring(start), 2 * nameCount - 1);
    String alias = node.path("alias").asString("");
    String table = alias.isEmpty() ? name : alias;
    catalog.add(
        new CatalogTable(
            kind,
            new Use(start, tokens.getLast().end()),
            alias.isEmpty() ? name : "",
            compared(node, table, select)));
  }

  /// Returns the names of the datasets that a query needs of a list, or null for all.
  private static @Nullable ComparedNames compared(
      JsonNode node, String table, @Nullable JsonNode select) {
    return select == null
            || select.hasNonNull("sample")
            || !node.path("column_name_alias").isEmpty()
        ? null
        : ComparedNames.of(select.path("where_clause"), table);
  }

  /// Returns the names before the name of a table, in lower case.
  private static List<String> schema(JsonNode node) {
    List<String> path =
        node.path("qualified_name")
            .path("path")
            .valueStream()
            .map(part -> part.asString("").toLowerCase(Locale.ROOT))
            .toList();
    return path.subList(0, Math.max(0, path.size() - 1));
  }

  private Invalid qualified(JsonNode node) {
    String parts =
        String.join(
            ".",
            node.path("qualified_name")
                .path("path")
                .valueStream()
                .map(part -> part.asString(""))
                .toList());
    String found = SyntaxPlaces.quoted(parts);
    return places.invalid(
        Reason.UNKNOWN_DATASET,
        node,
        "the name of a dataset",
        found,
        "Put a name with a dot in double quotes, as %s, and leave out databases and schemas"
            .formatted(SqlNames.quoted(found)));
  }
}
