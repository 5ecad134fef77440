package dev.quiver.server.pages;

import dev.quiver.server.http.PublicPath;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/// The frame of all HTML pages, which begins with links to the others. A page shows what it has
/// without scripts; where there are some, they add to it. Nothing comes from another host.
public final class PageTemplate {

  /// The headers of every page except documents.
  public static final Map<String, String> HEADERS =
      headers(
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src 'self' data:; require-trusted-types-for 'script'; trusted-types 'none'");

  /// The headers of a document, which may show pictures of this service.
  static final Map<String, String> DOCUMENT_HEADERS =
      headers("default-src 'none'; img-src 'self'; style-src 'self'");

  private static final String FRAME =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>%s</title>
      <link rel="icon" href="%s">
      <link rel="stylesheet" href="%s">
      %s
      </head>
      <body>
      <nav class="site" aria-label="Quiver"><a href="/">Quiver</a> %s<a href="/inspect">Inspect</a>\
       <a href="/docs">Documents</a></nav>
      %s
      </body>
      </html>
      """;

  /// The icon in the page itself, which saves a request.
  private static final String ICON =
      "data:image/svg+xml;base64,"
          + Base64.getEncoder().encodeToString(Assets.content("lib/icon.svg"));

  private PageTemplate() {}

  /// Renders a page without scripts.
  ///
  /// @param title unescaped
  /// @param body HTML
  /// @param queryable whether the page leads to statements
  public static byte[] render(String title, String body, boolean queryable) {
    return PublicPath.inPage(frame(title, ICON, "", body, queryable))
        .getBytes(StandardCharsets.UTF_8);
  }

  /// Renders a page to whose `main` element a script adds what only scripts can do.
  ///
  /// @param title unescaped
  /// @param body HTML
  /// @param script the name of a module, such as `sql/sql-page.js`
  /// @param queryable whether the page leads to statements
  public static byte[] render(String title, String body, String script, boolean queryable) {
    String module = "<script type=\"module\" src=\"%s\"></script>".formatted(Assets.path(script));
    return PublicPath.inPage(frame(title, ICON, module, body, queryable))
        .getBytes(StandardCharsets.UTF_8);
  }

  /// Renders a document of the project.
  ///
  /// @param title unescaped
  /// @param body HTML
  /// @param queryable whether the page leads to statements
  static String renderDocument(String title, String body, boolean queryable) {
    String style =
        "<link rel=\"stylesheet\" href=\"%s\">".formatted(Assets.path("lib/document.css"));
    return frame(title, Assets.path("lib/icon.svg"), style, body, queryable);
  }

  private static String frame(
      String title, String icon, String head, String body, boolean queryable) {
    String sql = queryable ? "<a href=\"/sql\">SQL</a> " : "";
    return FRAME.formatted(Html.escape(title), icon, Assets.path("lib/page.css"), head, sql, body);
  }

  private static Map<String, String> headers(String sources) {
    String policy =
        "%s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'".formatted(sources);
    return Map.of("Content-Security-Policy", policy, "Referrer-Policy", "no-referrer");
  }
}
