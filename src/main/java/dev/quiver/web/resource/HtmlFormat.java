package dev.quiver.web.resource;

/// The HTML page of a dataset, which has no suffix: browsers request it by `Accept`.
public enum HtmlFormat implements NegotiatedFormat {
  HTML;

  @Override
  public String mediaType() {
    return "text/html;charset=UTF-8";
  }
}
