package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// The headers of a trusted proxy: the client's address, and the URL by which it knows the service.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/forwarded-store",
      "quiver.audit.path=${test.folder}/forwarded-logs/audit.jsonl",
      "server.tomcat.accesslog.enabled=true",
      "server.tomcat.accesslog.buffered=false",
      "server.tomcat.accesslog.directory=${test.folder}/forwarded-access",
      "quiver.trusted-proxies=127.0.0.1,10.0.0.0/8,fd00::/8",
      "quiver.allowed-hosts=data.test",
      "quiver.allow-remote-writes=true",
    })
@Timeout(120)
class ForwardedTest extends RunningService {

  @Autowired private Environment environment;

  @Test
  void commandsHaveTheHostThatTheProxyTells() throws Exception {
    String[] proxied = {"X-Forwarded-Host", "data.test", "X-Forwarded-Proto", "https"};
    assertThat(text(get("/", proxied))).startsWith("Quiver at https://data.test\n");
  }

  /// Returns the address of the client of a write, as the audit log tells it.
  private String client(String... headers) throws Exception {
    HttpResponse<byte[]> written = put("/datasets/forwarded", Streams.numbers(0, 3), headers);
    assertThat(written.statusCode()).as(text(written)).isIn(200, 201);
    String id = header(written, "X-Request-Id");
    Path file = Path.of(environment.getRequiredProperty("quiver.audit.path"));
    List<JsonNode> found = new ArrayList<>();
    eventually(() -> {
      found.clear();
      List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
      for (String line : lines) {
        JsonNode event = JSON.readTree(line);
        if (event.path("requestId").asString("").equals(id)) {
          found.add(event);
        }
      }
      assertThat(found).hasSize(1);
    });
    return found.getFirst().get("client").asString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "203.0.113.7 | 203.0.113.7",
        // A client may have sent the first addresses itself.
        "127.0.0.1, 203.0.113.7 | 203.0.113.7",
        "192.0.2.1, 203.0.113.7, 10.1.2.3 | 203.0.113.7",
        "203.0.113.7, 10.1.2.3, fd00::1 | 203.0.113.7",
        "10.9.9.9, 10.1.2.3 | 10.9.9.9",
        "203.0.113.7:51234 | 203.0.113.7",
        "2001:db8::7 | 2001:db8:0:0:0:0:0:7",
        "[2001:db8::7]:443 | 2001:db8:0:0:0:0:0:7",
        // The last proxy that is known did not know its client.
        "203.0.113.7, unknown | 127.0.0.1",
        "unknown, 10.1.2.3 | 10.1.2.3",
        "999.1.1.1 | 127.0.0.1",
        "203 | 127.0.0.1",
      })
  void clientIsTheLastAddressThatIsNotTrusted(String header, String expected) throws Exception {
    assertThat(client("X-Forwarded-For", header)).isEqualTo(expected);
  }

  @Test
  void clientWithoutAHeaderIsTheProxy() throws Exception {
    assertThat(client()).isEqualTo("127.0.0.1");
  }

  /// Returns the start of the URLs in a response.
  private String base(String... headers) throws Exception {
    put("/datasets/forwarded", Streams.numbers(0, 3));
    HttpResponse<byte[]> partitions = get("/datasets/forwarded/partitions", headers);
    assertThat(partitions.statusCode()).as(text(partitions)).isEqualTo(200);
    String text = text(partitions);
    int start = text.indexOf("http");
    return text.substring(start, text.indexOf("/datasets", start));
  }

  @Test
  void urlsAreThoseOfTheClient() throws Exception {
    assertThat(base()).isEqualTo("http://localhost:" + port);
    assertThat(
            base(
                "X-Forwarded-Proto", "https",
                "X-Forwarded-Host", "data.test",
                "X-Forwarded-Prefix", "/arrows/v1.0"))
        .isEqualTo("https://data.test/arrows/v1.0");
    assertThat(base("X-Forwarded-Host", "evil.test, data.test:8443"))
        .isEqualTo("http://data.test:8443");
    assertThat(base("X-Forwarded-Host", "[::1]:8080")).isEqualTo("http://[::1]:8080");
    assertThat(base("X-Forwarded-Host", "data.test:65535")).isEqualTo("http://data.test:65535");
    assertThat(base("X-Forwarded-Host", "data.test", "X-Forwarded-Prefix", "/"))
        .isEqualTo("http://data.test");
  }

  /// Two proxies, of which 10.1.2.3 is the one that clients connect to.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Both add to all headers.
        "203.0.113.7, 10.1.2.3 | https, http | data.test, localhost | /a, /b | https://data.test/a",
        "x, 203.0.113.7, 10.1.2.3 | ftp, https, http | x, data.test, [::1] | /x, /a, /b |"
            + " https://data.test/a",
        // The second one adds to the first alone.
        "203.0.113.7, 10.1.2.3 | https | data.test | /a | https://data.test/a",
        // A client has sent values to proxies that add to some of the headers.
        "203.0.113.7 | ftp, https | evil.test, data.test | //x, /a | https://data.test/a",
        // The last proxy does not know its client.
        "203.0.113.7, unknown | http, https | localhost, data.test | /a, /b | https://data.test/b",
      })
  void urlsAreThoseOfTheHopThatKnowsTheClient(
      String addresses, String schemes, String hosts, String prefixes, String expected)
      throws Exception {
    assertThat(
            base(
                "X-Forwarded-For", addresses,
                "X-Forwarded-Proto", schemes,
                "X-Forwarded-Host", hosts,
                "X-Forwarded-Prefix", prefixes))
        .isEqualTo(expected);
  }

  private static final String[] BELOW = {"X-Forwarded-Prefix", "/arrows/v1.0"};

  /// Returns the paths of the service in a text, between quotes or in the brackets of `Link`.
  private static List<String> paths(String text) {
    return Pattern.compile("(?:\"|<|^)(/[^\"<>]*)")
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static void assertBelow(String text, String request) {
    assertThat(paths(text))
        .as(request)
        .isNotEmpty()
        .allSatisfy(path -> assertThat(path).startsWith("/arrows/v1.0/"));
  }

  @Test
  void pathsInHeadersHaveThePrefix() throws Exception {
    HttpResponse<byte[]> stored = put("/datasets/forwarded", Streams.numbers(0, 3), BELOW);
    assertThat(header(stored, "Location")).isEqualTo("/arrows/v1.0/datasets/forwarded");
    HttpResponse<byte[]> read = get("/datasets/forwarded.csv", BELOW);
    assertThat(header(read, "Content-Location"))
        .startsWith("/arrows/v1.0/datasets/forwarded@")
        .endsWith(".csv");
    assertBelow(header(get("/datasets/forwarded", BELOW), "Link"), "Link");
    HttpResponse<byte[]> accepted =
        put(
            "/datasets/forwarded?verbose=true",
            Streams.numbers(0, 3),
            "X-Forwarded-Prefix",
            "/arrows/v1.0",
            "Prefer",
            "respond-async");
    assertThat(accepted.statusCode()).isEqualTo(202);
    String job = header(accepted, "Location");
    assertThat(job).startsWith("/arrows/v1.0/jobs/");
    assertBelow(json(accepted).get("links").toString().replaceAll("\"\\w+\":", ""), "job");
    eventually(() -> {
      HttpResponse<byte[]> ended = get(job.substring("/arrows/v1.0".length()), BELOW);
      assertThat(json(ended).get("state").asString()).isEqualTo("done");
      assertBelow(json(ended).at("/result/links").toString(), "result");
    });
    assertThat(header(get("/api", BELOW), "Location"))
        .isEqualTo("/arrows/v1.0/swagger-ui/index.html");
  }

  @Test
  void longestPrefixFitsIntoHeaders() throws Exception {
    String path = "/datasets/" + "n".repeat(100);
    put(path, Streams.numbers(0, 3));
    String prefix = "/" + "a".repeat(199);
    for (int length : new int[] {40, 240}) {
      String query = "?offset=" + "0".repeat(length);
      HttpResponse<byte[]> read = get(path + query, "X-Forwarded-Prefix", prefix);
      assertThat(read.statusCode()).as(length + text(read)).isEqualTo(200);
      assertThat(header(read, "Link")).contains("<" + prefix + path + "@1/schema>");
    }
  }

  /// A request that has waited goes on with another thread.
  @Test
  void pathsAfterAWaitHaveThePrefix() throws Exception {
    put("/datasets/waited", Streams.numbers(0, 3));
    HttpResponse<byte[]> waited =
        get(
            "/datasets/waited.csv?since=1",
            "X-Forwarded-Prefix",
            "/arrows/v1.0",
            "Prefer",
            "wait=1");
    assertThat(header(waited, "Content-Location"))
        .isEqualTo("/arrows/v1.0/datasets/waited@1.csv?since=1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets",
        "/datasets?limit=1",
        "/datasets/forwarded/summary",
        "/datasets/forwarded/schema",
        "/datasets/forwarded/batches",
        "/datasets/forwarded/layout",
        "/datasets/forwarded/versions?limit=1",
        "/jobs",
      })
  void pathsInDocumentsHaveThePrefix(String path) throws Exception {
    put("/datasets/forwarded", Streams.numbers(0, 3));
    put("/datasets/forwarded", Streams.numbers(0, 3));
    put("/datasets/forwarded", Streams.numbers(0, 3), "Prefer", "respond-async");
    HttpResponse<byte[]> document = get(path, BELOW);
    assertThat(document.statusCode()).as(text(document)).isEqualTo(200);
    assertBelow(text(document), path);
    assertThat(text(get(path))).doesNotContain("/arrows/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/datasets/forwarded", "/sql", "/inspect", "/docs", "/docs/operations"})
  void linksOfPagesHaveThePrefix(String path) throws Exception {
    put("/datasets/forwarded", Streams.numbers(0, 3));
    String[] headers = {"Accept", "text/html", BELOW[0], BELOW[1]};
    HttpResponse<byte[]> page = get(path, headers);
    assertThat(header(page, "Content-Type")).startsWith("text/html");
    List<String> links =
        Pattern.compile("(?:href|src)=\"(/[^\"]*)\"")
            .matcher(text(page))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(links)
        .hasSizeGreaterThan(3)
        .allSatisfy(link -> assertThat(link).startsWith("/arrows/v1.0/"));
    assertThat(get(links.getFirst().substring("/arrows/v1.0".length())).statusCode())
        .isEqualTo(200);
    assertThat(text(get(path, "Accept", "text/html"))).doesNotContain("/arrows/");
  }

  @Test
  void accessLogNamesTheClient() throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets?limit=1", "X-Forwarded-For", "198.51.100.1, 203.0.113.9, 10.1.2.3");
    String id = header(response, "X-Request-Id");
    eventually(() -> {
      try (Stream<Path> files = Files.list(FOLDER.resolve("forwarded-access"))) {
        assertThat(Files.readAllLines(files.findFirst().orElseThrow()))
            .filteredOn(line -> line.endsWith(id))
            .singleElement()
            .asString()
            .contains(" 203.0.113.9 - GET /datasets 200 ");
      }
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-Proto: ftp",
        "X-Forwarded-Proto: HTTPS",
        "X-Forwarded-Host: evil.test",
        "X-Forwarded-Host: data.test/x",
        "X-Forwarded-Host: a b",
        "X-Forwarded-Host: user@data.test",
        "X-Forwarded-Host: data.test:99999",
        "X-Forwarded-Host: data.test:65536",
        "X-Forwarded-Host: data.test:0",
        "X-Forwarded-Host: data.test:",
        "X-Forwarded-Prefix: relative",
        "X-Forwarded-Prefix: /a//b",
        "X-Forwarded-Prefix: /a/",
        "X-Forwarded-Prefix: //evil.test",
        "X-Forwarded-Prefix: /a?b",
        "X-Forwarded-Prefix: /%2e",
      })
  void malformedHeadersAreRejected(String header) throws Exception {
    String[] parts = header.split(": ", 2);
    HttpResponse<byte[]> response = get("/datasets", parts[0], parts[1]);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .contains("but found")
        .endsWith(" at header " + parts[0]);
  }

  /// A page can point its own name at this machine, and send the headers of a proxy.
  @Test
  void hostOfTheRequestIsCheckedAsWell() throws Exception {
    String received =
        RawHttp.exchange(
            port,
            "GET /datasets HTTP/1.1\nHost: evil.test\nX-Forwarded-Host: localhost\n"
                + "Connection: close\n\n");
    assertThat(received).startsWith("HTTP/1.1 421 ");
  }

  @Test
  void prefixHasALimit() throws Exception {
    assertThat(get("/datasets", "X-Forwarded-Prefix", "/" + "a".repeat(199)).statusCode())
        .isEqualTo(200);
    assertThat(get("/datasets", "X-Forwarded-Prefix", "/" + "a".repeat(200)).statusCode())
        .isEqualTo(400);
  }
}
