package dev.quiver.web;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.input.Limit;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.web.response.ResponseAdmission;
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

/// Clients that take their time have a thread each, and others are answered meanwhile; what takes
/// more than a thread only so many have at once.
@Import(SlowClientsTest.Impatience.class)
class SlowClientsTest extends RunningService {

  /// So that nobody has to wait for what takes too long.
  static class Impatience {

    @Bean
    @Primary
    ResponseAdmission impatient(InFlightBytes inFlight) {
      Limit limit = new Limit("quiver.limits.generated-responses", 3);
      return new ResponseAdmission(limit, Duration.ofMillis(100), inFlight);
    }
  }

  /// More than Tomcat has threads when nobody says how many.
  private static final int COUNT = 250;

  /// Of a batch; four of them are more than the buffers of a connection take.
  private static final int ROWS = 1 << 20;

  private final List<RawHttp> slow = new ArrayList<>();

  @AfterEach
  void reset() throws Exception {
    for (RawHttp connection : slow) {
      connection.reset();
    }
  }

  @Test
  void manyOfThemDoNotKeepOthersWaiting() throws Exception {
    put("/datasets/slow", numbers());
    begin(Collections.nCopies(COUNT, "/datasets/slow.arrow").toArray(String[]::new));
    assertThat(get("/health").statusCode()).isEqualTo(200);
  }

  @Test
  void whatIsMadeForThemHasABound() throws Exception {
    put("/datasets/slow?codec=lz4", numbers());
    begin(
        "/datasets/slow.arrow?codec=none", "/datasets/slow.arrow?offset=1", "/datasets/slow.jsonl");
    HttpResponse<byte[]> refused = get("/datasets/slow.csv");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(header(refused, "Retry-After")).isEqualTo("5");
    assertThat(json(refused).get("type").asString()).isEqualTo("urn:quiver:problem:overloaded");
    assertAnswered("/datasets/sample.csv");
    assertAnswered("/datasets/slow.arrow?limit=10");
    assertThat(head("/datasets/slow.csv").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/slow/batches/0").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/slow/schema", "Accept-Encoding", "gzip").statusCode()).isEqualTo(200);
    slow.removeLast().reset();
    // It is noticed when it does not take what is made for it next.
    assertAnswered("/datasets/slow.csv?limit=100000");
  }

  @Test
  void bodiesThatComeSlowlyHaveABoundOfTheirOwn() throws Exception {
    String head = " HTTP/1.1\nHost: localhost\nContent-Type: application/vnd.apache.arrow.stream\n";
    for (String path : List.of("/convert", "/inspect", "/convert")) {
      RawHttp connection = new RawHttp(port);
      slow.add(connection);
      connection.send("POST " + path + head + "Expect: 100-continue\nContent-Length: 1000\n\n");
      assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100");
    }
    assertThat(post("/convert", Streams.numbers(0, 1)).statusCode()).isEqualTo(503);
    assertThat(post("/inspect", Streams.numbers(0, 1)).statusCode()).isEqualTo(503);
    put("/datasets/meanwhile?codec=lz4", Streams.numbers(0, ROWS));
    assertAnswered("/datasets/meanwhile.csv");
  }

  private static byte[] numbers() throws IOException {
    return Streams.numbers(0, ROWS, ROWS, ROWS, ROWS);
  }

  /// A response before may still have its turn after its client has all of it, or is gone.
  private void assertAnswered(String path) {
    eventually(() -> assertThat(get(path).statusCode()).isEqualTo(200));
  }

  private void begin(String... paths) {
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
