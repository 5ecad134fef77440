package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Quiver;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;

/// Pages in frames of the sites in `quiver.pages.frame-ancestors`. [OtherSitesTest] covers frames
/// of others, and a service that names none.
@SpringBootTest(
    classes = Quiver.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = "quiver.pages.frame-ancestors=https://wiki.test,http://localhost:3000")
class FramesTest extends RawService {

  private static final String NAMED = "frame-ancestors https://wiki.test http://localhost:3000";

  /// Returns the response to a browser that opens a URL in a frame.
  private String framed(String line, String... more) throws IOException {
    String[] headers = {
      "Host: localhost",
      "Accept: text/html,*/*;q=0.8",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Dest: iframe"
    };
    return exchange(
        line, Stream.concat(Stream.of(headers), Stream.of(more)).toArray(String[]::new));
  }

  private static void assertRefused(String response) {
    assertThat(response).startsWith("HTTP/1.1 403 ").contains("Cross-site request rejected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/datasets/sample", "/datasets/sample@1", "/sql", "/datasets/none"})
  void frameShowsPages(String path) throws IOException {
    for (String method : new String[] {"GET ", "HEAD "}) {
      assertThat(framed(method + path)).doesNotStartWith("HTTP/1.1 403 ");
    }
    if (!path.endsWith("none")) {
      assertThat(framed("GET " + path))
          .startsWith("HTTP/1.1 200 ")
          .contains("\r\nContent-Type: text/html")
          .contains("; form-action 'none'; " + NAMED + "\r\n")
          .doesNotContain("frame-ancestors 'none'");
    }
  }

  /// The policy decides in browsers that send no `Sec-Fetch-Dest`.
  @Test
  void pagesNameTheSitesWhereverTheyAreShown() throws IOException {
    for (String path : new String[] {"/", "/datasets/sample", "/sql"}) {
      assertThat(exchange("GET " + path, "Host: localhost", "Accept: text/html"))
          .contains(NAMED)
          .containsPattern("\r\nVary: ([^\r]*, )?Sec-Fetch-Dest");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets",
        "/datasets/",
        "/datasets.csv",
        "/datasets/sample.csv",
        "/datasets/sample.json",
        "/datasets/sample/schema",
        "/datasets/sample/statistics",
        "/datasets/sample/events",
        "/inspect",
        "/jobs",
        "/metrics",
        "/sql.csv?q=SELECT%201",
        "/nowhere",
      })
  void frameShowsNothingElse(String path) throws IOException {
    assertRefused(framed("GET " + path));
  }

  @Test
  void otherPagesNameNoSite() throws IOException {
    for (String path : new String[] {"/inspect", "/swagger-ui/index.html", "/datasets/"}) {
      assertThat(exchange("GET " + path, "Host: localhost", "Accept: text/html"))
          .contains("frame-ancestors 'none'")
          .doesNotContain(NAMED);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://wiki.test/, 200",
    "https://wiki.test/page, 200",
    "http://localhost:3000/, 200",
    "https://evil.test/, 403",
    "https://wiki.test.evil.test/, 403",
    "https://wiki.test:8443/, 403",
    "http://wiki.test/, 403",
    "https://wiki.test, 403",
  })
  void siteThatTellsItsNameIsNamed(String referer, int status) throws IOException {
    assertThat(framed("GET /datasets/sample", "Referer: " + referer))
        .startsWith("HTTP/1.1 " + status + " ");
  }

  @ParameterizedTest
  @CsvSource({
    "no-cors, image",
    "cors, empty",
    "navigate, object",
    "navigate, embed",
    "navigate, frame",
    "navigate, fencedframe",
    "no-cors, iframe",
  })
  void siteUsesPagesInFramesAlone(String mode, String destination) throws IOException {
    assertRefused(
        exchange(
            "GET /datasets/sample",
            "Host: localhost",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Mode: " + mode,
            "Sec-Fetch-Dest: " + destination));
  }

  @Test
  void prefetchIsNoFrame() throws IOException {
    assertRefused(framed("GET /datasets/sample", "Sec-Purpose: prefetch"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST /datasets", "PUT /datasets/framed", "DELETE /datasets/sample"})
  void siteWritesNothing(String line) throws IOException {
    assertRefused(framed(line, "Content-Length: 0"));
  }

  /// A form of a page in a frame, as the browser tells.
  @ParameterizedTest
  @ValueSource(strings = {"POST /datasets", "PUT /datasets/framed", "DELETE /datasets/sample"})
  void pageInAFrameWritesNothing(String line) throws IOException {
    assertThat(
            exchange(
                line,
                "Host: localhost",
                "Sec-Fetch-Site: same-origin",
                "Sec-Fetch-Mode: navigate",
                "Sec-Fetch-Dest: iframe",
                "Content-Length: 0"))
        .startsWith("HTTP/1.1 403 ")
        .contains("urn:quiver:problem:read-only", "a page in a frame only reads");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/sql"})
  void pageInAFrameOffersNoWrites(String path) throws IOException {
    assertThat(framed("GET " + path)).contains("<main>").doesNotContain("data-writable");
    assertThat(exchange("GET " + path, "Host: localhost", "Accept: text/html"))
        .contains("<main data-writable>");
  }

  /// The site could otherwise see how long its choice takes.
  @ParameterizedTest
  @ValueSource(
      strings = {"/datasets/sample?where=minutes%3E10000", "/datasets/sample?columns=mission"})
  void choiceOfTheSiteIsShownFirst(String path) throws IOException {
    assertThat(framed("GET " + path))
        .startsWith("HTTP/1.1 200 ")
        .contains("<h1>Follow this link?</h1>", NAMED)
        .doesNotContain("Apollo");
  }

  @Test
  void statementOfTheSiteIsShownFirst() throws IOException {
    assertThat(framed("GET /sql?q=SELECT%207"))
        .startsWith("HTTP/1.1 200 ")
        .contains("<pre>SELECT 7</pre>", "It has not run");
  }
}
