package dev.quiver.web;

/// What a version is and its stream, in one body.
enum MixedFormat implements NegotiatedFormat {
  MULTIPART_MIXED;

  @Override
  public String mediaType() {
    return MixedParts.MEDIA_TYPE;
  }
}
