package dev.quiver.store.write;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.transform.FieldPairs;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.SchemaDifference;
import dev.quiver.store.version.SchemaDifference.Aspect;
import dev.quiver.store.version.SchemaMismatchException;
import dev.quiver.store.version.SchemaMismatchException.Remedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A check whether batches of one schema may follow batches of another.
///
/// They may if names, order, nullability and types, including extension types, are equal and the
/// same fields are dictionary-encoded. Differences of encoding do not count: byte order, dictionary
/// ids, index types, and metadata except of extension types.
final class SchemaMatch {

  /// The maximum number of reported differences.
  static final int MAXIMUM = 100;

  private static final int EXCERPT_LENGTH_MAXIMUM = 100;

  private final List<SchemaDifference> differences = new ArrayList<>();
  private long count;
  private boolean anyExtra;

  /// Returns whether batches of one schema may follow batches of the other as they are.
  static boolean isSame(Schema stored, Schema uploaded) {
    return of(stored, uploaded).count == 0;
  }

  /// Returns whether columns of two fields of the same name may follow each other as they are.
  static boolean isSame(Field stored, Field uploaded) {
    SchemaMatch match = new SchemaMatch();
    match.compare(new FieldPath(null, stored.name()), stored, uploaded);
    return match.count == 0;
  }

  /// Compares two schemas.
  static SchemaMatch of(Schema stored, Schema uploaded) {
    SchemaMatch match = new SchemaMatch();
    match.compareByName(null, stored.fields(), uploaded.fields());
    return match;
  }

  /// @param name the name of the dataset
  /// @throws SchemaMismatchException if there is any difference
  void throwIfDifferent(DatasetName name) {
    if (count > 0) {
      throw mismatch(name, anyExtra ? Remedy.ADD_COLUMNS : Remedy.DATA);
    }
  }

  /// Returns whether there is no difference.
  boolean isSame() {
    return count == 0;
  }

  /// Returns the failure to report if there is any difference.
  SchemaMismatchException mismatch(DatasetName name, Remedy remedy) {
    return new SchemaMismatchException(name, differences, count, remedy);
  }

  /// Adds the differences of a column.
  ///
  /// @param uploaded null if the upload lacks the column
  void addColumn(Field stored, @Nullable Field uploaded) {
    FieldPath path = new FieldPath(null, stored.name());
    if (uploaded == null) {
      add(path, Aspect.MISSING, describe(stored), "no field");
    } else {
      compare(path, stored, uploaded);
    }
  }

  /// Adds a column that the dataset lacks.
  void addExtra(Field uploaded) {
    anyExtra = true;
    add(new FieldPath(null, uploaded.name()), Aspect.EXTRA, "no field", describe(uploaded));
  }

  /// Adds a column that the dataset lacks and cannot get, since another one has its name.
  void addRepeated(Field uploaded) {
    add(new FieldPath(null, uploaded.name()), Aspect.EXTRA, "one field of this name", "several");
  }

  /// Adds a column that the dataset lacks and cannot get, since its type has no nulls.
  void addWithoutNulls(Field uploaded) {
    String expected = "a type of which rows may be null";
    add(new FieldPath(null, uploaded.name()), Aspect.TYPE, expected, describe(uploaded));
  }

  private void compareByName(@Nullable FieldPath parent, List<Field> stored, List<Field> uploaded) {
    FieldPairs pairs = FieldPairs.of(stored, uploaded);
    for (int position = 0; position < stored.size(); position++) {
      Field field = stored.get(position);
      FieldPath path = new FieldPath(parent, field.name());
      int uploadedPosition = pairs.uploadedPosition(position);
      if (uploadedPosition == FieldPairs.NONE) {
        add(path, Aspect.MISSING, describe(field), "no field");
        continue;
      }
      if (pairs.isMoved(position)) {
        add(path, Aspect.POSITION, "position " + position, "position " + uploadedPosition);
      }
      compare(path, field, uploaded.get(uploadedPosition));
    }
    for (int position : pairs.extra()) {
      Field field = uploaded.get(position);
      anyExtra |= parent == null;
      add(new FieldPath(parent, field.name()), Aspect.EXTRA, "no field", describe(field));
    }
  }

