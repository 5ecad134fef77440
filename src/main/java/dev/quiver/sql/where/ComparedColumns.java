package dev.quiver.sql.where;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The columns that expressions refer to, and fields of structs.
///
/// @param table the name of the table, which may qualify a column
record ComparedColumns(Schema schema, String table) {

  /// A column, or a field of a struct.
  ///
  /// @param path the index of the column, then of a child in each struct
  record Column(List<Integer> path, Field field) {}

  /// A column that is compared with literals.
  record Compared(List<Integer> path, Field field, ComparedValues values) {}

  /// Returns the column of an expression, or null if that is something else or if its comparisons
  /// are left to the engine.
  @Nullable Compared compared(JsonNode node) {
    boolean isCast = node.path("class").asString("").equals("CAST");
    Column column = of(isCast ? node.path("child") : node);
    ComparedValues values = column == null ? null : ComparedValues.of(column.field());
    // The parser adds a cast to BOOLEAN to `IS TRUE`.
    boolean isFlag =
        values instanceof ComparedValues.Booleans
            && node.path("type_expr").path("type_name").asString("").equals("BOOLEAN");
    return column == null || values == null || isCast && !isFlag
        ? null
        : new Compared(column.path(), column.field(), values);
  }

  /// Returns the column of an expression, or null if it is not the name of exactly one.
  @Nullable Column of(JsonNode node) {
    List<String> names =
        node.path("column_names").valueStream().map(part -> part.asString("")).toList();
    if (names.size() > 1 && ColumnNames.areEqual(names.getFirst(), table) && !hasColumn(table)) {
      names = names.subList(1, names.size());
    }
    List<Integer> path = new ArrayList<>();
    List<Field> fields = schema.fields();
    Field field = null;
    for (String name : names) {
      int index = indexOf(name, fields);
      // Before the last part, this may be the name of the table in place of a column.
      if (index < 0 || path.size() < names.size() - 1 && ColumnNames.areEqual(name, table)) {
        return null;
      }
      path.add(index);
      field = fields.get(index);
      fields = field.storageType() instanceof ArrowType.Struct() ? field.children() : List.of();
    }
    return field == null ? null : new Column(path, field);
  }

  private boolean hasColumn(String name) {
    return schema.fields().stream().anyMatch(field -> ColumnNames.areEqual(name, field.name()));
  }

  /// Returns the index of the only field with a name in any case, or -1.
  private static int indexOf(String name, List<Field> fields) {
    int found = -1;
    for (int i = 0; i < fields.size(); i++) {
      if (ColumnNames.areEqual(name, fields.get(i).name())) {
        if (found >= 0) {
          return -1;
        }
        found = i;
      }
    }
    return found;
  }
}
