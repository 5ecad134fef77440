package dev.quiver.sql.syntax;

import dev.quiver.sql.worker.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A part of a condition that names the datasets of all rows that it accepts: `table_name = 'a'`,
/// or `table_name IN ('a', $1)`.
///
/// @param values the literals and parameters
public record ComparedNames(List<JsonNode> values) {

  private static final String COLUMN = "table_name";

  /// Returns such a part of a condition, or null if absent.
  ///
  /// @param table the name that the list has in its query, whose only table it is
  static @Nullable ComparedNames of(JsonNode condition, String table) {
    return switch (condition.path("type").asString("")) {
      case "CONJUNCTION_AND" ->
          condition
              .path("children")
              .valueStream()
              .flatMap(part -> Stream.ofNullable(of(part, table)))
              .findFirst()
              .orElse(null);
      case "COMPARE_EQUAL" -> {
        JsonNode left = condition.path("left");
        JsonNode right = condition.path("right");
        yield isName(left, table)
            ? values(List.of(right))
            : isName(right, table) ? values(List.of(left)) : null;
      }
      case "COMPARE_IN" -> {
        List<JsonNode> children = condition.path("children").valueStream().toList();
        yield children.size() > 1 && isName(children.getFirst(), table)
            ? values(children.subList(1, children.size()))
            : null;
      }
      default -> null;
    };
  }

  /// Returns whether an expression is the column of the list. A name after that of another table is
  /// of a query around this one; a name without a table is always of this one.
  private static boolean isName(JsonNode node, String table) {
    List<String> names =
        node.path("column_names").valueStream().map(name -> name.asString("")).toList();
    return node.path("class").asString("").equals("COLUMN_REF")
        && !names.isEmpty()
        && names.getLast().equalsIgnoreCase(COLUMN)
        && (names.size() == 1 || names.size() == 2 && names.getFirst().equalsIgnoreCase(table));
  }

  private static @Nullable ComparedNames values(List<JsonNode> nodes) {
    return nodes.stream().allMatch(node -> isText(node) || isParameter(node))
        ? new ComparedNames(nodes)
        : null;
  }

  private static boolean isText(JsonNode node) {
    return node.path("class").asString("").equals("CONSTANT")
        && node.path("literal").path("kind").asString("").equals("STRING");
  }

  private static boolean isParameter(JsonNode node) {
    return node.path("class").asString("").equals("PARAMETER");
  }

  /// Returns the names, or null if a parameter is not a text.
  public @Nullable Set<String> names(List<Parameter> parameters) {
    List<String> names = new ArrayList<>();
    for (JsonNode value : values) {
      String name =
          isParameter(value)
              ? text(value.path("identifier").asString(""), parameters)
              : value.path("literal").path("text").asString("");
      if (name == null) {
        return null;
      }
      names.add(name);
    }
    return new HashSet<>(names);
  }

  private static @Nullable String text(String identifier, List<Parameter> parameters) {
    for (int i = 0; i < parameters.size(); i++) {
      Parameter parameter = parameters.get(i);
      String name = parameter.isPositional() ? Integer.toString(i + 1) : parameter.name();
      if (name.equals(identifier)) {
        return parameter.type() == Parameter.Type.VARCHAR ? parameter.text() : null;
      }
    }
    return null;
  }
}
