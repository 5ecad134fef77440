package dev.quiver.arrow.metadata;

/// The codecs that a body may use, in the order of Message.fbs.
public enum CompressionType {
  LZ4_FRAME,
  ZSTD
}
