package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The documents of the repository, and the pages that the service generates from them.
/// `MarkdownDocumentTest` tests the conversion of Markdown.
class DocumentsTest extends RunningService {

  private static final Path README = Path.of("README.md");
  private static final Path FOLDER = Path.of("src/docs");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Path SCRIPTS = Path.of("src/main/resources/dev/quiver/server/pages/page");
  private static final Pattern SCRIPTED =
      Pattern.compile("\\$\\{base}(/docs/[a-z-]+)(?:#([a-z-]+))?");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
  private static final Pattern CODE =
      Pattern.compile("(?ms:^ *```.*?^ *```$)|(?m:^ {4}.*$)|`[^`\n]*`");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern SCREEN = Pattern.compile("!\\[[^]]*]\\(([^)\\s]+\\.png)\\)");
  private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
  private static final Pattern ID = Pattern.compile("id=\"([^\"]+)\"");

  private static List<Path> files(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  /// Returns the path of each document's page.
  private static Map<Path, String> pages() throws IOException {
    Map<Path, String> pages = new TreeMap<>(Map.of(README, "/docs"));
    for (Path file : files(FOLDER, ".md")) {
      pages.put(file, "/docs/" + file.getFileName().toString().replaceFirst("\\.md$", ""));
    }
    assertThat(pages).hasSize(18);
    return pages;
  }

  @Test
  void everyDocumentIsServedAsAPage() throws Exception {
    for (Map.Entry<Path, String> page : pages().entrySet()) {
      HttpResponse<byte[]> response = get(page.getValue());
      String title = Files.readAllLines(page.getKey()).getFirst().substring(2);
      assertThat(response.statusCode()).as(page.getValue()).isEqualTo(200);
      assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
      assertThat(text(response))
          .contains("<title>" + title + " · Quiver</title>")
          .containsPattern("<h1 id=\"[a-z0-9-]+\">" + title + "</h1>");
    }
  }

  @Test
  void everyDocumentIsServedAsMarkdown() throws Exception {
    for (Path file : pages().keySet()) {
      HttpResponse<byte[]> response = get("/docs/" + file.getFileName());
      assertThat(header(response, "Content-Type")).isEqualTo("text/markdown;charset=UTF-8");
      assertThat(response.body()).isEqualTo(Files.readAllBytes(file));
    }
  }

  @Test
  void everyPictureIsServed() throws Exception {
    assertThat(files(FOLDER, ".svg")).isNotEmpty();
    for (Path file : files(FOLDER, ".svg")) {
      HttpResponse<byte[]> response = get("/docs/" + file.getFileName());
      assertThat(header(response, "Content-Type")).isEqualTo("image/svg+xml");
      assertThat(header(response, "Content-Security-Policy"))
          .isEqualTo("default-src 'none'; style-src 'unsafe-inline'");
      assertThat(response.body()).isEqualTo(Files.readAllBytes(file));
    }
    assertThat(text(get("/docs"))).contains("<img src=\"/docs/quiver.svg\"");
  }

  @Test
  void screensOnPagesAreServed() throws Exception {
    Matcher pictures = SCREEN.matcher(Files.readString(FOLDER.resolve("pages.md")));
    int count = 0;
    for (; pictures.find(); count++) {
      HttpResponse<byte[]> response = get("/docs/" + Path.of(pictures.group(1)).getFileName());
      assertThat(header(response, "Content-Type")).isEqualTo("image/png");
      assertThat(response.body()).isEqualTo(Files.readAllBytes(FOLDER.resolve(pictures.group(1))));
    }
    assertThat(count).isPositive();
  }

  @Test
  void dashboardAndAlertsAreServed() throws Exception {
    for (String[] file :
        new String[][] {{".json", "application/json"}, {".yaml", "application/yaml"}}) {
      List<Path> files = files(FOLDER, file[0]);
      assertThat(files).hasSize(1);
      HttpResponse<byte[]> response = get("/docs/" + files.getFirst().getFileName());
      assertThat(header(response, "Content-Type")).isEqualTo(file[1]);
      assertThat(response.body()).isEqualTo(Files.readAllBytes(files.getFirst()));
    }
  }

  @Test
  void pagesConnectToNoOtherSiteAndRunNoScript() throws Exception {
    for (String page : pages().values()) {
      HttpResponse<byte[]> response = get(page);
      assertThat(header(response, "Content-Security-Policy"))
          .matches(
              "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none';"
                  + " form-action 'none'; frame-ancestors 'none'");
      assertThat(header(response, "Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(text(response)).doesNotContain("<script", " style=", "src=\"http", "onclick");
    }
  }

  @Test
  void everyReferenceOnAPageResolves() throws Exception {
    int count = 0;
    for (String page : pages().values()) {
      for (MatchResult match : REFERENCE.matcher(text(get(page))).results().toList()) {
        URI reference = URI.create(page).resolve(match.group(1));
        if (!reference.isAbsolute()) {
          // The page of statements is one for browsers alone.
          HttpResponse<byte[]> response =
              get(reference.getPath(), "Accept", "text/html, */*;q=0.8");
          // The page of the API has its own place.
          assertThat(response.statusCode())
              .as(page + " → " + reference)
              .isEqualTo(reference.getPath().equals("/api") ? 302 : 200);
          if (reference.getFragment() != null) {
            assertThat(ids(text(response))).as(page).contains(reference.getFragment());
          }
          count++;
        }
      }
    }
    assertThat(count).isGreaterThan(100);
  }

  /// On GitHub, readers follow the links of the files themselves.
  @Test
  void everyRelativeLinkInADocumentResolves() throws Exception {
    int count = 0;
    for (Path file : documents()) {
      String prose = CODE.matcher(Files.readString(file)).replaceAll("");
      for (MatchResult match : LINK.matcher(prose).results().toList()) {
        URI link = URI.create(match.group(1));
        if (!link.isAbsolute()) {
          Path parent = file.getParent() == null ? Path.of("") : file.getParent();
          Path target =
              link.getPath().isEmpty() ? file : parent.resolve(link.getPath()).normalize();
          assertThat(target).as(file + " → " + link).exists();
          if (link.getFragment() != null) {
            assertThat(anchors(target)).as(file + " → " + link).contains(link.getFragment());
          }
          count++;
        }
      }
    }
    assertThat(count).isGreaterThan(50);
  }

  /// A page without scripts has no such links, so that no crawl follows them.
  @Test
  void everyLinkOfAScriptToADocumentResolves() throws Exception {
    int count = 0;
    try (Stream<Path> files = Files.walk(SCRIPTS)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".js")).toList()) {
        for (MatchResult match : SCRIPTED.matcher(Files.readString(file)).results().toList()) {
          HttpResponse<byte[]> response = get(match.group(1));
          assertThat(response.statusCode()).as(file + " → " + match.group()).isEqualTo(200);
          if (match.group(2) != null) {
            assertThat(ids(text(response)))
                .as(file + " → " + match.group())
                .contains(match.group(2));
          }
          count++;
        }
      }
    }
    assertThat(count).isPositive();
  }

  @Test
  void pagesHaveTheSameAnchorsAsOnGithub() throws Exception {
    for (Map.Entry<Path, String> page : pages().entrySet()) {
      assertThat(ids(text(get(page.getValue()))))
          .as(page.getValue())
          .containsExactlyElementsOf(anchors(page.getKey()));
    }
  }

  @Test
  void everyPageLinksToAllOthers() throws Exception {
    for (String page : pages().values()) {
      assertThat(references(text(get(page)))).containsAll(pages().values()).contains("/");
    }
    assertThat(references(text(get("/", "Accept", "text/html")))).contains("/docs");
  }

  @Test
  void pagesSupportConditionalRequests() throws Exception {
    HttpResponse<byte[]> first = get("/docs/storage");
    String etag = header(first, "ETag");
    assertThat(etag).matches("\"[0-9a-f]{32}\"").isNotEqualTo(header(get("/docs"), "ETag"));
    assertThat(header(first, "Cache-Control")).isEqualTo("no-cache");
    assertThat(get("/docs/storage", "If-None-Match", etag).statusCode()).isEqualTo(304);
    assertThat(
            get("/docs/storage", "If-Modified-Since", header(first, "Last-Modified")).statusCode())
        .isEqualTo(304);
    assertThat(get("/docs", "If-None-Match", etag).statusCode()).isEqualTo(200);
  }

  @Test
  void headReturnsTheHeadersOfGet() throws Exception {
    HttpResponse<byte[]> get = get("/docs/clients");
    HttpResponse<byte[]> head = head("/docs/clients");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    for (String name :
        List.of("Content-Type", "Content-Length", "ETag", "Content-Security-Policy", "Vary")) {
      assertThat(header(head, name)).as(name).isEqualTo(header(get, name)).isNotEmpty();
    }
  }

  @Test
  void pagesAreSentInAnAcceptedCoding() throws Exception {
    HttpResponse<byte[]> coded = get("/docs/http-api", "Accept-Encoding", "gzip");
    assertThat(header(coded, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(coded, "ETag")).isNotEqualTo(header(get("/docs/http-api"), "ETag"));
  }

  @Test
  void unknownPagesAreReportedAsProblems() throws Exception {
    for (String path :
        List.of("/docs/nothing", "/docs/nothing.md", "/docs/page.css", "/docs/%2e%2e%2fpom.xml")) {
      HttpResponse<byte[]> response = get(path);
      assertThat(response.statusCode()).as(path).isIn(400, 404);
      assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    }
    assertThat(json("/docs/nothing").get("detail").asString())
        .isEqualTo("Expected a resource but found none at /docs/nothing");
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(pages().keySet());
    documents.add(Path.of("src/test/README.md"));
    Path github = Path.of(".github");
    if (Files.exists(github)) {
      documents.addAll(files(github, ".md"));
    }
    return documents;
  }

  private static TreeSet<String> references(String html) {
    return REFERENCE
        .matcher(html)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> ids(String html) {
    return ID.matcher(html).results().map(match -> match.group(1)).toList();
  }

  /// Returns the anchors that GitHub generates for headings: lower case, without punctuation, `-`
  /// for spaces.
  private static List<String> anchors(Path file) throws IOException {
    return HEADING
        .matcher(FENCED.matcher(Files.readString(file)).replaceAll(""))
        .results()
        .map(match ->
            match.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .toList();
  }
}
