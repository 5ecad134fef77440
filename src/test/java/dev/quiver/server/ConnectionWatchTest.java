package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// A client that sends a byte now and then loses its connection in every phase of a request. Each
/// client drips until the service has closed its connection.
@TestPropertySource(properties = {"quiver.limits.idle-seconds=1", "quiver.limits.head-seconds=1"})
class ConnectionWatchTest extends RunningService {

  private static final String UPLOAD =
      "HTTP/1.1\nHost: localhost\nContent-Type: application/vnd.apache.arrow.stream\n";

  private static final String CHUNKED = UPLOAD + "Transfer-Encoding: chunked\n\n";

  /// Without a limit on the number of bytes, each of these would hold its connection for hours.
  @Tag("long")
  @Test
  void closesConnectionsThatDripInAnyPhase() throws Exception {
    List<String> starts =
        List.of(
            "GET /datasets HTTP/1.1\nHost: localhost\nX: ",
            "GET /datasets HTTP/1.1\nHost: localhost\n\nGET /datasets HTTP/1.1\nX: ",
            "PUT /datasets/foreign HTTP/1.1\nHost: example.org\nContent-Length: 30000000\n\n",
            "DELETE /datasets/missing HTTP/1.1\nHost: localhost\nContent-Length: 30000000\n\n",
            "GET /datasets HTTP/1.1\nHost: localhost\nContent-Length: 30000000\n\n");
    List<String> responses = drip(starts, "x");
    assertThat(responses.get(0)).doesNotContain("HTTP/1.1");
    assertThat(responses.get(1)).startsWith("HTTP/1.1 200 ");
    assertThat(responses.get(2)).startsWith("HTTP/1.1 421 ");
    assertThat(responses.get(3)).startsWith("HTTP/1.1 404 ");
    assertThat(responses.get(4)).startsWith("HTTP/1.1 200 ");
  }

  /// Empty lines may precede a request: RFC 9112 §2.2.
  @Tag("long")
  @Test
  void closesConnectionsThatDripEmptyLines() throws Exception {
    String request = "GET /datasets HTTP/1.1\nHost: localhost\n\n";
    List<String> responses = drip(List.of("\n", request), "\n");
    assertThat(responses.get(0)).doesNotContain("HTTP/1.1");
    assertThat(responses.get(1)).startsWith("HTTP/1.1 200 ");
  }

  @Tag("long")
  @Test
  void endsUploadsThatDripInChunkExtensionsAndTrailers() throws Exception {
    List<String> starts =
        List.of(
            "PUT /datasets/slow " + CHUNKED + "1;x=",
            "POST /inspect " + CHUNKED + "1;x=",
            "PUT /datasets/slow " + CHUNKED + "1\nA\n0\nX: ");
    for (String response : drip(starts, "x")) {
      assertThat(response)
          .startsWith("HTTP/1.1 408 ")
          .contains("quiver.limits.idle-seconds", "Send the body again");
    }
  }

  @Test
  void endsUploadsWhoseExtensionsAreLong() throws Exception {
    String response =
        RawHttp.exchange(port, "PUT /datasets/long " + CHUNKED + "1;x=" + "x".repeat(2_000));
    assertThat(response).startsWith("HTTP/1.1 400 ");
  }

  /// Sends each of `starts` on a connection of its own, then `drop` again and again.
  ///
  /// @return all that the service sent on each, before it closed the connection
  private List<String> drip(List<String> starts, String drop) throws Exception {
    try (ExecutorService clients = Executors.newCachedThreadPool()) {
      List<Future<String>> responses = new ArrayList<>();
      for (String start : starts) {
        responses.add(
            clients.submit(() -> {
              try (RawHttp connection = new RawHttp(port)) {
                connection.send(start);
                return connection.dripUntilClosed(drop);
              }
            }));
      }
      List<String> received = new ArrayList<>();
      for (Future<String> response : responses) {
        received.add(response.get());
      }
      return received;
    }
  }
}
