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

  public FileParameters {
    Map<String, List<String>> ordered = new TreeMap<>();
    values.forEach((name, all) -> ordered.put(name, List.copyOf(all)));
    values = Collections.unmodifiableMap(ordered);
  }
}
