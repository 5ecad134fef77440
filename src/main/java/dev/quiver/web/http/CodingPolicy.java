package dev.quiver.web.http;

/// When a body is sent in a content coding.
public enum CodingPolicy {
  /// Arrow data that clients read by range, or whose buffers are compressed.
  NEVER,
  /// Other Arrow data: in Zstandard for those who know it, and in gzip, which takes longer than
  /// most networks, only for those who refuse to take them as they are.
  ARROW,
  /// Text: in whatever the client lists.
  TEXT
}
