package dev.quiver.metadata;

import static dev.quiver.metadata.VtableSlots.KEY_VALUE_KEY;
import static dev.quiver.metadata.VtableSlots.KEY_VALUE_VALUE;

import dev.quiver.columnar.KeyValue;
import dev.quiver.columnar.Metadata;
import dev.quiver.memory.ByteString;
import java.util.ArrayList;
import java.util.List;

/// Reads table `KeyValue` of Schema.fbs, of which custom metadata is a vector.
final class KeyValueReader {

  private KeyValueReader() {}

  static Metadata readAll(FlatVector tables) {
    if (tables.length() == 0) {
      return Metadata.EMPTY;
    }
    List<KeyValue> entries = new ArrayList<>();
    for (int i = 0; i < tables.length(); i++) {
      entries.add(read(tables.table(i)));
    }
    return new Metadata(entries);
  }

  /// Writers leave empty values out, but an entry without a key says nothing.
  private static KeyValue read(FlatTable table) {
    String key = table.text(KEY_VALUE_KEY);
    if (key == null) {
      throw table.malformed(KEY_VALUE_KEY, "a key", "none");
    }
    ByteString value = table.bytes(KEY_VALUE_VALUE);
    return new KeyValue(key, value == null ? ByteString.EMPTY : value);
  }
}
