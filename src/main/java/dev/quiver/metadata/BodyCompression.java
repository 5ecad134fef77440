package dev.quiver.metadata;

/// How every buffer of a body is compressed, one by one: table `BodyCompression` of Message.fbs.
public record BodyCompression(CompressionType codec) {}
