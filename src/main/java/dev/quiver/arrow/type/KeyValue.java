package dev.quiver.arrow.type;

import dev.quiver.arrow.memory.ByteString;

/// An entry of custom metadata. The value is bytes because some writers do not use UTF-8.
public record KeyValue(String key, ByteString value) {

  public static KeyValue of(String key, String value) {
    return new KeyValue(key, ByteString.of(value));
  }
}
