package dev.quiver.formats;

import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// New names for columns of an upload: the parameter `rename`.
///
/// ```text
/// Renames → Rename (',' Rename)*
/// Rename  → Name ':' Name                               the name in the file, and the new one
/// Name    → '"' (any character, a quote twice)* '"'
///         | characters other than ':' and ','
/// ```
///
/// @param names the new names by those in the file
public record ColumnRenames(Map<String, String> names) {

  public static final String PARAMETER = "rename";

  public static final ColumnRenames NONE = new ColumnRenames(Map.of());

  private static final Pattern RENAME =
      Pattern.compile(
          "(\"(?:[^\"]|\"\")*+\"|[^\",:][^,:]*+):(\"(?:[^\"]|\"\")++\"|[^\",:][^,:]*+)(?:,|$)");

  /// Reads the parameter `rename` of a request.
  ///
  /// @throws InvalidOptionException if a value does not match the grammar, or repeats a name
  public static ColumnRenames parse(Map<String, List<String>> parameters) {
    Map<String, String> names = new LinkedHashMap<>();
    for (String value : parameters.getOrDefault(PARAMETER, List.of())) {
      Matcher matcher = RENAME.matcher(value);
      int end = 0;
      while (matcher.find(end) && matcher.start() == end) {
        if (names.put(unquoted(matcher.group(1)), unquoted(matcher.group(2))) != null) {
          throw invalid("each name once", matcher.group(1));
        }
        end = matcher.end();
        if (end == value.length()) {
          break;
        }
      }
      if (end < value.length() || value.isEmpty() || value.endsWith(",")) {
        throw invalid(
            "old:new, with quotation marks around a name that has a colon or a comma,",
            value.substring(end));
      }
    }
    return names.isEmpty() ? NONE : new ColumnRenames(names);
  }

  private static String unquoted(String name) {
    return name.startsWith("\"")
        ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
        : name;
  }

  public boolean isEmpty() {
    return names.isEmpty();
  }

  /// Returns the schema of an upload with the new names.
  ///
  /// @throws InvalidOptionException if there is not one column of a name, or if a new name is that
  ///   of another column
  public Schema apply(Schema uploaded) {
    if (isEmpty()) {
      return uploaded;
    }
    Map<String, Integer> counts = new HashMap<>();
    uploaded.fields().forEach(field -> counts.merge(field.name(), 1, Integer::sum));
    names.keySet().forEach(name -> requireOne(name, counts));
    List<Field> fields =
        uploaded.fields().stream()
            .map(field -> field.withName(names.getOrDefault(field.name(), field.name())))
            .toList();
    counts.clear();
    fields.forEach(field -> counts.merge(field.name(), 1, Integer::sum));
    for (String name : names.values()) {
      if (counts.getOrDefault(name, 0) > 1) {
        throw invalid("a new name that no other column has", name);
      }
    }
    return uploaded.withFields(fields);
  }

  private static void requireOne(String name, Map<String, Integer> counts) {
    int count = counts.getOrDefault(name, 0);
    if (count > 1) {
      throw invalid("a name that one column has, not %d,".formatted(count), name);
    }
    if (count == 0) {
      throw invalid("the name of a column" + ColumnNames.suggestion(name, counts.keySet()), name);
    }
  }

  /// Returns the new names for columns that the upload has, each once.
  ///
  /// @param columns the names in the upload
  public ColumnRenames among(List<String> columns) {
    Map<String, Integer> counts = new HashMap<>();
    columns.forEach(name -> counts.merge(name, 1, Integer::sum));
    Map<String, String> present = new LinkedHashMap<>(names);
    present.keySet().removeIf(name -> counts.getOrDefault(name, 0) != 1);
    return new ColumnRenames(present);
  }

  /// Returns the parameter by which these names are given.
  public FileOption option() {
    return new FileOption(PARAMETER, String.join(",", values()));
  }

  /// Returns the schema of a dataset with the names that its columns have in the upload. Columns
  /// that the upload cannot have, since its own of these names get others, are left out.
  Schema inverse(Schema dataset) {
    Map<String, String> old =
        names.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey, (a, _) -> a));
    Set<String> taken = names.keySet();
    List<Field> fields = new ArrayList<>();
    for (Field field : dataset.fields()) {
      String renamed = old.get(field.name());
      if (renamed != null || !taken.contains(field.name())) {
        fields.add(renamed == null ? field : field.withName(renamed));
      }
    }
    return dataset.withFields(fields);
  }

  /// Returns the parameter's values by which these names are given.
  List<String> values() {
    return names.entrySet().stream()
        .map(entry -> quoted(entry.getKey()) + ":" + quoted(entry.getValue()))
        .toList();
  }

  private static String quoted(String name) {
    return name.isEmpty()
            || name.startsWith("\"")
            || name.indexOf(',') >= 0
            || name.indexOf(':') >= 0
        ? "\"%s\"".formatted(name.replace("\"", "\"\""))
        : name;
  }

  private static InvalidOptionException invalid(String expected, String found) {
    return InvalidOptionException.value(PARAMETER, expected, found);
  }
}
