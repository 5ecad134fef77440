package dev.quiver.arrow.metadata;

/// The length and null count of an array: struct `FieldNode` of Message.fbs.
///
/// @param nullCount -1 if the writer did not count
public record FieldNode(long length, long nullCount) {}
