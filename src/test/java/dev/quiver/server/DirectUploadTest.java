package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// Large uploads, which are read directly from the connection. [IncomingBodyTest] tests the same
/// below Spring.
@TestPropertySource(properties = "quiver.limits.idle-seconds=3")
class DirectUploadTest extends RunningService {

  private static final int ROWS = 300_000;
  private static final String LAST_REQUEST =
      "GET /health HTTP/1.1\nHost: localhost\nConnection: close\n\n";

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String stream() throws IOException {
    return text(Streams.numbers(0, ROWS, 5, ROWS, ROWS));
  }

  private static String head(String name, String framing) {
    return "PUT /datasets/%s?batches=keep HTTP/1.1\nHost: localhost\n%s\n\n"
        .formatted(name, framing)
        .replace("\n", "\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {".arrow", ".arrows"})
  void servesPipelinedUploadsAndTheNextRequest(String format) throws Exception {
    put("/datasets/receive?batches=keep", Streams.numbers(0, ROWS, 5, ROWS, ROWS));
    byte[] body = get("/datasets/receive" + format).body();
    try (RawHttp connection = new RawHttp(port)) {
      String put = head("received", "Content-Length: " + body.length) + text(body);
      Thread sender = Thread.ofPlatform().start(() -> send(connection, put + put));
      assertThat(connection.readUntil("}\n")).startsWith("HTTP/1.1 20");
      assertThat(connection.readUntil("}\n")).startsWith("HTTP/1.1 200 ");
      sender.join();
      connection.send(LAST_REQUEST);
      assertThat(connection.readToEnd()).startsWith("HTTP/1.1 200 ").contains("\"UP\"");
    }
    assertThat(get("/datasets/received" + format).body()).isEqualTo(body);
  }

  private static void send(RawHttp connection, String bytes) {
    try {
      connection.sendExactly(bytes);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Tag("long")
  @Test
  void timesOutAStalledUpload() throws Exception {
    String stream = stream();
    try (RawHttp connection = new RawHttp(port)) {
      connection.sendExactly(
          head("stopped", "Content-Length: " + stream.length()) + stream.substring(0, 2_000_000));
      assertThat(connection.readToEnd())
          .startsWith("HTTP/1.1 408 ")
          .contains("\r\nConnection: close\r\n")
          .contains(
              "\"detail\":\"Expected more of the body but found none before the timeout at byte offset"
                  + " 2000000\"");
    }
    assertThat(get("/datasets/stopped").statusCode()).isEqualTo(404);
  }

  @Test
  void rejectsATruncatedUpload() throws Exception {
    String stream = stream();
    try (RawHttp connection = new RawHttp(port)) {
      connection.sendExactly(
          head("truncated", "Content-Length: " + stream.length()) + stream.substring(0, 2_000_000));
      connection.finishSending();
      assertThat(connection.readToEnd())
          .startsWith("HTTP/1.1 400 ")
          .contains("\r\nConnection: close\r\n")
          .contains(
              "\"detail\":\"Expected the rest of the declared body but found its end or an invalid"
                  + " chunk at byte offset 2000000\"");
    }
    assertThat(get("/datasets/truncated").statusCode()).isEqualTo(404);
  }

  @Tag("long")
  @Test
  void servesNoRequestAfterAMalformedUpload() throws Exception {
    String stream = stream();
    // The service rejects the metadata of the third batch before the rest of the body arrives.
    int metadata = 1_300_000 + stream.substring(1_300_000).indexOf("\u00ff\u00ff\u00ff\u00ff");
    String broken = stream.substring(0, metadata + 8) + "\u0001".repeat(64);
    String put = head("broken", "Content-Length: " + stream.length());
    try (RawHttp connection = new RawHttp(port)) {
      connection.sendExactly(put + broken);
      connection.send(LAST_REQUEST);
      String response = connection.readUntil("}\n");
      assertThat(response).startsWith("HTTP/1.1 400 ").contains("\r\nConnection: close\r\n");
      connection.finishSending();
      assertThat(connection.readToEnd()).doesNotContain("UP");
    }
    assertThat(get("/datasets/broken").statusCode()).isEqualTo(404);
  }
}
