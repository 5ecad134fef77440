package dev.quiver.ipc;

/// The declared format of a body. If its bytes disagree, they decide.
public enum BodyFormat {
  STREAM,
  FILE,
  UNKNOWN
}
