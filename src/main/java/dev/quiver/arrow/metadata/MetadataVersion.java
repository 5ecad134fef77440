package dev.quiver.arrow.metadata;

/// The supported metadata versions of Schema.fbs. Only V5 is written.
public enum MetadataVersion {
  /// Since 0.8.0; unions have a validity buffer.
  V4,
  /// Since 1.0.0.
  V5
}
