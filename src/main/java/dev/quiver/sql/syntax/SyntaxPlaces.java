package dev.quiver.sql.syntax;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.execution.SqlText;
import dev.quiver.sql.syntax.SyntaxTree.Use;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The places of the nodes of a syntax tree in its statement, and the errors at them.
record SyntaxPlaces(String sql) {

  private static final int QUOTE_LENGTH = 100;

  /// Returns the offset of a node in characters, or -1 if unknown.
  int position(JsonNode node) {
    return SqlText.characters(sql, node.path("query_location").intValue(-1));
  }

  /// Returns the number of characters of a node, or 0 if unknown.
  int length(JsonNode node) {
    int start = node.path("query_location").intValue(-1);
    int length = node.path("query_location_length").intValue(0);
    return start < 0 ? 0 : SqlText.characters(sql, start + length) - position(node);
  }

  Use use(JsonNode node) {
    return new Use(position(node), length(node));
  }

  static String quoted(String text) {
    return Excerpt.of(text, QUOTE_LENGTH);
  }

  Invalid notAllowed(JsonNode node, String expected, String found) {
    return notAllowed(node, expected, found, /* hint= */ null);
  }

  Invalid notAllowed(JsonNode node, String expected, String found, @Nullable String hint) {
    return invalid(Reason.SQL_NOT_ALLOWED, node, expected, quoted(found), hint);
  }

  Invalid invalid(
      Reason reason, JsonNode node, String expected, String found, @Nullable String hint) {
    return new Invalid(
        reason,
        "Expected %s but found %s".formatted(expected, found),
        sql,
        position(node),
        length(node),
        hint);
  }
}
