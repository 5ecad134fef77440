package dev.quiver.server.http;

import dev.quiver.formats.Format;

/// The content codings that a body may be sent in. Where one is allowed, a client that rejects
/// `identity` and every other coding gets Brotli.
public enum CodingPolicy {
  /// No coding: Arrow data that clients read by range, or whose buffers are compressed.
  NEVER,
  /// Zstandard if the client lists it: other Arrow data. Gzip is slower than most networks, so it
  /// is used only if the client rejects `identity`.
  ARROW,
  /// Any coding that the client lists: text.
  TEXT;

  /// Returns the policy on responses of a format.
  public static CodingPolicy of(Format format) {
    return switch (format.family()) {
      case ARROW, MULTIPART -> ARROW;
      case TEXT, TABLE, PAGE -> TEXT;
      case EXCEL, PARQUET -> NEVER;
    };
  }
}
