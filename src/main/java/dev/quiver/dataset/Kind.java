package dev.quiver.dataset;

/// What made a version.
public enum Kind {
  /// A whole stream or file was put.
  UPLOAD,
  /// The dataset was deleted; such a version has no data.
  DELETE
}
