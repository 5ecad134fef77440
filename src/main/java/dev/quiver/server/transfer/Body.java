package dev.quiver.server.transfer;

/// The body of a response, ready to be written.
public sealed interface Body permits FixedLengthBody, StreamingBody {

  /// Returns whether the body is so small that sending it hardly waits for a client.
  boolean isSmall();
}
