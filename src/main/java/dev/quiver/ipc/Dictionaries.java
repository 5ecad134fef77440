package dev.quiver.ipc;

import dev.quiver.columnar.ArrayData;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The dictionaries known at some point of a stream, by id.
///
/// Arrays keep the dictionary that was known when they were read.
public final class Dictionaries {

  private final Map<Long, ArrayData> valuesById = new HashMap<>();

  public @Nullable ArrayData get(long id) {
    return valuesById.get(id);
  }

  public boolean contains(long id) {
    return valuesById.containsKey(id);
  }

  public void put(long id, ArrayData values) {
    valuesById.put(id, values);
  }
}
