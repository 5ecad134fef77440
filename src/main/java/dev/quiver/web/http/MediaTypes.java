package dev.quiver.web.http;

/// Media types that more than one class names.
public final class MediaTypes {

  public static final String ARROW_STREAM = "application/vnd.apache.arrow.stream";
  public static final String ARROW_FILE = "application/vnd.apache.arrow.file";

  /// Not registered; the name that most clients send.
  public static final String JSON_LINES = "application/x-ndjson";

  private MediaTypes() {}
}
