package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Large bodies go straight to the connection, and Tomcat serves the following requests as usual.
/// [DisconnectTest] covers other clients that disconnect.
@TestPropertySource(
    properties = {
      "quiver.limits.idle-seconds=3",
      "server.tomcat.accesslog.enabled=true",
      "server.tomcat.accesslog.buffered=false",
      "server.tomcat.accesslog.directory=${test.folder}/log",
      "server.tomcat.accesslog.pattern=%m %U %s %B",
      "server.tomcat.accesslog.max-days=-1"
    })
class TransferTest extends TransferContract {

  private static final String GET = "GET /datasets/transfer-file.arrow HTTP/1.1\nHost: localhost\n";
  private static final String GENERATED =
      "GET /datasets/transfer-file.arrow?codec=lz4 HTTP/1.1\nHost: localhost\n";
  private static final String LAST = "GET /health HTTP/1.1\nHost: localhost\nConnection: close\n\n";

  @Override
  boolean direct() {
    return true;
  }

  private String exchange(String requests) throws IOException {
    return RawHttp.exchange(port, requests);
  }

  private String text() throws IOException {
    return new String(file(), StandardCharsets.ISO_8859_1);
  }

  /// Returns everything after the first header section and a body of `byteSize` bytes.
  private static String after(String response, int byteSize) {
    return response.substring(response.indexOf("\r\n\r\n") + 4 + byteSize);
  }

  @Test
  void servesPipelinedRequestsInOrder() throws Exception {
    String file = text();
    String range = GET + "Range: bytes=100000-299999\n\n";
    String response = exchange(GET + "\n" + range + GET + "\n" + LAST);
    assertThat(response).startsWith("HTTP/1.1 200 ").contains("\r\n\r\n" + file + "HTTP/1.1 206 ");
    String second = after(response, file.length());
    assertThat(second).contains("\r\n\r\n" + file.substring(100_000, 300_000) + "HTTP/1.1 200 ");
    String third = after(second, 200_000);
    assertThat(after(third, file.length())).startsWith("HTTP/1.1 200 ").contains("\"UP\"");
  }

  @Test
  void servesTheNextRequestAfterChunks() throws Exception {
    String request = "GET /datasets/transfer-file.arrow?codec=zstd HTTP/1.1\nHost: localhost\n\n";
    String encoded =
        "GET /datasets/transfer-file.csv HTTP/1.1\nHost: localhost\nAccept-Encoding: zstd\n\n";
    String response = exchange(request + encoded + request + LAST);
    assertThat(response).startsWith("HTTP/1.1 200 ").contains("\r\nTransfer-Encoding: chunked\r\n");
    List<String> first = RawHttp.chunks(response);
    List<String> second = RawHttp.chunks(first.get(1));
    List<String> third = RawHttp.chunks(second.get(1));
    assertThat(first.get(0)).startsWith("ARROW1").endsWith("ARROW1").isEqualTo(third.get(0));
    assertThat(second.get(0)).startsWith("(\u00b5/\u00fd");
    assertThat(third.get(1)).startsWith("HTTP/1.1 200 ").contains("\"UP\"");
    assertThat(directBytes.next()).isEqualTo(first.get(0).length());
    assertThat(directBytes.next()).isEqualTo(second.get(0).length());
  }

  @Test
  void headSendsNoBody() throws Exception {
    String head = GET.replace("GET", "HEAD");
    String response = exchange(head + "\n" + head + "Range: bytes=0-99999\n\n" + LAST);
    assertThat(response)
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nContent-Length: " + file().length);
    assertThat(after(response, 0)).startsWith("HTTP/1.1 200 ");
    assertThat(after(after(response, 0), 0)).startsWith("HTTP/1.1 200 ").contains("\"UP\"");
    String heads = response.substring(0, response.indexOf("HTTP/1.1 200 ", 1));
    assertThat(heads).doesNotContain("X-Connection");
    assertThat(exchange(GET + "Connection: close\n\n")).contains("\r\nX-Connection: ");
  }

  @ParameterizedTest
  @CsvSource({"If-None-Match: *, 304", "If-Match: \"other\", 412", "Range: bytes=999999999-, 416"})
  void notModifiedAndProblemsSendNothingOfTheFile(String header, int status) throws Exception {
    String response = exchange(GET + header + "\n\n" + LAST);
    assertThat(response).startsWith("HTTP/1.1 " + status + " ");
    assertThat(response).contains("\"UP\"").hasSizeLessThan(4000);
  }

