package dev.quiver.formats;

import dev.quiver.arrow.memory.NearestName;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Names of columns in SQL, where they have to be distinct, unlike in Arrow. The case of ASCII
/// letters does not count, as in DuckDB.
public final class ColumnNames {

  private static final int SUGGESTED_MAXIMUM = 1_000;

  /// The next number for each name in lower case.
  private final Map<String, Integer> numbers = new HashMap<>();

  /// Returns a name that no column before has: the given one, or one with a number such as `a_1`,
  /// as in tables that DuckDB makes of a result.
  public String next(String name) {
    String lower = lowerCase(name);
    Integer number = numbers.putIfAbsent(lower, 1);
    if (number == null) {
      return name;
    }
    String distinct;
    do {
      distinct = name + "_" + number++;
    } while (numbers.putIfAbsent(lowerCase(distinct), 1) != null);
    numbers.put(lower, number);
    return distinct;
  }

  /// Returns whether two names are the same in SQL.
  public static boolean areEqual(String name, String other) {
    if (name.length() != other.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (lowerCase(name.charAt(i)) != lowerCase(other.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /// Returns a phrase about the name that was most likely meant, or an empty one.
  ///
  /// @param names of which the first ones are compared, unless they are long, since that takes time
  ///   for each pair of their characters
  public static String suggestion(String misspelt, Collection<String> names) {
    List<String> candidates =
        names.stream()
            .filter(name -> name.length() <= ForeignDataException.VALUE_LENGTH_MAXIMUM)
            .limit(SUGGESTED_MAXIMUM)
            .toList();
    return misspelt.length() > ForeignDataException.VALUE_LENGTH_MAXIMUM || candidates.isEmpty()
        ? ""
        : ", such as \"%s\","
            .formatted(ForeignDataException.excerpt(NearestName.of(misspelt, candidates)));
  }

  /// Returns the name of a column in SQL: a column without one is called by its index.
  public static String ofColumn(int index, String name) {
    return name.isEmpty() ? "C" + index : name;
  }

  /// Returns a schema whose columns without a name have their names in SQL, except where another
  /// column has such a name.
  public static Schema named(Schema schema) {
    List<Field> fields = new ArrayList<>(schema.fields());
    for (int i = 0; i < fields.size(); i++) {
      String name = ofColumn(i, fields.get(i).name());
      if (fields.get(i).name().isEmpty()
          && schema.fields().stream().noneMatch(field -> areEqual(name, field.name()))) {
        fields.set(i, fields.get(i).withName(name));
      }
    }
    return schema.withFields(fields);
  }

  /// Returns whether each column has in SQL the name that it has in the schema.
  public static boolean areKept(Schema schema) {
    ColumnNames names = new ColumnNames();
    return schema.fields().stream()
        .map(Field::name)
        .allMatch(name -> !name.isEmpty() && names.next(name).equals(name));
  }

  private static String lowerCase(String name) {
    StringBuilder lower = new StringBuilder(name);
    for (int i = 0; i < lower.length(); i++) {
      lower.setCharAt(i, lowerCase(lower.charAt(i)));
    }
    return lower.toString();
  }

  private static char lowerCase(char character) {
    return character >= 'A' && character <= 'Z' ? (char) (character - 'A' + 'a') : character;
  }
}
