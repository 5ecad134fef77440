package dev.quiver.web.resource;

/// The metadata of a version and its stream in one body.
public enum MultipartMixedFormat implements NegotiatedFormat {
  MULTIPART_MIXED;

  @Override
  public String mediaType() {
    return "multipart/mixed";
  }
}
