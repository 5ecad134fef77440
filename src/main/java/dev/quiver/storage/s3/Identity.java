package dev.quiver.storage.s3;

/// Which bytes are under a key.
///
/// @param entityTag changes when they do
record Identity(String entityTag, long byteSize) {}
