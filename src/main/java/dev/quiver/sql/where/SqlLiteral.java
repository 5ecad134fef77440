package dev.quiver.sql.where;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A literal in a syntax tree, as it is written.
///
/// @param kind its notation
/// @param type the type that it is cast to, in upper case; empty without a cast
/// @param text its characters; for a string, without quotes
record SqlLiteral(Kind kind, String type, String text) {

  /// The notation of a literal.
  enum Kind {
    BOOLEAN,
    INTEGER,

    /// A number with a point or an exponent.
    NUMERIC,
    STRING,
    NULL_LITERAL
  }

  /// Returns the literal of an expression, or null if it is something else.
  static @Nullable SqlLiteral of(JsonNode node) {
    String expression = node.path("class").asString("");
    if (expression.equals("CONSTANT")) {
      return constant(node, "");
    }
    JsonNode type = node.path("type_expr");
    boolean isPlainCast =
        expression.equals("CAST")
            && !node.path("try_cast").booleanValue(false)
            && type.path("qualified_name").path("path").size() == 1
            && !type.has("children");
    return isPlainCast && node.path("child").path("class").asString("").equals("CONSTANT")
        ? constant(node.path("child"), type.path("type_name").asString("").toUpperCase(Locale.ROOT))
        : null;
  }

  private static @Nullable SqlLiteral constant(JsonNode node, String type) {
    JsonNode literal = node.path("literal");
    String kind = literal.path("kind").asString("");
    for (Kind each : Kind.values()) {
      if (each.name().equals(kind)) {
        // The engine leaves out empty text.
        return new SqlLiteral(each, type, literal.path("text").asString(""));
      }
    }
    return null;
  }

  boolean isNull() {
    return kind == Kind.NULL_LITERAL && type.isEmpty();
  }

  /// Returns whether this is a string that takes the type of what it is compared with.
  boolean isBareString() {
    return kind == Kind.STRING && type.isEmpty();
  }

  /// Returns whether a list may have both literals without a change of their type.
  boolean isLike(SqlLiteral other) {
    return kind == other.kind && type.equals(other.type) && hasExponent() == other.hasExponent();
  }

  boolean hasExponent() {
    return kind == Kind.NUMERIC && (text.indexOf('e') >= 0 || text.indexOf('E') >= 0);
  }
}
