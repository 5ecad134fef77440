package dev.quiver.formats.json;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.value.ValueKinds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values that a key has in some records: the kinds of scalars, the keys of objects, and the
/// elements of arrays. Used by one thread.
final class JsonShape {

  /// The fields from which on a table finds them.
  private static final int TABLE_COUNT_MINIMUM = 8;

  final String name;

  private final JsonKey key;

  /// The column or child of a dataset whose type the values get if they fit, or null.
  final @Nullable Field stored;

  /// Whether objects and arrays are not looked into, since they become text.
  final boolean isOpaque;

  /// Whether this is a feature of GeoJSON, whose properties are columns.
  boolean isFeature;

  /// Whether a feature has another type than `Feature`.
  boolean hasOtherTypes;

  /// Whether the fields are columns, as those of the record are.
  boolean isTransparent;

  /// The kinds of scalars, or null before the first one.
  @Nullable ValueKinds scalars;

  /// The rows, from 1, of the first object, array and scalar, or 0 if absent.
  long objectRow;

  long arrayRow;
  long scalarRow;

  /// The first scalar, truncated if long, for a warning.
  String firstScalar = "";

  /// The fields of objects, in order of their first appearance.
  final List<JsonShape> fields = new ArrayList<>(0);

  /// The indices of fields by name, once there are many.
  private Map<String, Integer> table = Map.of();

  /// The stored children by name, once one was looked for.
  private @Nullable Map<String, Field> storedChildren;

  /// The elements of arrays, or the values of maps, or null before the first one.
  @Nullable JsonShape items;

  /// The object that had this key last, by a number, so that a key that it repeats is found.
  long lastObject;

  /// The index of the field that is expected next: objects tend to have the same keys in order.
  private int next;

  /// @param stored the column or child of a dataset whose type the values get if they fit, or null
  JsonShape(String name, @Nullable Field stored, boolean isOpaque) {
    this.name = name;
    this.key = new JsonKey(name);
    this.stored = stored;
    this.isOpaque = isOpaque;
  }

  /// Returns the shape of records.
  ///
  /// @param dataset the columns of the dataset to which the rows are appended, as a struct, or null
  static JsonShape ofRecords(@Nullable Field dataset, boolean isFeature) {
    JsonShape root = new JsonShape("", dataset, /* isOpaque= */ false);
    root.isFeature = isFeature;
    root.isTransparent = true;
    return root;
  }

  /// Returns the shape of the properties of features.
  static JsonShape properties(@Nullable Field dataset) {
    JsonShape properties =
        new JsonShape(JsonShapeReader.PROPERTIES, dataset, /* isOpaque= */ false);
    properties.isTransparent = true;
    return properties;
  }

  /// Returns a shape without values.
  private JsonShape empty() {
    JsonShape empty = new JsonShape(name, stored, isOpaque);
    empty.isFeature = isFeature;
    empty.isTransparent = isTransparent;
    return empty;
  }

  /// Returns whether the keys of objects are values of a map.
  boolean isMap() {
    return stored != null && stored.type() instanceof ArrowType.Map;
  }

  /// Returns the kinds of scalars, which may be added to.
  ValueKinds kinds() {
    ValueKinds kinds = scalars;
    if (kinds == null) {
      kinds = new ValueKinds();
      scalars = kinds;
    }
    return kinds;
  }

  /// Begins an object.
  void begin() {
    next = 0;
  }

  /// Reads the key of the field that is expected next, and returns the field. Returns null if
  /// another token may be next.
  @Nullable JsonShape readExpected(JsonTokenReader tokens) {
    JsonShape expected = next < fields.size() ? fields.get(next) : null;
    if (expected == null || !tokens.readKey(expected.key)) {
      return null;
    }
    next++;
    return expected;
  }

  /// Returns the field of a key, or null if it is new.
  @Nullable JsonShape field(String key) {
    if (next < fields.size()) {
      JsonShape expected = fields.get(next);
      if (expected.name.equals(key)) {
        next++;
        return expected;
      }
    }
    if (fields.size() >= TABLE_COUNT_MINIMUM) {
      Integer index = table.get(key);
      next = index == null ? next : index + 1;
      return index == null ? null : fields.get(index);
    }
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name.equals(key)) {
        next = i + 1;
        return fields.get(i);
      }
    }
    return null;
  }

  void add(JsonShape field) {
    fields.add(field);
    if (fields.size() == TABLE_COUNT_MINIMUM) {
      table = new HashMap<>();
      for (int i = 0; i < fields.size(); i++) {
        table.put(fields.get(i).name, i);
      }
    } else if (fields.size() > TABLE_COUNT_MINIMUM) {
      table.put(field.name, fields.size() - 1);
    }
    next = fields.size();
  }

  /// Returns the child of the stored field that has a name, or null.
  @Nullable Field storedChild(String key) {
    if (stored == null || !(stored.type() instanceof ArrowType.Struct)) {
      return null;
    }
    Map<String, Field> children = storedChildren;
    if (children == null) {
      children = new HashMap<>();
      for (Field child : stored.children()) {
        children.putIfAbsent(child.name(), child);
      }
      storedChildren = children;
    }
    return children.get(key);
  }

  /// Returns the stored field of elements of arrays, or of values of maps, or null.
  @Nullable Field storedItem() {
    if (stored == null) {
      return null;
    }
    return switch (stored.type()) {
      case ArrowType.ListLike _ -> stored.children().getFirst();
      case ArrowType.Map _ -> stored.children().getFirst().children().getLast();
      default -> null;
    };
  }

  /// Adds the values of later records.
  ///
  /// @param rowCount the rows before these
  /// @return the number of new shapes
  int addAll(JsonShape later, long rowCount) {
    objectRow = first(objectRow, later.objectRow, rowCount);
    arrayRow = first(arrayRow, later.arrayRow, rowCount);
    if (scalarRow == 0) {
      firstScalar = later.firstScalar;
    }
    scalarRow = first(scalarRow, later.scalarRow, rowCount);
    if (later.scalars != null) {
      kinds().addAll(later.scalars, rowCount);
    }
    hasOtherTypes |= later.hasOtherTypes;
    int added = 0;
    begin();
    for (JsonShape field : later.fields) {
      JsonShape own = field(field.name);
      if (own == null) {
        own = field.empty();
        add(own);
        added++;
      }
      added += own.addAll(field, rowCount);
    }
    JsonShape others = later.items;
    if (others != null) {
      if (items == null) {
        items = others.empty();
        added++;
      }
      added += items.addAll(others, rowCount);
    }
    return added;
  }

  private static long first(long row, long later, long rowCount) {
    return row > 0 || later == 0 ? row : rowCount + later;
  }
}
