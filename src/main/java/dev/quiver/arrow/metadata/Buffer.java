package dev.quiver.arrow.metadata;

/// The position of a buffer in the body: struct `Buffer` of Schema.fbs.
///
/// @param offset bytes from the start of the body
/// @param length bytes, with or without padding
public record Buffer(long offset, long length) {}
