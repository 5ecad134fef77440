package dev.quiver.server.pages;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.Representation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The README and the documents linked from it, as pages and as Markdown.
///
/// The jar carries the files. They are read and rendered once, for the first request.
public final class DocumentPages {

  /// The name of the page that links to the others.
  public static final String INDEX = "README";

  private static final String PAGE = "text/html;charset=UTF-8";
  private static final String README = INDEX + ".md";
  private static final String MARKDOWN = ".md";
  private static final String DRAWING = ".svg";
  private static final String SCREEN = ".png";

  /// The media types of the files that documents link to, by suffix.
  private static final Map<String, String> FILE_TYPES =
      Map.of(
          DRAWING,
          "image/svg+xml",
          SCREEN,
          "image/png",
          ".json",
          "application/json",
          ".yaml",
          "application/yaml");

  /// A folder beside this class. It holds the files under their repository paths.
  private static final String FOLDER = "documents/";

  /// A heading below the title, with its identifier and its HTML.
  private static final Pattern SECTION = Pattern.compile("<h2 id=\"([^\"]+)\">(.+?)</h2>");

  private static final Pattern TAG = Pattern.compile("<[^>]+>");

  private static final int ETAG_BYTE_SIZE = 16;

  private static final Map<String, String> DRAWING_HEADERS =
      Map.of("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");

  private static final Instant LAST_MODIFIED = lastModified();

  private static final Map<String, MarkdownDocument> DOCUMENTS = new LinkedHashMap<>();
  private static final Map<String, byte[]> FILES = new LinkedHashMap<>();

  static {
    load();
  }

  private DocumentPages() {}

  /// The pages of a service that runs statements. As a rule, a service needs them alone.
  private static final class WithSql {

    static final Map<String, Representation> PAGES = represent(/* queryable= */ true);
  }

  /// The pages of a service without SQL.
  private static final class WithoutSql {

    static final Map<String, Representation> PAGES = represent(/* queryable= */ false);
  }

  /// Returns the page, Markdown text, picture or other file of this name, or null if absent.
  ///
  /// @param queryable whether pages lead to statements
  public static @Nullable Representation find(String name, boolean queryable) {
    Representation found = (queryable ? WithSql.PAGES : WithoutSql.PAGES).get(name);
    if (found == null || PublicPath.prefix().isEmpty() || !found.contentType().equals(PAGE)) {
      return found;
    }
    String page = new String(((BodySource.Static) found.body()).content(), StandardCharsets.UTF_8);
    return text(PAGE, PublicPath.inPage(page), found.headers());
  }

  /// Returns whether there is a page or file of this name.
  public static boolean exists(String name) {
    return DOCUMENTS.keySet().stream()
            .anyMatch(path -> pageName(path).equals(name) || fileName(path).equals(name))
        || FILES.keySet().stream().anyMatch(path -> fileName(path).equals(name));
  }

  private static void load() {
    Deque<String> paths = new ArrayDeque<>();
    paths.add(README);
    while (!paths.isEmpty()) {
      String path = paths.remove();
      byte[] content = read(path);
      if (content != null && path.endsWith(MARKDOWN) && !DOCUMENTS.containsKey(path)) {
        MarkdownDocument document =
            new MarkdownDocument(path, new String(content, StandardCharsets.UTF_8));
        DOCUMENTS.put(path, document);
        paths.addAll(document.targets());
      } else if (content != null && FILE_TYPES.containsKey(suffix(path))) {
        FILES.put(path, content);
      }
    }
  }

  private static Map<String, Representation> represent(boolean queryable) {
    Map<String, String> urls = new HashMap<>();
    DOCUMENTS.keySet().forEach(path -> urls.put(path, url(path)));
    FILES.keySet().forEach(path -> urls.put(path, Paths.DOCUMENTS + "/" + fileName(path)));
    Map<String, Representation> pages = new HashMap<>();
    DOCUMENTS.forEach((path, document) -> {
      String html = document.render(urls::get);
      String page =
          PageTemplate.renderDocument(
              document.title() + " · Quiver",
              contents(path, html) + "<main>\n" + html + "</main>",
              queryable);
      pages.put(pageName(path), text(PAGE, page, PageTemplate.DOCUMENT_HEADERS));
      pages.put(fileName(path), text("text/markdown;charset=UTF-8", document.text(), Map.of()));
    });
    FILES.forEach((path, content) -> pages.put(fileName(path), file(path, content)));
    return Map.copyOf(pages);
  }

  /// Returns links to all documents, and to the sections of the one that is shown. A wide screen
  /// has them at the side.
  private static String contents(String shown, String html) {
    String links =
        DOCUMENTS.values().stream()
            .map(document -> {
              boolean isShown = document.path().equals(shown);
              return "<li><a href=\"%s\"%s>%s</a>%s\n"
                  .formatted(
                      url(document.path()),
                      isShown ? " aria-current=\"page\"" : "",
                      Html.escape(document.title()),
                      isShown ? sections(html) : "");
            })
            .collect(Collectors.joining());
    return """
    <nav class="contents" aria-label="Documentation"><details><summary>Contents</summary>
    <ul>
    %s</ul>
    </details></nav>
    """
        .formatted(links);
  }

  private static String sections(String html) {
    List<MatchResult> sections = SECTION.matcher(html).results().toList();
    return sections.isEmpty()
        ? ""
        : sections.stream()
            .map(section ->
                "<li><a href=\"#%s\">%s</a>"
                    .formatted(section.group(1), TAG.matcher(section.group(2)).replaceAll("")))
            .collect(Collectors.joining("", "<ul>", "</ul>"));
  }

  private static Representation text(
      String contentType, String content, Map<String, String> headers) {
    return representation(contentType, content.getBytes(StandardCharsets.UTF_8), headers).asText();
  }

  private static Representation file(String path, byte[] content) {
    Map<String, String> headers = path.endsWith(DRAWING) ? DRAWING_HEADERS : Map.of();
    Representation file =
        representation(Objects.requireNonNull(FILE_TYPES.get(suffix(path))), content, headers);
    return path.endsWith(SCREEN) ? file : file.asText();
  }

  private static Representation representation(
      String contentType, byte[] content, Map<String, String> headers) {
    return new Representation(
        contentType,
        new EntityTag(
            false, HexFormat.of().formatHex(Sha256.begin().digest(content), 0, ETAG_BYTE_SIZE)),
        LAST_MODIFIED,
        false,
        headers,
        new BodySource.Static(content));
  }

  private static String url(String path) {
    return path.equals(README) ? Paths.DOCUMENTS : Paths.DOCUMENTS + "/" + pageName(path);
  }

  private static String pageName(String path) {
    String name = fileName(path);
    return name.substring(0, name.length() - MARKDOWN.length());
  }

  private static String suffix(String path) {
    return path.substring(Math.max(path.lastIndexOf('.'), 0));
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /// Returns the modification time of the jar, or of the file outside a jar.
  private static Instant lastModified() {
    try {
      URL readme = Objects.requireNonNull(DocumentPages.class.getResource(FOLDER + README));
      URLConnection connection = readme.openConnection();
      connection.setUseCaches(false);
      try (InputStream _ = connection.getInputStream()) {
        return Instant.ofEpochMilli(connection.getLastModified());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte @Nullable [] read(String path) {
    try (InputStream resource = DocumentPages.class.getResourceAsStream(FOLDER + path)) {
      return resource == null ? null : resource.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
