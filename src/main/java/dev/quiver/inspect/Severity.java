package dev.quiver.inspect;

/// How bad a finding is.
enum Severity {
  /// The input breaks the format.
  ERROR,
  /// The format allows it, or at least many readers do; some do not.
  WARNING,
  /// Fine, and good to know.
  NOTE
}
