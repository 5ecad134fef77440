package dev.quiver.web;

/// The representation for people, which has no suffix: who reads it clicks on a link.
enum PageFormat implements NegotiatedFormat {
  HTML;

  @Override
  public String mediaType() {
    return PageFrame.MEDIA_TYPE;
  }
}
