package dev.quiver.store.version;

/// The operation that created a version.
public enum VersionKind {
  /// A complete stream or file was uploaded.
  UPLOAD,
  /// Record batches were appended to the version before.
  APPEND,
  /// Record batches were appended, and columns added: all batches were rewritten.
  EXTEND,
  /// Small record batches were coalesced; the data and the commit id stayed the same.
  COMPACTION,
  /// The dataset was deleted; the version has no data.
  DELETE,
  /// The manifest of the version is damaged, so that only its number is known. No manifest has this
  /// kind; a list of datasets does.
  DAMAGED;

  /// Returns whether the version has the rows of the version before it, and may have more.
  public boolean isAppend() {
    return this == APPEND || this == EXTEND;
  }
}
