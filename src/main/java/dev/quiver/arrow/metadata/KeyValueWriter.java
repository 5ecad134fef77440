package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.KEY_VALUE_KEY;
import static dev.quiver.arrow.metadata.VtableSlots.KEY_VALUE_VALUE;

import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;

/// A writer of table `KeyValue` of Schema.fbs; custom metadata is a vector of them.
final class KeyValueWriter {

  private KeyValueWriter() {}

  /// Writes the vector and returns its reference, or 0 if the metadata is empty.
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
