package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.KEY_VALUE_KEY;
import static dev.quiver.arrow.metadata.VtableSlots.KEY_VALUE_VALUE;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import java.util.ArrayList;
import java.util.List;

/// A reader of table `KeyValue` of Schema.fbs; custom metadata is a vector of them.
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

  /// Reads an entry. Writers omit empty values, but an entry without a key is meaningless.
  private static KeyValue read(FlatTable table) {
    String key = table.text(KEY_VALUE_KEY);
    if (key == null) {
      throw table.malformed(KEY_VALUE_KEY, "a key", "none");
    }
    ByteString value = table.bytes(KEY_VALUE_VALUE);
    return new KeyValue(key, value == null ? ByteString.EMPTY : value);
  }
}
