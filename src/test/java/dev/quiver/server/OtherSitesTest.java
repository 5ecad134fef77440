package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Quiver;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;

/// Reads that pages of other sites start, as browsers describe them: by `Sec-Fetch-*` and `Origin`.
class OtherSitesTest {

  private static final String DATA = "/datasets/sample.csv";
  private static final String CONDITION = "/datasets/sample.csv?where=minutes%3E10000";

  private abstract static class Service extends RawService {

    /// Sends a request with the headers that are given.
    String get(String path, String site, String mode, String destination, String origin)
        throws IOException {
      String[] headers =
          Stream.of(
                  "Host: localhost:8080",
                  "Sec-Fetch-Site: " + site,
                  "Sec-Fetch-Mode: " + mode,
                  "Sec-Fetch-Dest: " + destination,
                  "Origin: " + origin)
              .filter(header -> !header.endsWith("null-header"))
              .toArray(String[]::new);
      return exchange("GET " + path, headers);
    }
  }

  private static void assertRefused(String response) {
    assertThat(response)
        .startsWith("HTTP/1.1 403 ")
        .contains("urn:quiver:problem:cross-site")
        .contains("\r\nCross-Origin-Resource-Policy: same-origin\r\n")
        .contains("\r\nCross-Origin-Opener-Policy: same-origin\r\n");
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
  class OnLoopback extends Service {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        nullValues = "-",
        textBlock =
            """
            # from elsewhere: site | mode | destination | Origin | status
            cross-site  | no-cors   | image         | -                     | 403
            cross-site  | no-cors   | script        | -                     | 403
            cross-site  | cors      | empty         | https://evil.test     | 403
            cross-site  | cors      | image         | https://evil.test     | 403
            cross-site  | cors      | script        | null                  | 403
            same-site   | cors      | empty         | http://localhost:9999 | 403
            same-site   | no-cors   | image         | -                     | 403
            cross-site  | websocket | websocket     | https://evil.test     | 403
            -           | -         | -             | https://evil.test     | 403
            -           | -         | -             | http://localhost:9999 | 403
            -           | -         | -             | null                  | 403
            cross-site  | -         | -             | -                     | 403
            cross-site  | navigate  | iframe        | -                     | 403
            cross-site  | navigate  | frame         | -                     | 403
            cross-site  | navigate  | object        | -                     | 403
            cross-site  | navigate  | embed         | -                     | 403
            cross-site  | navigate  | fencedframe   | -                     | 403
            same-site   | navigate  | iframe        | -                     | 403
            cross-site  | navigate  | -             | -                     | 403
            cross-site  | nested-navigate | iframe  | -                     | 403
            # links
            cross-site  | navigate  | document      | -                     | 200
            same-site   | navigate  | document      | -                     | 200
            none        | navigate  | document      | -                     | 200
            # own pages
            same-origin | navigate  | document      | -                     | 200
            same-origin | navigate  | iframe        | -                     | 200
            same-origin | cors      | empty         | -                     | 200
            same-origin | cors      | empty         | http://localhost:8080 | 200
            same-origin | no-cors   | image         | -                     | 200
            -           | -         | -             | http://localhost:8080 | 200
            # clients other than browsers; that of Node sends a mode
            -           | -         | -             | -                     | 200
            -           | cors      | -             | -                     | 200
            """)
    void readsAreRefusedByWhereTheyComeFrom(
        String site, String mode, String destination, String origin, int status)
        throws IOException {
      String absent = "null-header";
      String response =
          get(
              DATA,
              site == null ? absent : site,
              mode == null ? absent : mode,
              destination == null ? absent : destination,
              origin == null ? absent : origin);
      assertThat(response).startsWith("HTTP/1.1 " + status + " ");
      if (status == 403) {
        assertRefused(response);
      }
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "/",
          "/datasets",
          "/datasets/sample",
          "/datasets/sample.parquet",
          "/datasets/sample/statistics",
          "/datasets/sample;a=b/%73tatistics",
          "/datasets/sample/events",
          "/datasets/sample.json",
          "/datasets/nothing.csv",
          CONDITION,
          "/sql",
          "/sql.json?q=SELECT+1",
          "/convert",
          "/metrics",
          "/nowhere",
        })
    void pagesOfOtherSitesStartNothing(String path) throws IOException {
      for (String method : List.of("GET ", "HEAD ")) {
        for (String header :
            List.of("Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: null")) {
          assertThat(exchange(method + path, "Host: localhost", header))
              .startsWith("HTTP/1.1 403 ")
              .contains("application/problem+json");
        }
      }
      assertThat(
              exchange(
                  "HEAD " + path,
                  "Host: localhost",
                  "Sec-Fetch-Site: same-origin",
                  "Sec-Fetch-Mode: no-cors"))
          .doesNotStartWith("HTTP/1.1 403 ");
    }

    @Test
    void handshakesOfWebSocketsAreRefused() throws IOException {
      assertRefused(
          exchange(
              "GET " + CONDITION,
              "Host: localhost",
              "Origin: https://evil.test",
              "Upgrade: websocket",
              "Sec-WebSocket-Version: 13",
              "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="));
    }

    @Test
    void prefetchesOfOtherSitesAreRefused() throws IOException {
      String[] link = {
        "Host: localhost",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Dest: document"
      };
      assertThat(exchange("GET " + DATA, link)).startsWith("HTTP/1.1 200 ");
      link[0] = "Host: localhost\nSec-Purpose: prefetch";
      assertRefused(exchange("GET " + DATA, link));
    }

