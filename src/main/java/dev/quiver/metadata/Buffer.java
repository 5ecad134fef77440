package dev.quiver.metadata;

/// Where a buffer lies in the body: struct `Buffer` of Schema.fbs.
///
/// @param offset bytes from the start of the body
/// @param length bytes, which need not include padding
public record Buffer(long offset, long length) {}
