package dev.quiver.server.pages;

import dev.quiver.server.http.PublicPath;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
      %s
      </head>
      <body>
      <nav class="site" aria-label="Quiver">\
      <a href="/">%s<span class="name">Quiver</span></a>%s</nav>
      %s
      </body>
      </html>
      """;

  private static final String MARK =
      new String(Assets.content("lib/icon.svg"), StandardCharsets.UTF_8).strip();

  /// The icon in the page itself, which saves a request. The mark beside the name has the same
  /// text, so that a coded page has it once.
  private static final String ICON = "data:image/svg+xml," + MARK;

  private PageTemplate() {}

  /// A part of the site, to which each page links. A page of none of them marks none.
  public enum Section {
    DATASETS("/", "Datasets"),
    SQL("/sql", "SQL"),
    INSPECT("/inspect", "Inspect"),
    DOCUMENTATION("/docs", "Documentation"),
    API("/api", "API");

    private final String path;
    private final String title;

    Section(String path, String title) {
      this.path = path;
      this.title = title;
    }

    private String link(@Nullable Section current) {
      String mark = this == current ? " aria-current=\"true\"" : "";
      return " <a href=\"%s\"%s>%s</a>".formatted(path, mark, title);
    }
  }

  /// Renders a page without scripts.
  ///
  /// @param title unescaped
  /// @param body HTML
  /// @param queryable whether the page leads to statements
  public static byte[] render(String title, String body, boolean queryable) {
    return bytes(frame(null, title, ICON, "", body, queryable));
  }

  /// Renders a page to whose `main` element a script adds what only scripts can do.
  ///
  /// @param section of which the page is a part
  /// @param title unescaped
  /// @param body HTML
  /// @param script the name of a module, such as `sql/sql-page.js`
  /// @param queryable whether the page leads to statements
  public static byte[] render(
      Section section, String title, String body, String script, boolean queryable) {
    String module =
        "<script type=\"module\" src=\"%s\"></script>".formatted(Assets.scriptPath(script));
    String libraries =
        Assets.libraryPaths(script).stream()
            .map("\n<link rel=\"modulepreload\" href=\"%s\">"::formatted)
            .collect(Collectors.joining());
    return bytes(frame(section, title, ICON, module + libraries, body, queryable));
  }

  /// Renders a document of the project.
  ///
  /// @param title unescaped
  /// @param body HTML
  /// @param queryable whether the page leads to statements
  static String renderDocument(String title, String body, boolean queryable) {
    String icon = Assets.path("lib/icon.svg");
    return frame(
        Section.DOCUMENTATION, title, icon, stylesheet("lib/document.css"), body, queryable);
  }

  /// Returns the link to a style sheet of the pages.
  static String stylesheet(String name) {
    return "<link rel=\"stylesheet\" href=\"%s\">".formatted(Assets.path(name));
  }

  private static byte[] bytes(String page) {
    return PublicPath.inPage(page).getBytes(StandardCharsets.UTF_8);
  }

  private static String frame(
      @Nullable Section section,
      String title,
      String icon,
      String head,
      String body,
      boolean queryable) {
    String links =
        Stream.of(Section.values())
            .filter(each -> queryable || each != Section.SQL)
            .map(each -> each.link(section))
            .collect(Collectors.joining());
    return FRAME.formatted(
        Html.escape(title), icon, stylesheet("lib/page.css") + head, MARK, links, body);
  }

  private static Map<String, String> headers(String sources) {
    String policy =
        "%s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'".formatted(sources);
    return Map.of("Content-Security-Policy", policy, "Referrer-Policy", "no-referrer");
  }
}
