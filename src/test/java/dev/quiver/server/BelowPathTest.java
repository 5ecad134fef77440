package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// A service below a path: every link that it writes has the path, and leads to a resource.
/// [ForwardedTest] covers the prefix that a trusted proxy tells.
@Timeout(120)
class BelowPathTest {

  private static final String PATH = "/data/v1.0";

  abstract static class Below extends RunningService {

    private static String below(String text) {
      assertThat(text).startsWith(PATH + "/");
      return text.substring(PATH.length());
    }

    /// Returns a path as a client requests it: a proxy removes the path, or passes it on.
    private static String sent(String front, String link) {
      return front + below(URI.create(link).getRawPath()) + query(link);
    }

    private static String query(String link) {
      String query = URI.create(link).getRawQuery();
      return query == null ? "" : "?" + query;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", PATH})
    void everyLinkLeadsToAResource(String front) throws Exception {
      put("/datasets/crawled", Streams.numbers(0, 3, 4));
      post("/datasets/crawled", Streams.numbers(7, 3));
      put("/datasets/crawled-later", Streams.numbers(0, 3), "Prefer", "respond-async");
      Crawl crawl = new Crawl((path, accept) -> get(front + below(path), "Accept", accept));
      Map<String, Integer> statuses = crawl.from(PATH + "/");
      assertThat(statuses)
          .hasSizeGreaterThan(100)
          .containsKeys(
              PATH + "/datasets/crawled@2/schema",
              PATH + "/datasets/crawled@2.parquet",
              PATH + "/inspect",
              PATH + "/swagger-ui/index.html");
      assertThat(statuses.keySet()).anyMatch(path -> path.endsWith("-dataset-page/chart/map.js"));
      // A program has to send a statement, and gets no page.
      assertThat(statuses.remove(PATH + "/sql")).isEqualTo(400);
      statuses.entrySet().removeIf(entry -> entry.getValue() < 400);
      assertThat(statuses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", PATH})
    void writesAreFollowed(String front) throws Exception {
      HttpResponse<byte[]> stored = put(front + "/datasets/written", Streams.numbers(0, 3));
      assertThat(header(stored, "Location")).isEqualTo(PATH + "/datasets/written");
      assertThat(get(sent(front, header(stored, "Location"))).statusCode()).isEqualTo(200);
      HttpResponse<byte[]> accepted =
          put(front + "/datasets/written", Streams.numbers(0, 3), "Prefer", "respond-async");
      assertThat(accepted.statusCode()).isEqualTo(202);
      String job = header(accepted, "Location");
      assertThat(json(accepted).at("/links/self").asString()).isEqualTo(job);
      eventually(() -> {
        HttpResponse<byte[]> ended = get(sent(front, job));
        assertThat(ended.statusCode()).isEqualTo(303);
        String version = header(ended, "Location");
        assertThat(get(sent(front, version)).statusCode()).isEqualTo(200);
        assertThat(json(ended).at("/links/version").asString()).isEqualTo(version);
      });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", PATH})
    void uploadsInPartsAreContinued(String front) throws Exception {
      byte[] body = Streams.numbers(0, 3);
      String[] created = {
        "Upload-Draft-Interop-Version", "6",
        "Upload-Complete", "?0",
        "Content-Type", "application/vnd.apache.arrow.stream"
      };
      HttpResponse<byte[]> begun = post(front + "/datasets/parted", new byte[0], created);
      assertThat(begun.statusCode()).as(text(begun)).isEqualTo(201);
      String upload = header(begun, "Location");
      assertThat(upload).startsWith(PATH + "/uploads/");
      HttpResponse<byte[]> stored =
          patch(
              sent(front, upload),
              body,
              "Upload-Draft-Interop-Version",
              "6",
              "Upload-Complete",
              "?1",
              "Upload-Offset",
              "0",
              "Content-Type",
              "application/partial-upload");
      assertThat(stored.statusCode()).as(text(stored)).isIn(200, 201);
      assertThat(json(stored).get("name").asString()).isEqualTo("parted");
      assertThat(get(front + "/datasets/parted.csv").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", PATH})
    void absoluteUrlsHaveThePath(String front) throws Exception {
      put("/datasets/whole", Streams.numbers(0, 3, 4));
      List<String> urls = new ArrayList<>();
      JsonNode partitions = JSON.readTree(get(front + "/datasets/whole/partitions").body());
      partitions.get("arrow_stream_files").forEach(file -> urls.add(file.get("uri").asString()));
      HttpResponse<byte[]> made = post(front + "/datasets/whole/links", new byte[0]);
      urls.add(json(made).get("url").asString());
      assertThat(urls).hasSizeGreaterThan(1);
      for (String url : urls) {
        assertThat(url).startsWith(origin() + PATH + "/datasets/whole");
        assertThat(get(sent(front, url)).statusCode()).as(url).isEqualTo(200);
      }
      assertThat(text(get(front + "/", "Accept", "text/html")))
          .contains("curl -T flights.arrow " + origin() + PATH + "/datasets/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", PATH})
    void pathsInHintsAreLinksWithThePath(String front) throws Exception {
      put("/datasets/hinted", Streams.numbers(0, 3));
      HttpResponse<byte[]> page =
          get(front + "/datasets/hinetd.csv", "Accept", "text/html", "Sec-Fetch-Mode", "navigate");
      String link = PATH + "/datasets/hinted.csv";
      assertThat(text(page)).contains("Use <a href=\"%1$s\">%1$s</a>.".formatted(link));
      assertThat(get(sent(front, link)).statusCode()).isEqualTo(200);
    }

    /// The signature is of the dataset, wherever the service lies.
    @Test
    void signatureDoesNotCoverThePath() throws Exception {
      put("/datasets/signed", Streams.numbers(0, 3));
      String url = json(post("/datasets/signed/links", new byte[0])).get("url").asString();
      for (String front : List.of("", PATH)) {
        String read = front + "/datasets/signed.csv" + query(url);
        assertThat(header(get(read), "Cache-Control")).contains("private");
      }
    }

    @ParameterizedTest
    @CsvSource({
      "/data/v1.0, 200",
      "/data/v1.0?a=b, 400",
      "/data/v1.0/, 200",
      "/data/v1.0/health, 200",
      "/data/v1.0/datasets/sample.csv?limit=1, 200",
      "/data/v1.0/sql.csv?q=SELECT%201, 200",
      "/data/v1.0x, 404",
      "/data/v1.0x/health, 404",
      "/data/, 404",
      "/data/v1.0/data/v1.0/, 404",
      "/x/data/v1.0/, 404",
      "/data/v1.0/../../health, 400",
    })
    void pathIsRemovedOnce(String path, int status) throws Exception {
      String response =
          RawHttp.exchange(
              port, "GET %s HTTP/1.1\nHost: localhost\nConnection: close\n\n".formatted(path));
      assertThat(response).startsWith("HTTP/1.1 " + status + " ");
    }

    /// Tomcat rejects it before it knows the path.
    @Test
    void hintAboutALongUrlNamesNoPath() throws Exception {
      String response =
          RawHttp.exchange(
              port,
              "GET %s/sql?q=%s HTTP/1.1\nHost: localhost\nConnection: close\n\n"
                  .formatted(PATH, "x".repeat(20_000)));
      assertThat(response)
          .startsWith("HTTP/1.1 400 ")
          .contains("Send a long statement as the body of a POST rather than in the URL")
          .doesNotContain(" /sql");
    }

    @Test
    void waitingRequestKeepsThePath() throws Exception {
      put("/datasets/waited", Streams.numbers(0, 3));
      HttpResponse<byte[]> waited = get("/datasets/waited.csv?since=1", "Prefer", "wait=1");
      assertThat(header(waited, "Content-Location"))
          .isEqualTo(PATH + "/datasets/waited@1.csv?since=1");
    }

    String origin() {
      return "http://localhost:" + port;
    }
  }

  @Nested
  @TestPropertySource(
      properties = {
        "quiver.storage.path=${test.folder}/context-store",
        "server.servlet.context-path=" + PATH
      })
  class OfTheContext extends Below {}

  @Nested
  @TestPropertySource(
      properties = {
        "quiver.storage.path=${test.folder}/public-store",
        "quiver.public-urls=https://data.test:8443" + PATH + "/,https://b.test/b",
        "quiver.allowed-hosts=data.test,b.test",
        "quiver.allow-remote-writes=true"
      })
  class OfAPublicUrl extends Below {

    @Override
    String origin() {
      return "https://data.test:8443";
    }

    /// Proxies such as nginx replace `Host` unless told otherwise.
    @ParameterizedTest
    @CsvSource({
      "https://data.test:8443, 200",
      "https://b.test, 200",
      "http://data.test:8443, 403",
      "https://data.test, 403",
      "https://evil.test, 403",
    })
    void pagesOfPublicUrlsAreOwn(String origin, int status) throws Exception {
      String response =
          RawHttp.exchange(
              port,
              """
              GET /datasets/sample.csv HTTP/1.1
              Host: localhost
              Sec-Fetch-Site: same-origin
              Origin: %s
              Connection: close

              """
                  .formatted(origin));
      assertThat(response).startsWith("HTTP/1.1 " + status + " ");
    }

    @ParameterizedTest
    @CsvSource({
      "data.test:8443, /, /data/v1.0",
      "b.test, /, /b",
      "B.TEST:443, /, /b",
      "localhost, /, /data/v1.0",
      "data.test, /, /data/v1.0",
      "data.test:8443, /b/, /b",
      "b.test, /data/v1.0/, /data/v1.0",
    })
    void pathIsThatOfTheRequestOrItsHost(String host, String path, String expected)
        throws Exception {
      String response =
          RawHttp.exchange(
              port, "GET %sapi HTTP/1.1\nHost: %s\nConnection: close\n\n".formatted(path, host));
      assertThat(response).contains("\r\nLocation: " + expected + "/swagger-ui/index.html\r\n");
    }
  }

  @Nested
  @TestPropertySource(
      properties = {
        "quiver.storage.path=${test.folder}/both-store",
        "server.servlet.context-path=/own",
        "quiver.public-urls=https://data.test/shown",
        "quiver.trusted-proxies=127.0.0.1",
        "quiver.allow-remote-writes=true",
      })
  class OfBoth extends RunningService {

    @ParameterizedTest
    @CsvSource(
        nullValues = "-",
        value = {
          // path, X-Forwarded-Prefix, expected
          "/api, -, /shown",
          "/own/api, -, /own",
          "/shown/api, -, /shown",
          "/api, /told, /told",
          "/own/api, /told, /told",
          "/own/api, /, ''",
        })
    void proxyTellsMoreThanThePath(String path, String prefix, String expected) throws Exception {
      HttpResponse<byte[]> page =
          prefix == null ? get(path) : get(path, "X-Forwarded-Prefix", prefix);
      assertThat(header(page, "Location")).isEqualTo(expected + "/swagger-ui/index.html");
    }

    @Test
    void documentsHaveThePath() throws Exception {
      String page =
          new String(get("/own/docs", "Accept", "text/html").body(), StandardCharsets.UTF_8);
      assertThat(page).doesNotContain("href=\"/shown/");
    }
  }
}
