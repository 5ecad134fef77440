package dev.quiver.server.http;

/// Media types of requests that several classes use.
public final class MediaTypes {

  public static final String SQL = "application/sql";

  /// The content of a request that continues a resumable upload.
  public static final String PARTIAL_UPLOAD = "application/partial-upload";

  private MediaTypes() {}
}
