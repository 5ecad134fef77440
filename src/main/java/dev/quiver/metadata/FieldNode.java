package dev.quiver.metadata;

/// Length and null count of one array: struct `FieldNode` of Message.fbs.
///
/// @param nullCount -1 when the writer did not count
public record FieldNode(long length, long nullCount) {}