    @Test
    void believesNoneOfTwoHeaders() throws IOException {
      assertRefused(
          exchange(
              "GET " + DATA,
              "Host: localhost",
              "Sec-Fetch-Site: same-origin",
              "Sec-Fetch-Site: cross-site"));
      assertRefused(
          exchange(
              "GET " + DATA,
              "Host: localhost",
              "Sec-Fetch-Site: cross-site",
              "Sec-Fetch-Mode: navigate",
              "Sec-Fetch-Dest: document",
              "Sec-Fetch-Dest: iframe"));
    }

    @Test
    void whatRequiresNoPermissionMayBeEmbedded() throws IOException {
      for (String path : List.of("/health", "/docs/security", "/openapi.yaml")) {
        assertThat(get(path, "cross-site", "cors", "empty", "https://evil.test"))
            .startsWith("HTTP/1.1 200 ")
            .contains("\r\nCross-Origin-Opener-Policy: same-origin\r\n");
      }
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          CONDITION,
          "/datasets/sample?where=minutes%3E10000",
          "/datasets/sample.csv?where=CAST(mission+AS+INTEGER)%3E0",
          "/datasets/nothing.csv?columns=a",
          "/datasets/sample.json?columns=nothing&link=a",
          "/datasets/sample/statistics",
        })
    void linksToAChoiceOfRowsAreShownFirst(String path) throws IOException {
      for (String site : List.of("cross-site", "same-site")) {
        String shown = get(path, site, "navigate", "document", "null-header");
        assertThat(shown)
            .startsWith("HTTP/1.1 200 ")
            .contains("\r\nContent-Type: text/html;charset=UTF-8\r\n")
            .contains("\r\nContent-Security-Policy: default-src 'none';")
            .contains("\r\nCross-Origin-Opener-Policy: same-origin\r\n")
            .contains("\r\nCache-Control: no-store\r\n")
            .contains("<h1>Follow this link?</h1>")
            .doesNotContain("Apollo", "Accept-Ranges", "Quiver-Version");
      }
      for (String site : List.of("same-origin", "none")) {
        assertThat(get(path, site, "navigate", "document", "null-header"))
            .doesNotContain("Follow this link?");
      }
    }

    @Test
    void linkLeadsToTheSameUrl() throws IOException {
      String path = "/datasets/sample.csv?columns=a&where=a%3C%22b%22";
      assertThat(get(path, "cross-site", "navigate", "document", "null-header"))
          .contains("<code>/datasets/sample.csv</code>")
          .contains("<pre>where=a&lt;&quot;b&quot;</pre>")
          .contains(" href=\"?columns=a&amp;where=a%3C%22b%22\">");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "/datasets/sample.csv",
          "/datasets/sample.parquet",
          "/datasets/sample",
          "/datasets/sample.csv?link=abc",
          "/datasets?q=sam",
          "/",
          "/docs",
        })
    void linksToWholeDatasetsAndPagesAreFollowed(String path) throws IOException {
      assertThat(get(path, "cross-site", "navigate", "document", "null-header"))
          .startsWith("HTTP/1.1 200 ")
          .doesNotContain("Follow this link?")
          .contains("\r\nCross-Origin-Resource-Policy: same-origin\r\n")
          .contains("\r\nCross-Origin-Opener-Policy: same-origin\r\n");
    }

    /// Tomcat rejects some requests before any filter.
    @ParameterizedTest
    @ValueSource(strings = {"/datasets/nothing", "/datasets/..%2Fa", "/datasets/sample.csv?a=b"})
    void errorsCannotBeWatchedByAnOpener(String path) throws IOException {
      assertThat(exchange("GET " + path, "Host: localhost"))
          .startsWith("HTTP/1.1 4")
          .contains("\r\nCross-Origin-Opener-Policy: same-origin\r\n");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = "quiver.cors.allowed-origins=https://app.test")
  class WithAnAllowedOrigin extends Service {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            cors      | empty    | https://app.test  | 200
            cors      | image    | https://app.test  | 200
            cors      | empty    | https://evil.test | 403
            cors      | empty    | http://app.test   | 403
            no-cors   | image    | null-header       | 403
            navigate  | iframe   | null-header       | 403
            """)
    void onlyThatOriginReads(String mode, String destination, String origin, int status)
        throws IOException {
      assertThat(get(CONDITION, "cross-site", mode, destination, origin))
          .startsWith("HTTP/1.1 " + status + " ");
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = "quiver.cors.allowed-origins=*")
  class WithAnyOrigin extends Service {

    @Test
    void readsThatNameAnOriginAreAllowed() throws IOException {
      assertThat(get(CONDITION, "cross-site", "cors", "empty", "https://any.test"))
          .startsWith("HTTP/1.1 200 ");
      assertRefused(get(CONDITION, "cross-site", "no-cors", "image", "null-header"));
    }
  }

  @Nested
  @SpringBootTest(
      classes = Quiver.class,
      webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
      properties = {
        "server.address=0.0.0.0",
        "quiver.trusted-proxies=127.0.0.1",
        "quiver.allowed-hosts=data.test"
      })
  class BehindAProxy extends Service {

    @Test
    void ownPagesAreThoseOfThePublicName() throws IOException {
      for (String origin : List.of("https://data.test", "https://data.test:443")) {
        assertThat(read("Origin: " + origin)).startsWith("HTTP/1.1 200 ");
      }
      for (String origin : List.of("http://10.1.2.3", "https://evil.test")) {
        assertRefused(read("Origin: " + origin));
      }
    }

    private String read(String origin) throws IOException {
      return exchange(
          "GET " + DATA,
          "Host: 10.1.2.3",
          "X-Forwarded-Proto: https",
          "X-Forwarded-Host: data.test",
          origin);
    }
  }
}
