package dev.quiver.metadata;

import static dev.quiver.metadata.VtableSlots.KEY_VALUE_KEY;
import static dev.quiver.metadata.VtableSlots.KEY_VALUE_VALUE;

import dev.quiver.columnar.KeyValue;
import dev.quiver.columnar.Metadata;

/// Writes table `KeyValue` of Schema.fbs, of which custom metadata is a vector.
final class KeyValueWriter {

  private KeyValueWriter() {}

  /// The vector, or 0 when there is nothing in it.
  static int writeAll(FlatWriter writer, Metadata metadata) {
    if (metadata.isEmpty()) {
      return 0;
    }
    return writer.tables(
        metadata.entries().stream().mapToInt(entry -> write(writer, entry)).toArray());
  }

  private static int write(FlatWriter writer, KeyValue entry) {
    int key = writer.text(entry.key());
    int value = writer.bytes(entry.value());
    return writer.begin().reference(KEY_VALUE_KEY, key).reference(KEY_VALUE_VALUE, value).end();
  }
}
