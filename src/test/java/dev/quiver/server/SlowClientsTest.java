package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.server.transfer.ResponseAdmission;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/// Each slow client occupies a thread while others are served. Responses that are generated for
/// slow clients, and their uploads, are limited.
@Import(SlowClientsTest.ShortPatience.class)
class SlowClientsTest extends RunningService {

  /// Shortens the wait for a permit.
  static class ShortPatience {

    @Bean
    @Primary
    ResponseAdmission shortPatience(InFlightBytes inFlight) {
      Limit limit = new Limit("quiver.limits.generated-responses", 3);
      return new ResponseAdmission(limit, Duration.ofMillis(100), inFlight);
    }
  }

  /// More than Tomcat's default number of threads.
  private static final int CLIENT_COUNT = 250;

  /// The rows of a batch. Four batches exceed the buffers of a connection.
  private static final int BATCH_ROWS = 1 << 20;

  private final List<RawHttp> slow = new ArrayList<>();

  @AfterEach
  void resetSlowConnections() throws Exception {
    for (RawHttp connection : slow) {
      connection.reset();
    }
  }

  @Test
  void servesOthersDespiteManySlowClients() throws Exception {
    put("/datasets/slow", numbers());
    startReading(Collections.nCopies(CLIENT_COUNT, "/datasets/slow.arrow").toArray(String[]::new));
    assertThat(get("/health").statusCode()).isEqualTo(200);
  }

  @Test
  void limitsResponsesGeneratedForSlowClients() throws Exception {
    put("/datasets/slow?codec=lz4", numbers());
    startReading(
        "/datasets/slow.arrow?codec=none", "/datasets/slow.arrow?offset=1", "/datasets/slow.jsonl");
    HttpResponse<byte[]> rejected = get("/datasets/slow.csv");
    assertThat(rejected.statusCode()).isEqualTo(503);
    assertThat(header(rejected, "Retry-After")).isEqualTo("5");
    assertThat(json(rejected).get("type").asString()).isEqualTo("urn:quiver:problem:overloaded");
    assertServed("/datasets/sample.csv");
    assertServed("/datasets/slow.arrow?limit=10");
    assertThat(head("/datasets/slow.csv").statusCode()).isEqualTo(503);
    assertThat(head("/datasets/slow.csv", "Accept-Encoding", "gzip").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/slow/batches/0").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/slow/schema", "Accept-Encoding", "gzip").statusCode()).isEqualTo(200);
    slow.removeLast().reset();
    // The service notices the reset at the next write.
    assertServed("/datasets/slow.csv?limit=100000");
  }

  @Test
  void limitsSlowUploadsSeparately() throws Exception {
    String head = " HTTP/1.1\nHost: localhost\nContent-Type: application/vnd.apache.arrow.stream\n";
    for (String path : List.of("/convert", "/inspect", "/convert")) {
      RawHttp connection = new RawHttp(port);
      slow.add(connection);
      connection.send("POST " + path + head + "Expect: 100-continue\nContent-Length: 1000\n\n");
      assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100");
    }
    assertThat(post("/convert", Streams.numbers(0, 1)).statusCode()).isEqualTo(503);
    assertThat(post("/inspect", Streams.numbers(0, 1)).statusCode()).isEqualTo(503);
    put("/datasets/meanwhile?codec=lz4", Streams.numbers(0, BATCH_ROWS));
    assertServed("/datasets/meanwhile.csv");
  }

  private static byte[] numbers() throws IOException {
    return Streams.numbers(0, BATCH_ROWS, BATCH_ROWS, BATCH_ROWS, BATCH_ROWS);
  }

  /// Waits, since a response may hold its permit until after its client has received it or left.
  private void assertServed(String path) {
    eventually(() -> assertThat(get(path).statusCode()).isEqualTo(200));
  }

  private void startReading(String... paths) {
    for (String path : paths) {
      eventually(() -> {
        RawHttp connection = new RawHttp(port);
        slow.add(connection);
        connection.send("GET " + path + " HTTP/1.1\nHost: localhost\n\n");
        assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      });
    }
  }
}
