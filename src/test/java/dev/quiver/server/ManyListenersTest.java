package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.ServerSentEvents;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.events.EventStreams;
import dev.quiver.server.events.WaitingRequests;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.TestPropertySource;

/// Many listeners of one dataset, with comments after a short silence.
@Import(ManyListenersTest.ShortSilence.class)
@TestPropertySource(
    properties = {
      "quiver.limits.waiting-requests=1000",
      "quiver.limits.unbounded-addresses=127.0.0.0/8",
      "quiver.limits.idle-seconds=2"
    })
class ManyListenersTest extends RunningService {

  private static final int LISTENERS = 1000;

  /// The threads that any number of listeners may add to those of the requests that open them.
  private static final int FURTHER_THREADS = 40;

  /// Enough events for all buffers of a connection.
  private static final int VERSIONS = 600;

  private static final int BUFFER_BYTES = 4 << 10;

  @Autowired private MeterRegistry registry;

  static class ShortSilence {

    @Bean
    @Primary
    EventStreams shortSilence(WaitingRequests waitingRequests, QuiverProperties properties) {
      return new EventStreams(waitingRequests, properties, Duration.ofMillis(200));
    }

    /// Otherwise, it takes megabytes until a client that does not read is noticed.
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> smallBuffers() {
      return factory ->
          factory.addConnectorCustomizers(
              connector -> connector.setProperty("socket.txBufSize", "" + BUFFER_BYTES));
    }
  }

  private void assertWaiting(int count) {
    eventually(
        () -> assertThat(registry.get("quiver.waiting.requests").gauge().value()).isEqualTo(count));
  }

  private static long requestThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("-exec-"))
        .count();
  }

  @Tag("long")
  @Test
  void aThousandListenersNeedFewThreadsAndLeave() throws Exception {
    put("/datasets/many", Streams.numbers(0, 3));
    List<RawHttp> listeners = new ArrayList<>();
    long before = requestThreads();
    try {
      for (int i = 0; i < LISTENERS; i++) {
        RawHttp listener = new RawHttp(port);
        listeners.add(listener);
        listener.send("GET /datasets/many/events HTTP/1.1\nHost: localhost\n\n");
        assertThat(listener.readUntil("}\n\n")).startsWith("HTTP/1.1 200 ").contains("id: 1\n");
      }
      assertWaiting(LISTENERS);
      assertThat(get("/datasets/many/events").statusCode()).isEqualTo(503);
      for (int version = 2; version <= 5; version++) {
        post("/datasets/many", Streams.numbers(0, 1));
        for (RawHttp listener : listeners) {
          assertThat(listener.readUntil("}\n\n")).contains("id: " + version + "\n");
        }
      }
      assertThat(requestThreads()).isLessThan(before + FURTHER_THREADS);
      assertWaiting(LISTENERS);
    } finally {
      for (RawHttp listener : listeners) {
        listener.close();
      }
    }
    assertWaiting(0);
    try (ServerSentEvents next = listen("many")) {
      assertThat(next.next()).isNotNull();
    }
  }

  private ServerSentEvents listen(String name) throws Exception {
    return ServerSentEvents.open("http://localhost:" + port + "/datasets/" + name + "/events");
  }

  @Test
  void silenceIsFilledWithComments() throws Exception {
    put("/datasets/silent", Streams.numbers(0, 3));
    try (ServerSentEvents events = listen("silent")) {
      assertThat(events.next()).isNotNull();
      events.awaitComment();
      events.awaitComment();
      post("/datasets/silent", Streams.numbers(3, 2));
      assertThat(events.next())
          .hasToString("version 2 {\"version\":2,\"kind\":\"append\",\"rows\":2,\"totalRows\":5}");
      events.awaitComment();
      assertThat(registry.get("quiver.waiting.requests").gauge().value()).isPositive();
    }
    assertWaiting(0);
  }

  /// The service neither keeps events for the client nor delays those of others.
  @Tag("long")
  @Test
  void aClientThatNeverReadsIsAborted() throws Exception {
    put("/datasets/stuck", Streams.numbers(0, 1));
    for (int version = 2; version <= VERSIONS; version++) {
      post("/datasets/stuck", Streams.numbers(0, 1));
    }
    try (Socket stuck = new Socket()) {
      stuck.setReceiveBufferSize(BUFFER_BYTES);
      stuck.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      stuck
          .getOutputStream()
          .write(
              "GET /datasets/stuck/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      try (ServerSentEvents other = listen("stuck")) {
        assertThat(other.next()).isNotNull();
        post("/datasets/stuck", Streams.numbers(0, 1));
        assertThat(other.next()).isNotNull();
        // The other one stays.
        assertWaiting(1);
      }
      String received = new String(readAll(stuck), StandardCharsets.US_ASCII);
      assertThat(received).startsWith("HTTP/1.1 200 ").doesNotEndWith("\r\n0\r\n\r\n");
      assertThat(received.lines().filter(line -> line.startsWith("id: ")).count())
          .isLessThan(VERSIONS - 1);
    }
  }

  private static byte[] readAll(Socket socket) throws Exception {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      for (int count = socket.getInputStream().read(buffer);
          count >= 0;
          count = socket.getInputStream().read(buffer)) {
        received.write(buffer, 0, count);
      }
    } catch (SocketException reset) {
      // The end of an aborted response.
    }
    return received.toByteArray();
  }
}
