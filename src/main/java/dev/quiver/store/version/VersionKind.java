package dev.quiver.store.version;

/// The operation that created a version.
public enum VersionKind {
  /// A complete stream or file was uploaded.
  UPLOAD,
  /// Record batches were appended to the version before.
  APPEND,
  /// Small record batches were coalesced; the data and the commit id stayed the same.
  COMPACTION,
  /// The dataset was deleted; the version has no data.
  DELETE,
  /// The manifest of the version is damaged, so that only its number is known. No manifest has this
  /// kind; a list of datasets does.
  DAMAGED
}
