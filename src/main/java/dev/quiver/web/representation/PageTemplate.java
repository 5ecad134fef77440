package dev.quiver.web.representation;

import dev.quiver.memory.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;

/// What all pages for people share: one document each, without anything from elsewhere and without
/// scripts.
public final class PageTemplate {

  private static final String STYLE = resource("page.css");

  /// Say the same to browsers.
  public static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
              .formatted(Base64.getEncoder().encodeToString(Sha256.digest(STYLE))),
          "Referrer-Policy",
          "no-referrer");

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

  /// @param title not escaped yet
  /// @param body HTML
  static byte[] render(String title, String body) {
    return FRAME.formatted(Html.escape(title), STYLE, body).getBytes(StandardCharsets.UTF_8);
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
