package dev.quiver.sql.query;

import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.syntax.SyntaxTree;
import dev.quiver.sql.worker.PassedColumn;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The columns of a statement that are columns of datasets, unchanged: those named in the list of a
/// SELECT whose FROM has datasets alone, and those of `*`.
final class SelectedColumns {

  /// The members of a `*` that has columns as they are.
  static final Set<String> STAR_MEMBERS =
      Set.of(
          "class",
          "type",
          "query_location",
          "query_location_length",
          "relation_name",
          "exclude_list");

  /// The kinds of joins after which `*` has all columns of both sides.
  private static final Set<String> PLAIN_JOINS = Set.of("", "REGULAR", "CROSS");

  private static final Set<String> PLAIN_JOIN_TYPES = Set.of("", "INNER", "LEFT", "RIGHT", "OUTER");

  /// A dataset of the FROM.
  ///
  /// @param alias its name for columns
  /// @param table its name among the datasets of the statement
  /// @param names the names of its columns for the engine
  private record Source(String alias, String table, List<String> names) {}

  private final Map<String, Snapshot> snapshots;
  private final List<Source> sources = new ArrayList<>();

  /// Whether `*` has the columns of all sources in their order.
  private boolean isStarPlain = true;

  private SelectedColumns(Map<String, Snapshot> snapshots) {
    this.snapshots = snapshots;
  }

  /// Returns the origin of each column of the result; nothing if the statement has another form.
  ///
  /// @param query the node of the whole query
  static List<PassedColumn> of(JsonNode query, Map<String, Snapshot> snapshots) throws IOException {
    boolean isPlain =
        query.path("type").asString("").equals("SELECT_NODE")
            && query.path("cte_map").path("map").isEmpty();
    SelectedColumns columns = new SelectedColumns(snapshots);
    return isPlain && columns.addSources(query.path("from_table"))
        ? columns.of(query.path("select_list"))
        : List.of();
  }

  private boolean addSources(JsonNode from) throws IOException {
    switch (from.path("type").asString("")) {
      case "JOIN" -> {
        isStarPlain &=
            from.path("using_columns").isEmpty()
                && PLAIN_JOINS.contains(from.path("ref_type").asString(""))
                && PLAIN_JOIN_TYPES.contains(from.path("join_type").asString(""));
        return addSources(from.path("left")) && addSources(from.path("right"));
      }
      case "BASE_TABLE" -> {
        String name = from.path("table_name").asString("");
        Snapshot snapshot = snapshots.get(name);
        if (snapshot == null || !SyntaxTree.PLAIN_TABLE_MEMBERS.containsAll(from.propertyNames())) {
          return false;
        }
        sources.add(new Source(from.path("alias").asString(name), name, names(snapshot.schema())));
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  private static List<String> names(Schema schema) {
    ColumnNames names = new ColumnNames();
    List<String> distinct = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      distinct.add(names.next(ColumnNames.ofColumn(i, schema.fields().get(i).name())));
    }
    return distinct;
  }

  private List<PassedColumn> of(JsonNode selected) {
    List<PassedColumn> columns = new ArrayList<>();
    for (JsonNode node : selected) {
      switch (node.path("class").asString("")) {
        case "STAR" -> {
          if (!STAR_MEMBERS.containsAll(node.propertyNames()) || !addStar(node, columns)) {
            return List.of();
          }
        }
        case "COLUMN_REF" -> columns.add(column(node.path("column_names")));
        default -> columns.add(PassedColumn.COMPUTED);
      }
    }
    return columns;
  }

  private boolean addStar(JsonNode star, List<PassedColumn> columns) {
    String relation = star.path("relation_name").asString("");
    JsonNode excluded = star.path("exclude_list");
    if (relation.isEmpty() && !isStarPlain
        || excluded.valueStream().anyMatch(entry -> !entry.isString())) {
      return false;
    }
    for (Source source : sources) {
      boolean isMeant = relation.isEmpty() || ColumnNames.areEqual(relation, source.alias);
      for (int i = 0; isMeant && i < source.names.size(); i++) {
        String name = source.names.get(i);
        if (excluded.valueStream().noneMatch(e -> ColumnNames.areEqual(e.asString(""), name))) {
          columns.add(new PassedColumn(source.table, i));
        }
      }
    }
    return true;
  }

  /// Returns the only column with a name, which its dataset may qualify.
  private PassedColumn column(JsonNode parts) {
    PassedColumn found = null;
    String name = parts.path(parts.size() - 1).asString("");
    @Nullable String alias = parts.size() == 2 ? parts.path(0).asString("") : null;
    for (Source source : parts.size() > 2 ? List.<Source>of() : sources) {
      for (int i = 0; i < source.names.size(); i++) {
        boolean isNamed =
            ColumnNames.areEqual(name, source.names.get(i))
                && (alias == null || ColumnNames.areEqual(alias, source.alias));
        if (isNamed && found != null) {
          return PassedColumn.COMPUTED;
        }
        found = isNamed ? new PassedColumn(source.table, i) : found;
      }
    }
    return found == null ? PassedColumn.COMPUTED : found;
  }
}
