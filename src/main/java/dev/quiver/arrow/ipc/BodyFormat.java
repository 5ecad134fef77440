package dev.quiver.arrow.ipc;

/// The declared format of a body. If its bytes indicate another one, they take precedence.
public enum BodyFormat {
  STREAM,
  FILE,
  UNKNOWN
}
