package dev.quiver.sql.syntax;

import dev.quiver.arrow.memory.NearestName;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The columns of a dataset for hints about conditions, as conditions write their names.
///
/// @param schema in which every column has the name that conditions use
record ConditionColumns(Schema schema) {

  /// The number of columns of which a misspelt name may mean one.
  private static final int COMPARED_MAXIMUM = 1_000;

  /// The maximum number of characters of a name that is compared or listed.
  private static final int NAME_LENGTH_MAXIMUM = 100;

  /// The number of characters of a condition that a hint repeats.
  private static final int CONDITION_LENGTH_MAXIMUM = 200;

  private static final int LISTED_MAXIMUM = 5;

  /// The characters of a name with which a longer one may be meant.
  private static final int PART_LENGTH_MINIMUM = 3;

  private List<String> names() {
    return schema.fields().stream()
        .map(Field::name)
        .filter(name -> name.length() <= NAME_LENGTH_MAXIMUM)
        .limit(COMPARED_MAXIMUM)
        .toList();
  }

  boolean has(String name) {
    return schema.fields().stream().anyMatch(field -> ColumnNames.areEqual(name, field.name()));
  }

  /// Returns the name of the column that a name means in any case, or null if absent or if its
  /// values are texts.
  @Nullable String converting(String name) {
    return schema.fields().stream()
        .filter(field -> !(field.storageType() instanceof ArrowType.Text))
        .map(Field::name)
        .filter(each -> ColumnNames.areEqual(name, each))
        .findFirst()
        .orElse(null);
  }

  /// Returns whether a column has lists.
  boolean isList(String name) {
    return schema.fields().stream()
        .anyMatch(field ->
            ColumnNames.areEqual(name, field.name())
                && field.storageType() instanceof ArrowType.ListLike);
  }

  /// Returns some names as a list, or an empty text if the dataset has no columns.
  String list() {
    List<String> names = names();
    return names.stream()
            .limit(LISTED_MAXIMUM)
            .map(SqlNames::written)
            .collect(Collectors.joining(", "))
        + (names.size() > LISTED_MAXIMUM ? ", …" : "");
  }

  /// Returns the name of the nearest column, or else of the shortest one that contains the name, as
  /// a condition writes it, or null if absent.
  @Nullable String near(String name) {
    if (name.length() > NAME_LENGTH_MAXIMUM) {
      return null;
    }
    String near = NearestName.near(name, names());
    String found = near == null && name.length() >= PART_LENGTH_MINIMUM ? containing(name) : near;
    return found == null ? null : SqlNames.written(found);
  }

  private @Nullable String containing(String part) {
    String wanted = part.toLowerCase(Locale.ROOT);
    return names().stream()
        .filter(name -> name.toLowerCase(Locale.ROOT).contains(wanted))
        .min(Comparator.comparingInt(String::length))
        .orElse(null);
  }

  /// Returns a comparison of a column of text with a text, as an example.
  @Nullable String comparison(String text) {
    return schema.fields().stream()
        .filter(field -> field.type() instanceof ArrowType.Text)
        .findFirst()
        .map(field -> SqlNames.written(field.name()) + " = " + SqlNames.literal(text))
        .orElse(null);
  }

  /// Returns a hint about the name of a column that a condition has without quotes, or null if it
  /// has none there that needs them.
  ///
  /// @param position within the name, or just behind it, or -1 if unknown
  @Nullable String quotedName(String condition, int position) {
    String quoted = position < 0 ? null : withQuotes(condition, position);
    return quoted == null ? null : "Write the name in double quotes, such as %s.".formatted(quoted);
  }

  /// Returns a condition with a name in double quotes that it has without them at a place, or null
  /// if no column has such a name.
  ///
  /// @param position within the name, or just behind it
  private @Nullable String withQuotes(String condition, int position) {
    String longest = "";
    int begin = 0;
    for (String name : names()) {
      int earliest = Math.max(0, position - name.length());
      for (int start = earliest; start <= position && name.length() > longest.length(); start++) {
        if (!SqlNames.written(name).equals(name)
            && condition.regionMatches(/* ignoreCase= */ true, start, name, 0, name.length())
            && isWhole(condition, start, start + name.length())) {
          longest = name;
          begin = start;
        }
      }
    }
    if (longest.isEmpty()) {
      return null;
    }
    String quoted = SqlNames.quoted(longest);
    return condition.length() > CONDITION_LENGTH_MAXIMUM
        ? quoted
        : condition.substring(0, begin) + quoted + condition.substring(begin + longest.length());
  }

  /// Returns whether no letter, digit or quote is next to a part of a condition.
  private static boolean isWhole(String condition, int start, int end) {
    return (start == 0 || isBoundary(condition.charAt(start - 1)))
        && (end == condition.length() || isBoundary(condition.charAt(end)));
  }

  private static boolean isBoundary(char character) {
    return !Character.isLetterOrDigit(character)
        && character != '_'
        && character != '"'
        && character != '\'';
  }
}
