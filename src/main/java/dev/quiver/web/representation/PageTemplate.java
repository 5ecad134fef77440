package dev.quiver.web.representation;

import dev.quiver.memory.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;

/// The frame of all HTML pages. A page is a single document without scripts. It loads nothing else,
/// except the pictures of the project's documents.
public final class PageTemplate {

  private static final String STYLE = resource("page.css");
  private static final String DOCUMENT_STYLE = STYLE + resource("document.css");

  /// The headers of every page except documents.
  public static final Map<String, String> HEADERS = headers("default-src 'none'", STYLE);

  /// The headers of a document, which may show pictures of this service.
  static final Map<String, String> DOCUMENT_HEADERS =
      headers("default-src 'none'; img-src 'self'", DOCUMENT_STYLE);

  private static final String FRAME =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>%s</title>
      <style>%s</style>
      </head>
      <body>
      %s
      </body>
      </html>
      """;

  private PageTemplate() {}

  /// Renders a page.
  ///
  /// @param title unescaped
  /// @param body HTML
  public static byte[] render(String title, String body) {
    return FRAME.formatted(Html.escape(title), STYLE, body).getBytes(StandardCharsets.UTF_8);
  }

  /// Renders a document of the project.
  ///
  /// @param title unescaped
  /// @param body HTML
  static String renderDocument(String title, String body) {
    return FRAME.formatted(Html.escape(title), DOCUMENT_STYLE, body);
  }

  private static Map<String, String> headers(String sources, String style) {
    String digest = Base64.getEncoder().encodeToString(Sha256.digest(style));
    String policy =
        "%s; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            .formatted(sources, digest);
    return Map.of("Content-Security-Policy", policy, "Referrer-Policy", "no-referrer");
  }

  private static String resource(String name) {
    try (InputStream resource = PageTemplate.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(resource, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
