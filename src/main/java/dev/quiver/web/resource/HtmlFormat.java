package dev.quiver.web.resource;

/// The representation for people, which has no suffix: who reads it clicks on a link.
public enum HtmlFormat implements NegotiatedFormat {
  HTML;

  @Override
  public String mediaType() {
    return "text/html;charset=UTF-8";
  }
}
