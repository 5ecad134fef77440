package dev.quiver.server.http;

/// The header `Upload-Limit` of the IETF draft "Resumable Uploads for HTTP".
public final class UploadLimit {

  public static final String NAME = "Upload-Limit";

  /// The largest integer of a structured field: RFC 9651 §3.3.1.
  private static final long LARGEST_INTEGER = 999_999_999_999_999L;

  private UploadLimit() {}

  /// Returns the member that limits the size of an upload. The header must not be empty if there is
  /// no limit.
  public static String ofByteSize(long maximum) {
    return maximum > LARGEST_INTEGER ? "min-size=0" : "max-size=" + maximum;
  }
}
