package dev.quiver.web.response;

/// The body of a representation.
public sealed interface Body permits FixedLengthBody, StreamingBody {

  /// Whether it is so small that it hardly waits for its client.
  boolean isSmall();
}