  /// Compares children whose position in the type decides their role, regardless of their names.
  private void compareByPosition(FieldPath parent, List<Field> stored, List<Field> uploaded) {
    for (int position = 0; position < stored.size(); position++) {
      Field field = stored.get(position);
      Field other = uploaded.get(position);
      FieldPath path = parent.child(field);
      if (!field.name().equals(other.name())) {
        add(path, Aspect.NAME, "the name " + quote(field.name()), quote(other.name()));
      }
      compare(path, field, other);
    }
  }

  private void compare(FieldPath path, Field stored, Field uploaded) {
    if (stored.nullable() != uploaded.nullable()) {
      add(path, Aspect.NULLABILITY, nullability(stored), nullability(uploaded));
    }
    compareEncodings(path, stored.dictionary(), uploaded.dictionary());
    compareExtensions(path, stored.extension(), uploaded.extension());
    if (stored.type().getClass() != uploaded.type().getClass()) {
      add(path, Aspect.TYPE, describe(stored), describe(uploaded));
      return;
    }
    if (!stored.type().equals(uploaded.type())) {
      add(path, Aspect.TYPE, describe(stored.type()), describe(uploaded.type()));
    }
    if (stored.type() instanceof ArrowType.Struct || stored.type() instanceof ArrowType.Union) {
      compareByName(path, stored.children(), uploaded.children());
    } else {
      compareByPosition(path, stored.children(), uploaded.children());
    }
  }

  private void compareEncodings(
      FieldPath path, @Nullable DictionaryEncoding stored, @Nullable DictionaryEncoding uploaded) {
    if (stored == null || uploaded == null) {
      if (stored != uploaded) {
        add(path, Aspect.ENCODING, encoding(stored), encoding(uploaded));
      }
    } else if (stored.ordered() != uploaded.ordered()) {
      add(path, Aspect.ORDER, order(stored), order(uploaded));
    }
  }

  private void compareExtensions(
      FieldPath path,
      SortedMap<String, ByteString> stored,
      SortedMap<String, ByteString> uploaded) {
    if (stored.equals(uploaded)) {
      return;
    }
    TreeSet<String> keys = new TreeSet<>(stored.keySet());
    keys.addAll(uploaded.keySet());
    for (String key : keys) {
      ByteString expected = stored.get(key);
      ByteString found = uploaded.get(key);
      if (!Objects.equals(expected, found)) {
        add(path, Aspect.EXTENSION, entry(key, expected), entry(key, found));
      }
    }
  }

  private void add(FieldPath path, Aspect aspect, String expected, String found) {
    count++;
    if (differences.size() < MAXIMUM) {
      differences.add(new SchemaDifference(path.toString(), aspect, expected, found));
    }
  }

  private static String entry(String key, @Nullable ByteString value) {
    return value == null
        ? "no " + excerpt(key)
        : "%s %s".formatted(excerpt(key), quote(value.toString()));
  }

  private static String nullability(Field field) {
    return field.nullable() ? "nullable" : "not nullable";
  }

  private static String encoding(@Nullable DictionaryEncoding encoding) {
    return encoding == null ? "plain values" : "dictionary-encoded values";
  }

  private static String order(DictionaryEncoding encoding) {
    return encoding.ordered() ? "an ordered dictionary" : "an unordered dictionary";
  }

  /// Describes the type of the values, including its children.
  private static String describe(Field field) {
    return excerpt(field.withDictionary(null).describeType());
  }

  /// Describes a type that differs from another one of its kind.
  private static String describe(ArrowType type) {
    return type instanceof ArrowType.Union union
        ? union + " of type ids " + union.typeIds()
        : excerpt(type.toString());
  }

  private static String quote(String text) {
    return '"' + excerpt(text) + '"';
  }

  private static String excerpt(String text) {
    return Excerpt.of(text, EXCERPT_LENGTH_MAXIMUM);
  }
}
