package dev.quiver.server.http;

/// Media types that several classes use.
public final class MediaTypes {

  public static final String ARROW_STREAM = "application/vnd.apache.arrow.stream";
  public static final String ARROW_FILE = "application/vnd.apache.arrow.file";

  public static final String PARQUET = "application/vnd.apache.parquet";

  public static final String SQL = "application/sql";

  /// The most common name, though none is registered.
  public static final String JSON_LINES = "application/x-ndjson";

  /// The content of a request that continues a resumable upload.
  public static final String PARTIAL_UPLOAD = "application/partial-upload";

  private MediaTypes() {}
}
