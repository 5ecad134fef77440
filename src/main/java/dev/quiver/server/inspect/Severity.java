package dev.quiver.server.inspect;

/// The severity of a finding.
enum Severity {
  /// The input violates the format.
  ERROR,
  /// The format, or at least many readers, allow the input, but some readers do not.
  WARNING,
  /// Informational.
  NOTE
}
