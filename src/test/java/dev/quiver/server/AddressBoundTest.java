package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// One address has at most so many connections, and the one goes that was longest without a
/// request.
@TestPropertySource(
    properties = {
      "quiver.limits.connections-per-address=3",
      "quiver.limits.unbounded-addresses=127.0.0.0/30,::1",
      "server.tomcat.max-connections=5"
    })
class AddressBoundTest extends RunningService {

  private static final String REQUEST = "GET /health HTTP/1.1\nHost: localhost\n\n";

  /// Which one of them depends on whether its thread still waits for the next request.
  @Test
  void closesAnIdleConnectionForAFurtherOne() throws Exception {
    try (RawHttp first = new RawHttp(port, "127.0.0.5");
        RawHttp second = new RawHttp(port, "127.0.0.5");
        RawHttp third = new RawHttp(port, "127.0.0.5")) {
      List<RawHttp> connections = List.of(first, second, third);
      for (RawHttp connection : connections) {
        assertThat(health(connection)).startsWith("HTTP/1.1 200 ");
      }
      eventually(() -> {
        try (RawHttp fourth = new RawHttp(port, "127.0.0.5")) {
          assertThat(health(fourth)).startsWith("HTTP/1.1 200 ");
        }
      });
      assertThat(connections).anyMatch(connection -> !health(connection).contains("HTTP/1.1 200 "));
    }
  }

  @Test
  void closesTheNewConnectionIfAllOthersHaveRequests() throws Exception {
    RawHttp[] busy = new RawHttp[3];
    for (int i = 0; i < busy.length; i++) {
      busy[i] = new RawHttp(port, "127.0.0.6");
      busy[i].send(
          "PUT /datasets/busy"
              + i
              + " HTTP/1.1\nHost: localhost\nExpect: 100-continue\n"
              + "Content-Type: application/vnd.apache.arrow.stream\nContent-Length: 1000\n\n");
      assertThat(busy[i].readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
    }
    try (RawHttp further = new RawHttp(port, "127.0.0.6")) {
      assertThat(further.readToEnd()).doesNotContain("HTTP/1.1");
    }
    for (RawHttp connection : busy) {
      connection.close();
    }
    eventually(() -> assertThat(health("127.0.0.6")).startsWith("HTTP/1.1 200 "));
  }

  private String health(String address) throws IOException {
    try (RawHttp connection = new RawHttp(port, address)) {
      return health(connection);
    }
  }

  /// Returns the response, or nothing if the connection is closed.
  private static String health(RawHttp connection) {
    try {
      connection.send(REQUEST);
      return connection.readUntil("}");
    } catch (SocketException closed) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Tag("long")
  @Test
  void closesIdleConnectionsWhenTheServiceHasNoneLeft() throws Exception {
    RawHttp[] idle = new RawHttp[12];
    for (int i = 0; i < idle.length; i++) {
      idle[i] = new RawHttp(port);
      idle[i].send(REQUEST);
      assertThat(idle[i].readUntil("}")).startsWith("HTTP/1.1 200 ");
    }
    for (RawHttp connection : idle) {
      connection.close();
    }
  }
}
