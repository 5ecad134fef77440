package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Quiver;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Every failure is `application/problem+json`, whichever layer detects it. `read.UploadTest`
/// covers the problems of uploads.
@SpringBootTest(classes = Quiver.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Import(ProblemTest.FailingController.class)
class ProblemTest extends TemporaryStore {

  @LocalServerPort private int port;

  @RestController
  static class FailingController {

    @GetMapping("/test/failing")
    void fail() {
      throw new IllegalStateException("a secret detail");
    }

    @GetMapping("/test/storage")
    void failOnStorage() throws IOException {
      throw new java.io.EOFException("truncated");
    }

    @GetMapping("/test/memory-on-disk")
    void fillDisk() {
      throw new UncheckedIOException(new IOException("No space left on device"));
    }

    @GetMapping("/test/memory-on-broken-disk")
    void breakDisk() {
      throw new UncheckedIOException(new IOException("Input/output error"));
    }

    @GetMapping("/test/cancelled")
    void cancel() {
      throw new CancelledException();
    }

    @GetMapping("/test/control")
    void failWithControlCharacters() {
      throw Problem.of(ProblemType.NOT_FOUND, "\u0000\u001b[2J\"<b>\u202e\ud800").asException();
    }
  }

  private String get(String path, String... headers) throws IOException {
    return exchange("GET " + path + " HTTP/1.1", headers);
  }

  private String exchange(String requestLine, String... headers) throws IOException {
    StringBuilder request = new StringBuilder(requestLine + "\nHost: localhost\n");
    for (String header : headers) {
      request.append(header).append('\n');
    }
    return RawHttp.exchange(port, request + "Connection: close\n\n");
  }

  private static void assertProblem(String response, int status, String... contains) {
    assertThat(response)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("\r\nContent-Type: application/problem+json\r\n")
        .contains("\r\nX-Content-Type-Options: nosniff\r\n")
        .contains("\r\nCache-Control: no-store\r\n")
        .contains("\"status\":" + status)
        .satisfies(text -> Arrays.stream(contains).forEach(part -> assertThat(text).contains(part)))
        .doesNotContain("Exception", "Apache Tomcat", "a secret detail");
  }

  @Test
  void unknownPathIsNotFound() throws IOException {
    assertProblem(
        get("/nowhere"),
        404,
        "\"type\":\"urn:quiver:problem:not-found\"",
        "\"detail\":\"Expected a resource but found none at /nowhere\"");
  }

  @Test
  void problemsIgnoreTheAcceptHeader() throws IOException {
    assertProblem(get("/nowhere", "Accept: application/vnd.apache.arrow.stream"), 404);
    assertProblem(get("/nowhere", "Accept: no media type"), 404);
  }

  @Test
  void rejectsUnsupportedMethodsWithTheAllowedOnes() throws IOException {
    assertProblem(
        exchange("DELETE /test/failing HTTP/1.1"),
        405,
        "\r\nAllow: GET, HEAD, OPTIONS\r\n",
        "\"detail\":\"Expected GET, HEAD, OPTIONS but found DELETE at the request line\"");
    assertProblem(exchange("PROPFIND /test/failing HTTP/1.1"), 405);
  }

  @Test
  void unexpectedExceptionsRevealNoDetails() throws IOException {
    assertProblem(get("/test/failing"), 500, "\"type\":\"urn:quiver:problem:internal\"");
    assertProblem(get("/test/storage"), 500, "\"type\":\"urn:quiver:problem:internal\"");
  }

  @Test
  void fullDiskForWorkingMemoryIsStorageFull() throws IOException {
    assertProblem(get("/test/memory-on-disk"), 507, "\"type\":\"urn:quiver:problem:storage-full\"");
    assertProblem(
        get("/test/memory-on-broken-disk"), 500, "\"type\":\"urn:quiver:problem:internal\"");
  }

  /// A client that has only ended its sending may still read the response.
  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void cancelledWorkIsNoFailure(CapturedOutput log) throws IOException {
    assertProblem(get("/test/cancelled"), 503, "\"type\":\"urn:quiver:problem:overloaded\"");
    assertThat(log).doesNotContain("ERROR");
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void logOfAFailureContainsTheRequestId(CapturedOutput log) throws IOException {
    String response = get("/test/failing");
    Matcher id = Pattern.compile("\r\nX-Request-Id: ([0-9a-f]{32})\r\n").matcher(response);
    assertThat(id.find()).isTrue();
    assertThat(response).contains("\"requestId\":\"" + id.group(1) + "\"");
    assertThat(log).contains("GET /test/failing failed as request " + id.group(1));
  }

  @Test
  void headReturnsTheStatusWithoutTheProblemDocument() throws IOException {
    assertThat(exchange("HEAD /nowhere HTTP/1.1"))
        .startsWith("HTTP/1.1 404 ")
        .contains("\r\nContent-Type: application/problem+json\r\n")
        .endsWith("\r\n\r\n");
  }

  @Test
  void escapesTextOfTheRequest() throws IOException {
    assertProblem(get("/test/control"), 404, "\\u0000\\u001B[2J\\\"<b>");
  }

  @ParameterizedTest
  @CsvSource({
    "GET / HTTP/1.1 extra, 400",
    "GET /a b HTTP/1.1, 400",
    "GET /%2e%2e%2f HTTP/1.1, 400",
    "GET /a%2Fb HTTP/1.1, 400",
    "GET /a%zz HTTP/1.1, 400",
    "GET /a\\b HTTP/1.1, 400",
    "G@T / HTTP/1.1, 400",
    "GET / HTTP/7.3, 505",
    "TRACE / HTTP/1.1, 405",
  })
  void requestLinesThatTomcatRejectsAreProblems(String requestLine, int status) throws IOException {
    assertProblem(exchange(requestLine), status);
  }

  @Test
  void headersThatTomcatRejectsAreProblems() throws IOException {
    assertProblem(RawHttp.exchange(port, "GET / HTTP/1.1\n\n"), 400);
    assertProblem(get("/", "Host: again"), 400);
    assertProblem(get("/", "no colon"), 400);
    assertProblem(get("/", "X: " + "a".repeat(20_000)), 400);
    assertProblem(get("/", "Transfer-Encoding: rot13"), 501);
  }

  @Test
  void limitsTheNumberAndSizeOfHeadersAndParameters() throws IOException {
    // Host and Connection are the other two.
    String[] headers = new String[98];
    Arrays.fill(headers, "X: y");
    assertThat(get("/health", headers)).startsWith("HTTP/1.1 200 ");
    headers[0] = "X: y\nX: z";
    assertDetail(
        get("/health", headers),
        "bad-request",
        "Expected an HTTP/1.1 request (RFC 9112) but found a malformed one at the request line or a"
            + " header");
    assertThat(get("/datasets?" + "utm_a&".repeat(1000), "Accept: text/html, */*;q=0.8"))
        .startsWith("HTTP/1.1 200 ");
    assertDetail(
        get("/datasets?" + "a=b&".repeat(1001)),
        "bad-request",
        "Expected at most 1000 parameters but found more at the query");
    assertThat(get("/datasets?utm_a=" + "b".repeat(8000), "Accept: text/html, */*;q=0.8"))
        .startsWith("HTTP/1.1 200 ");
    assertDetail(
        get("/datasets?after=" + "b".repeat(9000)),
        "bad-request",
        "Expected an HTTP/1.1 request (RFC 9112) but found a malformed one at the request line or a"
            + " header: Request header is too large");
    assertThat(get("/datasets?a=%zz" + "b".repeat(1000)))
        .contains("Expected percent-encoded UTF-8 but found \\\"a=%zz" + "b".repeat(95))
        .doesNotContain("b".repeat(96));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc",
        "+5",
        "-5",
        "5, 5",
        "0x5",
        "12345678901234567890",
        "",
        "5\nContent-Length: 6"
      })
  void rejectsAMalformedContentLength(String length) throws IOException {
    for (String method : List.of("PUT", "GET", "DELETE")) {
      String response =
          RawHttp.exchange(
              port,
              method
                  + " /datasets/x HTTP/1.1\nHost: localhost\nContent-Length: "
                  + length
                  + "\n\n");
      assertDetail(
          response,
          "bad-request",
          "Expected one number of bytes but found \\\"%s\\\" at header Content-Length"
              .formatted(length.replace("\nContent-Length: ", ", ")));
    }
  }

  private static void assertDetail(String response, String type, String detail) {
    assertThat(response)
        .contains("\"type\":\"urn:quiver:problem:" + type + "\"")
        .contains("\"detail\":\"" + detail + "\"");
  }

  @Test
  void explainsWhyTomcatRejectsARequest() throws IOException {
    assertDetail(
        get("/datasets?limit=%zz"),
        "bad-request",
        "Expected percent-encoded UTF-8 but found \\\"limit=%zz\\\" at" + " the query");
    assertDetail(
        exchange("G@T / HTTP/1.1"),
        "bad-request",
        "Expected an HTTP/1.1 request (RFC 9112) but found a malformed one at the request line or a"
            + " header: Invalid character found in method name [G@T ]. HTTP method names must be"
            + " tokens");
    assertDetail(
        get("/", "X: " + "a".repeat(20_000)),
        "bad-request",
        "Expected an HTTP/1.1 request (RFC 9112) but found a malformed one at the request line or a"
            + " header: Request header is too large");
    assertDetail(
        get("/", "Host: again"), "bad-request", "Expected one host but found 2 at header Host");
    assertDetail(
        RawHttp.exchange(port, "GET / HTTP/1.1\n\n"),
        "bad-request",
        "Expected one host but found none at header Host");
    assertDetail(
        get("/", "Transfer-Encoding: rot13"),
        "not-implemented",
        "Expected chunked but found \\\"rot13\\\" at header Transfer-Encoding");
    assertDetail(
        exchange("GET / HTTP/7.3"),
        "http-version",
        "Expected HTTP/1.1 but found HTTP/7.3 at the request line");
  }

  @Test
  void rejectsTraceWithTheAllowedMethods() throws IOException {
    assertProblem(
        exchange("TRACE / HTTP/1.1", "X-Secret: echo"),
        405,
        "\r\nAllow: GET, HEAD, OPTIONS\r\n",
        "\"detail\":\"Expected GET, HEAD, OPTIONS but found TRACE at the request line\"");
    assertProblem(
        exchange("TRACE /datasets/sample HTTP/1.1"),
        405,
        "\r\nAllow: DELETE, GET, HEAD, OPTIONS, POST, PUT\r\n");
    assertProblem(exchange("TRACE /health HTTP/1.1"), 405, "\r\nAllow: GET, HEAD, OPTIONS\r\n");
    assertProblem(exchange("TRACE /nowhere HTTP/1.1"), 404);
  }

  @Test
  void optionsReturnsTheAllowedMethods() throws IOException {
    assertThat(exchange("OPTIONS /datasets/sample HTTP/1.1"))
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nAllow: DELETE, GET, HEAD, OPTIONS, POST, PUT\r\n")
        .doesNotContain("Accept-Patch");
    assertProblem(exchange("OPTIONS /nowhere HTTP/1.1"), 404);
  }

  /// The service as a whole allows what any resource does.
  @Test
  void optionsOfTheServiceOmitsTrace() throws IOException {
    assertThat(exchange("OPTIONS * HTTP/1.1"))
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nAllow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\n");
    assertThat(exchange("GET * HTTP/1.1")).startsWith("HTTP/1.1 400 ").doesNotContain("Allow:");
  }

  @Test
  void optionsReturnsTheMediaTypesThatPostAccepts() throws IOException {
    String arrow =
        "\r\nAccept-Post: application/vnd.apache.arrow.stream, application/vnd.apache.arrow.file,"
            + " application/octet-stream";
    String data =
        arrow
            + ", text/csv, text/tab-separated-values, application/json, application/x-ndjson,"
            + " application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,"
            + " application/vnd.apache.parquet";
    String stored = data + ", application/sql";
    assertThat(exchange("OPTIONS /datasets HTTP/1.1"))
        .contains("\r\nAllow: GET, HEAD, OPTIONS, POST\r\n", stored + ", multipart/form-data\r\n");
    assertThat(exchange("OPTIONS /convert HTTP/1.1"))
        .contains("\r\nAllow: OPTIONS, POST\r\n", data + "\r\n");
    assertThat(exchange("OPTIONS /inspect HTTP/1.1"))
        .contains("\r\nAllow: GET, HEAD, OPTIONS, POST\r\n", data + "\r\n");
    assertThat(exchange("OPTIONS /datasets/sample HTTP/1.1"))
        .contains("\r\nAllow: DELETE, GET, HEAD, OPTIONS, POST, PUT\r\n", stored + "\r\n");
    assertThat(exchange("OPTIONS /datasets/sample/compact HTTP/1.1"))
        .contains("\r\nAllow: OPTIONS, POST\r\n")
        .doesNotContain("Accept-Post");
    assertThat(exchange("OPTIONS /datasets/sample@1 HTTP/1.1")).doesNotContain("Accept-Post");
  }

  @Test
  void readOnlyResourcesAllowOnlyReads() throws IOException {
    for (String path : new String[] {"sample@1", "sample@1.arrow", "sample@1.csv"}) {
      assertThat(exchange("OPTIONS /datasets/" + path + " HTTP/1.1"))
          .contains("\r\nAllow: GET, HEAD, OPTIONS\r\n");
      assertProblem(
          exchange("PATCH /datasets/" + path + " HTTP/1.1"),
          405,
          "\r\nAllow: GET, HEAD, OPTIONS\r\n",
          "\"detail\":\"Expected GET, HEAD, OPTIONS but found PATCH at the request line\"");
    }
  }

  @Test
  void rejectsAnUnknownExpectation() throws IOException {
    assertProblem(
        exchange("PUT /datasets/x HTTP/1.1", "Content-Length: 10", "Expect: 200-ok"),
        417,
        "\"detail\":\"Expected 100-continue but found \\\"200-ok\\\" at header Expect\"");
  }

  @Test
  void clientThatReadsOnlyAfterSendingALargeBodyGetsTheProblem() throws IOException {
    String mebibyte = "x".repeat(1 << 20);
    int mebibytes = 48;
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          "POST /nowhere HTTP/1.1\nHost: localhost\nContent-Length: "
              + ((long) mebibytes << 20)
              + "\n\n");
      for (int i = 0; i < mebibytes; i++) {
        connection.sendExactly(mebibyte);
      }
      assertProblem(connection.readToEnd(), 404);
    }
  }
}
