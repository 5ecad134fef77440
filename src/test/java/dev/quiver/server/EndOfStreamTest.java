package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Streams that end between two messages, without the end-of-stream marker. They are accepted only
/// if their end is known otherwise.
class EndOfStreamTest extends RunningService {

  private static final int MARKER_BYTE_SIZE = 8;

  private final byte[] stream;
  private final byte[] withoutMarker;
  private final String warning;

  EndOfStreamTest() throws IOException {
    stream = Streams.numbers(0, 3, 4);
    withoutMarker = Arrays.copyOf(stream, stream.length - MARKER_BYTE_SIZE);
    warning =
        "Expected the end-of-stream marker but found the end of the body at byte offset "
            + withoutMarker.length;
  }

  /// Sends a body in two chunks and returns the response.
  private String chunked(String target, byte[] body, String... headers) throws Exception {
    int half = body.length / 2;
    return exchange(
        target,
        "Transfer-Encoding: chunked\r\n" + lines(headers),
        chunk(Arrays.copyOf(body, half))
            + chunk(Arrays.copyOfRange(body, half, body.length))
            + "0\r\n\r\n");
  }

  /// Sends a body with its length and returns the response.
  private String sized(String target, byte[] body, String... headers) throws Exception {
    return exchange(
        target, "Content-Length: %d\r\n".formatted(body.length) + lines(headers), text(body));
  }

  private String exchange(String target, String headers, String body) throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.sendExactly(
          "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n%s"
              .formatted(target, headers, body));
      return connection.readToEnd();
    }
  }

  private static String chunk(byte[] bytes) {
    return Integer.toHexString(bytes.length) + "\r\n" + text(bytes) + "\r\n";
  }

  private static String lines(String... headers) {
    return Arrays.stream(headers).map(header -> header + "\r\n").reduce("", String::concat);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] gzip(byte[] bytes) throws Exception {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(bytes);
    }
    return coded.toByteArray();
  }

  private static byte[] form(byte[] data) {
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    form.writeBytes(
        "--b\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
    form.writeBytes(data);
    form.writeBytes("\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII));
    return form.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "POST"})
  void rejectsAChunkedStreamWithoutItsMarker(String method) throws Exception {
    String rejected = chunked(method + " /datasets/marker-failed-" + method, withoutMarker);
    assertThat(rejected).startsWith("HTTP/1.1 400 ").contains("application/problem+json");
    JsonNode problem = JSON.readTree(rejected.substring(rejected.indexOf('{')));
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:end-of-stream");
    assertThat(problem.get("batchCount").intValue()).isEqualTo(2);
    assertThat(problem.get("byteOffset").intValue()).isEqualTo(withoutMarker.length);
    assertThat(problem.get("detail").asString())
        .isEqualTo(
            "Expected the end-of-stream marker but found the end of the body after 2 record"
                + " batches at byte offset %d; ?truncated=accept stores them",
            withoutMarker.length);
    assertThat(get("/datasets/marker-failed-" + method).statusCode()).isEqualTo(404);
  }

  @Test
  void rejectsAChunkedStreamWithoutItsMarkerWhereTheServiceNamesTheDataset() throws Exception {
    assertThat(chunked("POST /datasets", withoutMarker)).startsWith("HTTP/1.1 400 ");
  }

  @Test
  void keepsTheVersionToWhichAnAppendFailed() throws Exception {
    put("/datasets/marker-appended", stream);
    assertThat(chunked("POST /datasets/marker-appended", withoutMarker))
        .startsWith("HTTP/1.1 400 ");
    assertThat(json(get("/datasets/marker-appended/batches")).get("rows").intValue()).isEqualTo(7);
  }

  @Test
  void acceptsAChunkedStreamWithItsMarker() throws Exception {
    assertThat(chunked("PUT /datasets/marker-complete", stream))
        .startsWith("HTTP/1.1 201 ")
        .doesNotContain(warning);
  }

  @Test
  void acceptsALossThatTheRequestAccepts() throws Exception {
    assertThat(chunked("PUT /datasets/marker-accepted?truncated=accept", withoutMarker))
        .startsWith("HTTP/1.1 201 ")
        .contains(warning);
    assertThat(get("/datasets/marker-accepted.arrows").body())
        .isEqualTo(get("/datasets/marker-accepted").body());
    assertThat(json(get("/datasets/marker-accepted/batches")).get("rows").intValue()).isEqualTo(7);
  }

  @Test
  void acceptsAStreamOfDeclaredLength() throws Exception {
    assertThat(sized("PUT /datasets/marker-sized", withoutMarker))
        .startsWith("HTTP/1.1 201 ")
        .contains(warning);
  }

  @Test
  void countsTheDeclaredLengthBeforeTheContentCoding() throws Exception {
    byte[] coded = gzip(withoutMarker);
    assertThat(sized("PUT /datasets/marker-coded", coded, "Content-Encoding: gzip"))
        .startsWith("HTTP/1.1 201 ")
        .contains(warning);
    assertThat(chunked("PUT /datasets/marker-chunked-coded", coded, "Content-Encoding: gzip"))
        .startsWith("HTTP/1.1 400 ")
        .contains("urn:quiver:problem:end-of-stream");
  }

  @Test
  void acceptsAStreamInAForm() throws Exception {
    assertThat(
            chunked(
                "POST /datasets",
                form(withoutMarker),
                "Content-Type: multipart/form-data; boundary=b"))
        .startsWith("HTTP/1.1 201 ")
        .contains(warning);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/inspect", "/convert"})
  void acceptsAStreamThatIsNotStored(String path) throws Exception {
    assertThat(chunked("POST " + path, withoutMarker)).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @CsvSource({"keep", "true", "''"})
  void rejectsOtherValuesOfTheParameter(String value) throws Exception {
    assertThat(chunked("PUT /datasets/marker-other?truncated=" + value, stream))
        .startsWith("HTTP/1.1 400 ")
        .contains("Expected accept but found \\\"" + value + "\\\" at parameter truncated");
  }
}
