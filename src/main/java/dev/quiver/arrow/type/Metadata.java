package dev.quiver.arrow.type;

import dev.quiver.arrow.memory.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The custom metadata of a field, schema, message or footer, in order and with duplicate keys.
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

  /// Returns the value of the first entry with this key, or null if absent.
  public @Nullable ByteString get(String key) {
    for (KeyValue entry : entries) {
      if (entry.key().equals(key)) {
        return entry.value();
      }
    }
    return null;
  }
}
