package dev.quiver.arrow.text;

import dev.quiver.arrow.type.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Unique names of fields.
final class UniqueNames {

  private UniqueNames() {}

  /// Returns the name of each field, with `_2`, `_3` and so on after a name that occurred before.
  /// The name of a single field never changes.
  static List<String> distinct(List<Field> fields) {
    Set<String> taken = new HashSet<>();
    fields.forEach(field -> taken.add(field.name()));
    Map<String, Integer> counts = new HashMap<>();
    List<String> names = new ArrayList<>(fields.size());
    for (Field field : fields) {
      int count = counts.merge(field.name(), 1, Integer::sum);
      String name = field.name();
      if (count > 1) {
        while (!taken.add(name + "_" + count)) {
          count++;
        }
        name += "_" + count;
        counts.put(field.name(), count);
      }
      names.add(name);
    }
    return names;
  }
}
