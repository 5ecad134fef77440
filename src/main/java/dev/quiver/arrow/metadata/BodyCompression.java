package dev.quiver.arrow.metadata;

/// The compression of a body, applied to each buffer separately: table `BodyCompression` of
/// Message.fbs.
public record BodyCompression(CompressionType codec) {}
