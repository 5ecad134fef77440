package dev.quiver.web;

/// The body of a representation.
sealed interface Body permits Content, StreamedBody {

  /// Whether it is so small that it hardly waits for its client.
  boolean isSmall();
}