  @ParameterizedTest
  @CsvSource({"1.1, close", "1.0, close", "1.0, ''"})
  void closesTheConnectionAfterTheLastByte(String version, String connection) throws Exception {
    String request =
        "GET /datasets/transfer-file.arrow HTTP/%s\nHost: localhost\n%s\n"
            .formatted(version, connection.isEmpty() ? "" : "Connection: " + connection + "\n");
    String response = exchange(request + LAST);
    assertThat(response).startsWith("HTTP/1.1 200 ");
    assertThat(after(response, 0).replace("[reset]", "")).isEqualTo(text());
  }

  @Test
  void http10ClientMayKeepItsConnection() throws Exception {
    String request =
        "GET /datasets/transfer-file.arrow HTTP/1.0\nHost: localhost\nConnection: keep-alive\n\n";
    assertThat(after(exchange(request + LAST), file().length)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void getIgnoresAnExpectationAndARequestBody() throws Exception {
    String response = exchange(GET + "Expect: 100-continue\nContent-Length: 4\n\nbody" + LAST);
    // Tomcat assumes that the client does not send a body that was never requested.
    assertThat(after(response, 0).replace("[reset]", "")).startsWith(text());
    assertThat(response).startsWith("HTTP/1.1 200 ");
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {GET, GENERATED})
  @ExtendWith(OutputCaptureExtension.class)
  void disconnectsAClientThatReadsNothing(String request, CapturedOutput log) throws Exception {
    int byteSize = bodyByteSize(request);
    try (RawHttp connection = new RawHttp(port)) {
      connection.send((request + "\n").repeat(20));
      long sum = 0;
      long last;
      do {
        last = directBytes.next();
        sum += last;
      } while (last == byteSize);
      assertThat(connection.readToEnd().length()).isLessThan((int) (sum + 20 * 2000));
    }
    assertThat(log).doesNotContain("ERROR", "Exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {GET, GENERATED})
  @ExtendWith(OutputCaptureExtension.class)
  void doesNotLogAClientThatDisconnects(String request, CapturedOutput log) throws Exception {
    int byteSize = bodyByteSize(request);
    try (RawHttp connection = new RawHttp(port)) {
      connection.send((request + "\n").repeat(20));
      connection.readUntil("ARROW1");
      connection.reset();
    }
    while (directBytes.next() == byteSize) {
      // The buffers of the connection hold the whole body.
    }
    assertThat(log).doesNotContain("ERROR", "Exception");
  }

  private int bodyByteSize(String request) throws Exception {
    int byteSize = get(request.split(" ")[1]).body().length;
    assertThat(directBytes.next()).isEqualTo(byteSize);
    return byteSize;
  }

  /// Some readers accept a stream that is truncated between messages.
  @Test
  void truncationMidwayFallsWithinAMessageBody() throws Exception {
    int[] rows = new int[24];
    Arrays.fill(rows, ROWS);
    put("/datasets/transfer-truncated?batches=keep", Streams.numbers(0, rows));
    JsonNode batches = json("/datasets/transfer-truncated/batches").get("batches");
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          "GET /datasets/transfer-truncated.arrows HTTP/1.1\nHost: localhost\n\n" + LAST);
      connection.readUntil("\r\n\r\n");
      try (FileChannel channel =
          FileChannel.open(blob("transfer-truncated"), StandardOpenOption.WRITE)) {
        channel.truncate(batches.get(20).get("offset").intValue());
      }
      int position = connection.readToEnd().replace("[reset]", "").length() + 8;
      JsonNode batch = batches.get(0);
      for (JsonNode next : batches) {
        batch = next.get("offset").intValue() <= position ? next : batch;
      }
      int body = position - batch.get("offset").intValue() - batch.get("metaDataLength").intValue();
      assertThat(batch.get("index").intValue()).isBetween(1, 19);
      assertThat(body).isBetween(0, batch.get("bodyLength").intValue() - 1);
    }
  }

  @Test
  void accessLogContainsTheBytesSent() throws Exception {
    get("/datasets/transfer-file.arrow");
    get("/datasets/transfer-file.arrow", "Range", "bytes=1-100000");
    head("/datasets/transfer-file.arrow");
    int recompressed = get("/datasets/transfer-file.arrows?codec=lz4").body().length;
    String path = "/datasets/transfer-file.arrow";
    List<String> expected =
        List.of(
            "GET " + path + " 200 " + file().length,
            "GET " + path + " 206 100000",
            "HEAD " + path + " 200 0",
            "GET " + path + "s 200 " + recompressed);
    eventually(() -> assertThat(accessLog()).containsAll(expected));
  }

  private static List<String> accessLog() throws IOException {
    List<String> lines = new ArrayList<>();
    // Tomcat writes a file per day.
    try (Stream<Path> files = Files.list(FOLDER.resolve("log"))) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }
}
