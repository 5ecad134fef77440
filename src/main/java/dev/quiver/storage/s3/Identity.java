package dev.quiver.storage.s3;

import dev.quiver.memory.Sha256;

/// The bytes under a key.
///
/// @param entityTag changes with the bytes
record Identity(String entityTag, long byteSize) {

  /// Returns the name of a local file of these bytes. A key that is used again gets another name.
  String fileName(String key) {
    return Sha256.hex(key + "\n" + entityTag + "\n" + byteSize);
  }
}
