package dev.quiver.formats.json;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.TextTypes;
import dev.quiver.formats.value.KindTypes;
import dev.quiver.formats.value.TextKind;
import dev.quiver.formats.value.ValueKinds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The types of the columns of a file, by the values that they have. Used by one thread.
final class JsonTypes {

  private static final Set<TextKind> NUMBERS =
      EnumSet.of(
          TextKind.INTEGER,
          TextKind.LONG_INTEGER,
          TextKind.LARGE_INTEGER,
          TextKind.FRACTION,
          TextKind.UNREPRESENTABLE);

  private final JsonOptions options;
  private final List<String> warnings = new ArrayList<>();

  JsonTypes(JsonOptions options) {
    this.options = options;
  }

  /// Returns sentences about columns that may have an unintended type.
  List<String> warnings() {
    return warnings;
  }

  /// Returns the field in which values are read.
  ///
  /// @param path the name of the column, and of the fields within
  /// @param depth 1 for a column
  Field field(JsonShape shape, String path, int depth) {
    ColumnType stated = depth == 1 ? options.types().get(shape.name) : null;
    if (stated != null) {
      return stated.field(shape.name);
    }
    Field readable =
        shape.stored == null || !fits(shape, shape.stored) ? null : readable(shape.stored);
    if (readable != null) {
      return readable.withName(shape.name);
    }
    boolean hasObjects = shape.objectRow > 0;
    boolean hasArrays = shape.arrayRow > 0;
    if (!hasObjects && !hasArrays) {
      return scalar(shape, path).field(shape.name);
    }
    if (hasObjects && hasArrays || shape.scalarRow > 0) {
      warnings.add(mixed(shape, path));
      return json(shape.name);
    }
    if (shape.isOpaque || hasObjects && shape.fields.isEmpty()) {
      return json(shape.name);
    }
    if (hasObjects) {
      Field[] fields =
          shape.fields.stream()
              .map(child -> field(child, path + "." + child.name, depth + 1))
              .toArray(Field[]::new);
      return Field.of(shape.name, /* nullable= */ true, new ArrowType.Struct(), fields);
    }
    JsonShape items = shape.items;
    Field item =
        items == null
            ? ColumnType.VARCHAR.field(JsonShapeReader.ITEM)
            : field(items, path + "[]", depth + 1);
    return Field.of(shape.name, /* nullable= */ true, new ArrowType.List(), item);
  }

  /// Returns a field of texts of JSON.
  static Field json(String name) {
    return ColumnType.VARCHAR
        .field(name)
        .withMetadata(Metadata.of(new KeyValue(Field.EXTENSION_NAME, ByteString.of("arrow.json"))));
  }

  /// Returns whether values are texts of JSON.
  static boolean isJson(Field field) {
    return field.type() instanceof ArrowType.Text && field.isExtension("arrow.json");
  }

  private static String mixed(JsonShape shape, String path) {
    return shape.scalarRow > 0
        ? "Column %s is JSON text: it has %s, and \"%s\" in row %,d"
            .formatted(
                ForeignDataException.excerpt(path),
                shape.objectRow > 0 ? "objects" : "arrays",
                shape.firstScalar,
                shape.scalarRow)
        : "Column %s is JSON text: it has an object in row %,d and an array in row %,d"
            .formatted(ForeignDataException.excerpt(path), shape.objectRow, shape.arrayRow);
  }

  private ColumnType scalar(JsonShape shape, String path) {
    Map<TextKind, ValueKinds.Values> values =
        shape.scalars == null ? Map.of() : shape.scalars.values();
    Map<String, ValueKinds.Values> classes = classes(values);
    if (classes.size() > 1) {
      StringBuilder sentence =
          new StringBuilder("Column ")
              .append(ForeignDataException.excerpt(path))
              .append(" is text: it has values of several kinds");
      classes.forEach((kind, first) ->
          sentence.append(
              ", %s (\"%s\" in row %,d)".formatted(kind, first.firstValue(), first.firstRow())));
      warnings.add(sentence.toString());
      return ColumnType.VARCHAR;
    }
    ColumnType type = KindTypes.of(values.keySet(), /* iso= */ true);
    if (type.kind() == ColumnType.Kind.TEXT) {
      KindTypes.Misfit misfit = KindTypes.misfit(values, /* iso= */ true);
      if (misfit != null) {
        warnings.add(misfit.sentence(path));
      }
    }
    return type;
  }

