package dev.quiver.arrow.metadata;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A check of a schema's dictionaries: fields that share one agree on its values, and no dictionary
/// contains itself.
final class DictionaryIds {

  private final Map<Long, Field> firstById = new HashMap<>();
  private final Set<Long> enclosing = new HashSet<>();
  private @Nullable FieldPath path;

  private DictionaryIds() {}

  static void check(List<Field> fields) {
    new DictionaryIds().visit(fields);
  }

  private void visit(List<Field> fields) {
    FieldPath parent = path;
    for (Field field : fields) {
      path = new FieldPath(parent, field.name());
      DictionaryEncoding dictionary = field.dictionary();
      if (dictionary == null) {
        visit(field.children());
      } else {
        enter(dictionary.id());
        requireAgreement(dictionary.id(), field);
        visit(field.children());
        enclosing.remove(dictionary.id());
      }
    }
    path = parent;
  }

  private void requireAgreement(long id, Field field) {
    Field first = firstById.putIfAbsent(id, field);
    if (first != null && !sameValues(first, field)) {
      throw malformed(
          "dictionary " + id + " of " + valueType(first) + " as in " + quoted(first),
          valueType(field));
    }
  }

  private void enter(long id) {
    if (!enclosing.add(id)) {
      throw malformed(
          "a dictionary other than " + id + ", which contains this field", "dictionary " + id);
    }
  }

  /// Compares the types of the values and the ids of their dictionaries. Names, nullability and
  /// metadata may differ. With equal ids and finite types, the only possible cycle is the direct
  /// one.
  private static boolean sameValues(Field one, Field other) {
    if (!one.type().equals(other.type()) || one.children().size() != other.children().size()) {
      return false;
    }
    for (int i = 0; i < one.children().size(); i++) {
      Field oneChild = one.children().get(i);
      Field otherChild = other.children().get(i);
      if (!Objects.equals(oneChild.dictionary(), otherChild.dictionary())
          || !sameValues(oneChild, otherChild)) {
        return false;
      }
    }
    return true;
  }

  private static String valueType(Field field) {
    return field.withDictionary(null).describeType();
  }

  private static String quoted(Field field) {
    return "field \"" + field.name() + '"';
  }

  private MalformedInputException malformed(String expected, String found) {
    InputLocation place = InputLocation.field(String.valueOf(path));
    return new MalformedInputException(
        expected, found, place.withDetail(VtableSlots.DICTIONARY_ENCODING_ID.name()));
  }
}
