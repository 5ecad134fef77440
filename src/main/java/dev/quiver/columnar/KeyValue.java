package dev.quiver.columnar;

import dev.quiver.memory.ByteString;

/// One entry of custom metadata. The value is bytes, since not all writers keep to UTF-8.
public record KeyValue(String key, ByteString value) {

  public static KeyValue of(String key, String value) {
    return new KeyValue(key, ByteString.of(value));
  }
}
