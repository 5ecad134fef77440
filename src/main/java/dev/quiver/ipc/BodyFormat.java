package dev.quiver.ipc;

/// What a body is said to be. The bytes decide when they say otherwise.
public enum BodyFormat {
  STREAM,
  FILE,
  UNKNOWN
}
