package dev.quiver.formats;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The parameters by which a file of text can be read as it was read: those that its client stated,
/// and what was found in it.
///
/// @param format the name of the [Format]
/// @param values of each parameter by its name
public record FileParameters(String format, Map<String, List<String>> values) {

  /// Nothing is known.
  public static final FileParameters NONE = new FileParameters("", Map.of());

  private static final int NAMES_LENGTH_MAXIMUM = 4_096;

  public FileParameters {
    Map<String, List<String>> ordered = new TreeMap<>();
    values.forEach((name, all) -> ordered.put(name, List.copyOf(all)));
    values = Collections.unmodifiableMap(ordered);
  }

  /// Returns the parameters with new names for columns, unless these are too long to be kept.
  public FileParameters with(ColumnRenames renames) {
    List<String> names = renames.values();
    if (names.isEmpty() || String.join("", names).length() > NAMES_LENGTH_MAXIMUM) {
      return this;
    }
    Map<String, List<String>> all = new TreeMap<>(values);
    all.put(ColumnRenames.PARAMETER, names);
    return new FileParameters(format, all);
  }

  FileParameters without(String name) {
    Map<String, List<String>> others = new TreeMap<>(values);
    others.remove(name);
    return new FileParameters(format, others);
  }
}
