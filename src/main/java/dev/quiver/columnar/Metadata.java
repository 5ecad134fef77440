package dev.quiver.columnar;

import dev.quiver.memory.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Custom metadata of a field, schema, message or footer: ordered, duplicate keys kept.
public record Metadata(List<KeyValue> entries) {

  public static final Metadata EMPTY = new Metadata(List.of());

  public Metadata {
    entries = List.copyOf(entries);
  }

  public static Metadata of(KeyValue... entries) {
    return new Metadata(List.of(entries));
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /// The value of the first entry with this key.
  public @Nullable ByteString get(String key) {
    for (KeyValue entry : entries) {
      if (entry.key().equals(key)) {
        return entry.value();
      }
    }
    return null;
  }
}
