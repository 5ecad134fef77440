package dev.quiver.server.resource;

/// The formats that only `Accept` can select.
public enum UnsuffixedFormat implements NegotiatedFormat {
  /// The page of a dataset, for browsers.
  HTML("text/html;charset=UTF-8"),
  /// The metadata of a version and its stream in one body.
  MULTIPART_MIXED("multipart/mixed");

  private final String mediaType;

  UnsuffixedFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  @Override
  public String mediaType() {
    return mediaType;
  }
}
