package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import dev.quiver.arrow.ipc.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bodies whose rest is neither needed nor read, after which connections go on or end properly.
class EarlyEndTest extends RunningService {

  /// More than the rest that is received so that a connection stays open.
  private static final int LONG_REST = 3 << 20;

  private static byte[] body(String type) throws IOException {
    return switch (type) {
      case "application/vnd.apache.arrow.stream" -> withoutEnd(Streams.numbers(0, 3, 4));
      case "text/csv" -> bytes("number\n" + "0\n1\n2\n".repeat(300_000));
      default -> bytes("{\"number\":0}\n{\"number\":1}\n{\"number\":2}\n".repeat(20_000));
    };
  }

  private static byte[] withoutEnd(byte[] stream) {
    return Arrays.copyOf(stream, stream.length - 8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Returns coded bytes of which all can be decoded, though they do not end.
  private static byte[] coded(String coding, byte[] content) throws IOException {
    if (coding.equals("identity")) {
      return content;
    }
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    OutputStream encoder =
        coding.equals("gzip")
            ? new GZIPOutputStream(coded, 512, /* syncFlush= */ true)
            : new ZstdOutputStream(coded);
    encoder.write(content);
    encoder.flush();
    return coded.toByteArray();
  }

  private static String chunk(byte[] bytes) {
    return Integer.toHexString(bytes.length)
        + "\r\n"
        + new String(bytes, StandardCharsets.ISO_8859_1)
        + "\r\n";
  }

  private static String head(String path, String headers) {
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
  }

  /// The rest of the body never arrives, so a service that waits for it would never respond.
  @ParameterizedTest
  @CsvSource({
    "identity, application/vnd.apache.arrow.stream",
    "gzip, application/vnd.apache.arrow.stream",
    "zstd, application/vnd.apache.arrow.stream",
    "identity, text/csv",
    "gzip, text/csv",
    "zstd, text/csv",
    "identity, application/x-ndjson",
    "gzip, application/x-ndjson",
    "zstd, application/x-ndjson",
  })
  void respondsOnceItHasItsRows(String coding, String type) throws Exception {
    byte[] arrived = coded(coding, body(type));
    for (String length :
        new String[] {"Transfer-Encoding: chunked\r\n", "Content-Length: 900000000\r\n"}) {
      try (RawHttp connection = new RawHttp(port)) {
        connection.sendExactly(
            head(
                "/convert?limit=2&offset=1",
                length
                    + "Content-Encoding: %s\r\nContent-Type: %s\r\nAccept: text/csv\r\n"
                        .formatted(coding, type)));
        boolean isChunked = length.startsWith("Transfer");
        connection.sendExactly(
            isChunked ? chunk(arrived) : new String(arrived, StandardCharsets.ISO_8859_1));
        String response = connection.readUntil("number\r\n1\r\n2\r\n");
        assertThat(response)
            .startsWith("HTTP/1.1 200 ")
            .contains("\r\nConnection: close\r\n", "\r\nArrow-Row-Count: 2\r\n")
            .endsWith("number\r\n1\r\n2\r\n");
        // The rest is discarded as long as the client sends it, whatever it is.
        connection.sendExactly(isChunked ? chunk(new byte[LONG_REST]) : "\0".repeat(LONG_REST));
        connection.finishSending();
        assertThat(connection.readToEnd()).isIn("", "\r\n", "0\r\n\r\n", "\r\n0\r\n\r\n");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/vnd.apache.arrow.stream", "text/csv", "application/x-ndjson"})
  void theRestMayBeInvalid(String type) throws Exception {
    byte[] body =
        new Bytes()
            .bytes(body(type))
            .bytes(bytes("\n\"wrong\" {\n".repeat(LONG_REST / 12)))
            .toByteArray();
    for (String query : new String[] {"limit=1", "offset=2&limit=1", "limit=0"}) {
      HttpResponse<byte[]> response =
          post("/convert?" + query, body, "Content-Type", type, "Accept", "text/csv");
      assertThat(response.statusCode()).as(query + text(response)).isEqualTo(200);
      assertThat(text(response).lines().count()).isEqualTo(query.equals("limit=0") ? 1 : 2);
    }
    // These need all rows, if only to count them.
    for (String query :
        new String[] {"", "limit=99999999999", "limit=1&offset=-1", "limit=1&sample=1"}) {
      assertThat(post("/convert?" + query, body, "Content-Type", type).statusCode())
          .as(query)
          .isBetween(400, 499);
    }
  }

  @Test
  void aConnectionGoesOnAfterAShortRest() throws Exception {
    byte[] stream = Streams.numbers(0, 3, 4);
    byte[] body = new Bytes().bytes(stream).bytes(new byte[1000]).toByteArray();
    try (RawHttp connection = new RawHttp(port)) {
      for (String path : new String[] {"/convert?limit=1", "/inspect"}) {
        connection.sendExactly(
            head(path, "Accept: */*\r\nContent-Length: %d\r\n".formatted(body.length))
                + new String(body, StandardCharsets.ISO_8859_1));
        assertThat(connection.readUntil("\r\n\r\n"))
            .startsWith("HTTP/1.1 200 ")
            .doesNotContain("Connection: close");
        // The rest of the body comes first.
        connection.sendExactly("HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(connection.readUntil("HTTP/1.1 200 ")).endsWith("HTTP/1.1 200 ");
        connection.readUntil("\r\n\r\n");
      }
    }
  }

  @Test
  void comparesTheDigestOfTheWholeBody() throws Exception {
    byte[] body = new Bytes().bytes(body("text/csv")).bytes(new byte[LONG_REST]).toByteArray();
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    String right = "sha-256=:" + Base64.getEncoder().encodeToString(digest.digest(body)) + ":";
    digest.update((byte) 0);
    String wrong = "sha-256=:" + Base64.getEncoder().encodeToString(digest.digest(body)) + ":";
    for (String header : new String[] {"Content-Digest", "Repr-Digest"}) {
      assertThat(
              text(
                  post(
                      "/convert?limit=1",
                      body,
                      "Content-Type",
                      "text/csv",
                      "Accept",
                      "text/csv",
                      header,
                      right)))
          .isEqualTo("number\r\n0\r\n");
      HttpResponse<byte[]> response =
          post("/convert?limit=1", body, "Content-Type", "text/csv", header, wrong);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("type").asString())
          .isEqualTo("urn:quiver:problem:digest-mismatch");
    }
  }

  /// Behind a message whose end is unknown, nothing can be reported.
  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip", "zstd"})
  void inspectionEndsWhereNoMessageCanBeFound(String coding) throws Exception {
    byte[] stream = withoutEnd(Streams.numbers(0, 3));
    byte[] arrived = new Bytes().bytes(stream).int32(-2).bytes(new byte[LONG_REST]).toByteArray();
    try (RawHttp connection = new RawHttp(port)) {
      connection.sendExactly(
          head("/inspect", "Transfer-Encoding: chunked\r\nContent-Encoding: " + coding + "\r\n"));
      connection.sendExactly(chunk(coded(coding, arrived)));
      assertThat(connection.readUntil("\n]}\n"))
          .startsWith("HTTP/1.1 200 ")
          .contains(
              "\r\nConnection: close\r\n",
              "\"acceptable\":false",
              "but found bytes FEFFFFFF",
              "\"bytesAfter\":1048576,\"complete\":false}");
      connection.sendExactly(chunk(new byte[LONG_REST]));
      connection.finishSending();
      assertThat(connection.readToEnd()).isEmpty();
    }
  }
}
