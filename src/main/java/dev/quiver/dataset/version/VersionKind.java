package dev.quiver.dataset.version;

/// What made a version.
public enum VersionKind {
  /// A whole stream or file was put.
  UPLOAD,
  /// Record batches were added after those of the version before.
  APPEND,
  /// Small record batches were joined; the data and the commit id stayed what they were.
  COMPACTION,
  /// The dataset was deleted; such a version has no data.
  DELETE
}
