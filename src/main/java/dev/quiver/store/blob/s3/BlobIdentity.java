package dev.quiver.store.blob.s3;

import dev.quiver.arrow.codec.Sha256;

/// The identity of the bytes under a key.
///
/// @param entityTag the tag, which changes with the bytes
record BlobIdentity(String entityTag, long byteSize) {

  /// Returns the name of a local file of these bytes. A reused key gets another name.
  String fileName(String key) {
    return Sha256.hex(key + "\n" + entityTag + "\n" + byteSize);
  }
}
