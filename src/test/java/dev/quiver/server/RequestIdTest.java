package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The ids of requests, in responses, problems and jobs. `LogsTest` covers those in logs.
class RequestIdTest extends RunningService {

  private static final Pattern GENERATED = Pattern.compile("\r\nX-Request-Id: ([0-9a-f]{32})\r\n");

  private String exchange(String requestLine, String... headers) throws IOException {
    return RawHttp.exchange(
        port,
        requestLine
            + "\nHost: localhost\n"
            + String.join("", List.of(headers).stream().map(line -> line + "\n").toList())
            + "Connection: close\n\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/health",
        "/metrics",
        "/datasets",
        "/datasets/sample.arrow",
        "/docs",
        "/nowhere"
      })
  void everyResponseHasOne(String path) throws Exception {
    assertThat(header(get(path, "X-Request-Id", "a.B_c:d/e+f=g@h-1"), "X-Request-Id"))
        .isEqualTo("a.B_c:d/e+f=g@h-1");
    assertThat(header(head(path), "X-Request-Id")).matches("[0-9a-f]{32}");
  }

  @Test
  void generatedOnesDiffer() throws Exception {
    assertThat(header(get("/health"), "X-Request-Id"))
        .isNotEqualTo(header(get("/health"), "X-Request-Id"));
  }

  @Test
  void keepsAtMost128Characters() throws Exception {
    String longest = "x".repeat(128);
    assertThat(header(get("/health", "X-Request-Id", longest), "X-Request-Id")).isEqualTo(longest);
    assertThat(header(get("/health", "X-Request-Id", longest + "x"), "X-Request-Id"))
        .matches("[0-9a-f]{32}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"X-Request-Id:", "X-Request-Id: a b", "X-Request-Id: \"a\"", "X-Request-Id: <a>"})
  void replacesAMalformedOne(String line) throws IOException {
    assertThat(exchange("GET /health HTTP/1.1", line)).containsPattern(GENERATED);
  }

  @Test
  void replacesARepeatedOne() throws IOException {
    assertThat(exchange("GET /health HTTP/1.1", "X-Request-Id: a", "X-Request-Id: b"))
        .containsPattern(GENERATED);
  }

  /// Controllers, filters, and Tomcat before and after them.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /datasets/absent HTTP/1.1",
        "GET /datasets?limit=%zz HTTP/1.1",
        "TRACE / HTTP/1.1",
        "PUT /datasets/x.unknown?expires=now HTTP/1.1",
        "GET /a b HTTP/1.1",
        "G@T / HTTP/1.1",
        "GET / HTTP/7.3"
      })
  void everyProblemHasTheIdOfItsResponse(String requestLine) throws IOException {
    String response = exchange(requestLine);
    assertThat(response).contains("\r\nContent-Type: application/problem+json\r\n");
    Matcher id = GENERATED.matcher(response);
    assertThat(id.find()).as(response).isTrue();
    assertThat(response).endsWith(",\"requestId\":\"" + id.group(1) + "\"}\n");
  }

  @Test
  void jobHasTheIdOfItsUpload() throws Exception {
    HttpResponse<byte[]> accepted =
        put(
            "/datasets/remembered",
            new byte[100],
            "Prefer",
            "respond-async",
            "X-Request-Id",
            "upload-1");
    assertThat(json(accepted).get("requestId").asString()).isEqualTo("upload-1");
    String job = header(accepted, "Location");
    eventually(() ->
        assertThat(json(job).path("problem").path("requestId").asString("")).isEqualTo("upload-1"));
    assertThat(json(job).get("requestId").asString()).isEqualTo("upload-1");
  }
}
