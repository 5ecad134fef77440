package dev.quiver.dataset;

/// A range of a blob that is a piece of a version's IPC file.
///
/// @param key of the blob
/// @param byteOffset in the blob
public record Extent(String key, long byteOffset, long byteSize) {}
