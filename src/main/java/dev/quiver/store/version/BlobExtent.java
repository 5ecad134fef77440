package dev.quiver.store.version;

/// A range of a blob that holds part of a version's IPC file.
///
/// @param key the key of the blob
/// @param byteOffset the offset in the blob
public record BlobExtent(String key, long byteOffset, long byteSize) {}
