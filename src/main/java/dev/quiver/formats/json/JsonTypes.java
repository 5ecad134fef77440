package dev.quiver.formats.json;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.SqlLiterals;
import dev.quiver.formats.TextTypes;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The types in which nested values of JSON are read to follow a dataset's column.
///
/// The reader leaves out fields that a stated type lacks, and rounds numbers. So a type is stated
/// only if all that was found fits into it.
final class JsonTypes {

  private JsonTypes() {}

  /// Returns whether the values are texts of JSON.
  static boolean isJson(Field field) {
    return field.type() instanceof ArrowType.Utf8 && field.isExtension("arrow.json");
  }

  /// Returns the type in the engine's words, or null if not all values fit into the stored one.
  ///
  /// @param read the field as the engine infers it
  static @Nullable String sql(Field read, Field stored) {
    return fits(read, stored) ? sql(stored) : null;
  }

  private static boolean fits(Field read, Field stored) {
    if (isJson(read) || read.type() instanceof ArrowType.Null) {
      // All values are null, or of several kinds, of which some then do not convert.
      return true;
    }
    return switch (stored.type()) {
      case ArrowType.Struct() ->
          read.type() instanceof ArrowType.Struct && fitChildren(read, stored);
      case ArrowType.Map _ ->
          read.type() instanceof ArrowType.Struct
              && read.children().stream()
                  .allMatch(
                      child -> fits(child, stored.children().getFirst().children().getLast()));
      case ArrowType.ListLike _ ->
          read.type() instanceof ArrowType.List
              && fits(read.children().getFirst(), stored.children().getFirst());
      case ArrowType.Bool() -> read.type() instanceof ArrowType.Bool;
      case ArrowType.Int _, ArrowType.Decimal _ -> read.type() instanceof ArrowType.Int;
      case ArrowType.FloatingPoint _ ->
          read.type() instanceof ArrowType.Int || read.type() instanceof ArrowType.FloatingPoint;
      case ArrowType.Text _ -> read.type() instanceof ArrowType.Utf8;
      case ArrowType.Date _ -> read.type() instanceof ArrowType.Date;
      case ArrowType.Time(TimeUnit unit, _) ->
          read.type() instanceof ArrowType.Time && unit != TimeUnit.NANOSECOND;
      case ArrowType.Timestamp(TimeUnit unit, var zone) ->
          read.type() instanceof ArrowType.Timestamp(_, var other)
              && unit != TimeUnit.NANOSECOND
              && (zone == null) == (other == null);
      case ArrowType.FixedSizeBinary _ -> stored.isUuid() && read.isUuid();
      default -> false;
    };
  }

  private static boolean fitChildren(Field read, Field stored) {
    Map<String, Field> byName = new LinkedHashMap<>();
    stored.children().forEach(child -> byName.put(child.name(), child));
    return read.children().stream()
        .allMatch(child -> {
          Field other = byName.get(child.name());
          return other != null && fits(child, other);
        });
  }

  /// Returns the type of all values of a field, or null if the engine has none from which it casts.
  private static @Nullable String sql(Field stored) {
    return switch (stored.type()) {
      case ArrowType.Struct() -> struct(stored);
      case ArrowType.Map _ -> {
        Field entries = stored.children().getFirst();
        Field key = entries.children().getFirst();
        String value = sql(entries.children().getLast());
        yield value == null || TextTypes.of(key) != ColumnType.VARCHAR
            ? null
            : "MAP(VARCHAR, " + value + ")";
      }
      case ArrowType.ListLike _ -> {
        String item = sql(stored.children().getFirst());
        yield item == null ? null : item + "[]";
      }
      default -> {
        ColumnType type = TextTypes.of(stored);
        if (type == null
            || type.kind() == ColumnType.Kind.BINARY
            || type.kind() == ColumnType.Kind.HALF) {
          yield null;
        }
        yield isJson(stored) ? "JSON" : type.sql();
      }
    };
  }

  private static @Nullable String struct(Field stored) {
    StringJoiner fields = new StringJoiner(", ", "STRUCT(", ")");
    Set<String> names = new HashSet<>();
    for (Field child : stored.children()) {
      String type = sql(child);
      if (type == null
          || child.name().isEmpty()
          || !names.add(child.name().toLowerCase(Locale.ROOT))) {
        return null;
      }
      fields.add(SqlLiterals.identifier(child.name()) + " " + type);
    }
    return names.isEmpty() ? null : fields.toString();
  }
}
