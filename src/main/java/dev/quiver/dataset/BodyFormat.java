package dev.quiver.dataset;

/// What an uploaded body is said to be. The bytes decide when they say otherwise.
public enum BodyFormat {
  STREAM,
  FILE,
  UNKNOWN
}
