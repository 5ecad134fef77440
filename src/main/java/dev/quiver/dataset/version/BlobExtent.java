package dev.quiver.dataset.version;

/// A range of a blob that holds part of a version's IPC file.
///
/// @param key of the blob
/// @param byteOffset in the blob
public record BlobExtent(String key, long byteOffset, long byteSize) {}
