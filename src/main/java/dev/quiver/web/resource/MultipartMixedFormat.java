package dev.quiver.web.resource;

/// What a version is and its stream, in one body.
public enum MultipartMixedFormat implements NegotiatedFormat {
  MULTIPART_MIXED;

  @Override
  public String mediaType() {
    return "multipart/mixed";
  }
}
