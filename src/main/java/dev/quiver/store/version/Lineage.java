package dev.quiver.store.version;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The origin of rows that a statement computed.
///
/// @param parameters the values of the statement's parameters by name, as text
/// @param reads the versions that the statement read
public record Lineage(String sql, Map<String, String> parameters, List<DatasetReference> reads) {

  public Lineage {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    reads = List.copyOf(reads);
  }
}
