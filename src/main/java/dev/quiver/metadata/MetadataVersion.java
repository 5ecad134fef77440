package dev.quiver.metadata;

/// Versions of the metadata that are read, of those in Schema.fbs. Only V5 is written.
public enum MetadataVersion {
  /// Since 0.8.0; unions have a validity buffer.
  V4,
  /// Since 1.0.0.
  V5
}