  /// Returns the first values of strings, numbers and booleans, in order of their rows.
  private static Map<String, ValueKinds.Values> classes(Map<TextKind, ValueKinds.Values> values) {
    Map<String, ValueKinds.Values> classes = new LinkedHashMap<>();
    values.entrySet().stream()
        .sorted(Comparator.comparingLong(entry -> entry.getValue().firstRow()))
        .forEach(entry -> {
          TextKind kind = entry.getKey();
          String name =
              kind == TextKind.BOOLEAN
                  ? "booleans"
                  : NUMBERS.contains(kind) ? "numbers" : "strings";
          classes.putIfAbsent(name, entry.getValue());
        });
    return classes;
  }

  /// Returns whether values have the form of a stored field: objects for structs and maps, without
  /// other keys; arrays for lists; scalars for others. Whether its type holds each scalar shows
  /// when it is read.
  private static boolean fits(JsonShape shape, Field stored) {
    if (isJson(stored)) {
      return true;
    }
    if (shape.isOpaque && (shape.objectRow > 0 || shape.arrayRow > 0)) {
      return false;
    }
    return switch (stored.type()) {
      case ArrowType.Struct() ->
          shape.arrayRow == 0
              && shape.scalarRow == 0
              && shape.fields.stream()
                  .allMatch(field -> field.stored != null && fits(field, field.stored));
      case ArrowType.Map _ -> shape.arrayRow == 0 && shape.scalarRow == 0 && fitItems(shape);
      case ArrowType.ListLike _ -> shape.objectRow == 0 && shape.scalarRow == 0 && fitItems(shape);
      default -> shape.objectRow == 0 && shape.arrayRow == 0;
    };
  }

  private static boolean fitItems(JsonShape shape) {
    JsonShape items = shape.items;
    return items == null || items.stored != null && fits(items, items.stored);
  }

  /// Returns the field in which texts are read that are then cast to a stored field, or null if its
  /// values have no text.
  static @Nullable Field readable(Field stored) {
    Field readable =
        switch (stored.type()) {
          case ArrowType.Struct() -> nested(stored, new ArrowType.Struct());
          case ArrowType.Map(boolean keysSorted) -> map(stored, keysSorted);
          case ArrowType.ListLike _ -> nested(stored, new ArrowType.List());
          default -> {
            ColumnType type = TextTypes.of(stored);
            yield type == null
                ? null
                : isJson(stored) ? json(stored.name()) : type.field(stored.name());
          }
        };
    return readable == null || Casts.of(readable, stored) == null ? null : readable;
  }

  private static @Nullable Field nested(Field stored, ArrowType type) {
    List<Field> children = new ArrayList<>();
    for (Field child : stored.children()) {
      Field readable = readable(child);
      if (readable == null) {
        return null;
      }
      children.add(readable);
    }
    return children.isEmpty() && Layout.of(type).childCount() != 0
        ? null
        : Field.of(stored.name(), /* nullable= */ true, type, children.toArray(Field[]::new));
  }

  private static @Nullable Field map(Field stored, boolean keysSorted) {
    Field entries = stored.children().getFirst();
    Field key = entries.children().getFirst();
    Field value = readable(entries.children().getLast());
    ColumnType keyType = TextTypes.of(key);
    if (value == null || keyType == null || keyType.kind() != ColumnType.Kind.TEXT) {
      return null;
    }
    Field pair =
        Field.of(
            entries.name(),
            /* nullable= */ false,
            new ArrowType.Struct(),
            Field.of(key.name(), /* nullable= */ false, ColumnType.VARCHAR.arrow()),
            value);
    return Field.of(stored.name(), /* nullable= */ true, new ArrowType.Map(keysSorted), pair);
  }
}
