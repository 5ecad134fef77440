package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// Persistent connections share the request threads, of which there is only one here.
@TestPropertySource(
    properties = {"server.tomcat.threads.max=1", "server.tomcat.threads.min-spare=1"})
class KeepAliveTest extends RunningService {

  private static void exchange(RawHttp connection) throws Exception {
    connection.send("HEAD /datasets HTTP/1.1\nHost: localhost\n\n");
    assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
  }

  /// `NextRequestTest` tests the order in which connections get a thread.
  @Test
  void busyConnectionDoesNotBlockOthers() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger responses = new AtomicInteger();
    try (ExecutorService other = Executors.newSingleThreadExecutor();
        RawHttp busy = new RawHttp(port)) {
      Future<?> exchanges =
          other.submit(() -> {
            while (!done.get()) {
              exchange(busy);
              responses.incrementAndGet();
            }
            return null;
          });
      try {
        for (int i = 0; i < 50; i++) {
          int first = responses.get();
          while (responses.get() == first && !exchanges.isDone()) {
            Thread.onSpinWait();
          }
          try (RawHttp connection = new RawHttp(port)) {
            exchange(connection);
          }
        }
      } finally {
        done.set(true);
      }
      exchanges.get();
    }
  }

  @Test
  void idleConnectionsAreServedAgain() throws Exception {
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port);
        RawHttp third = new RawHttp(port)) {
      for (int i = 0; i < 20; i++) {
        exchange(first);
        exchange(second);
        exchange(third);
        exchange(third);
      }
    }
  }

  @Test
  void servesARequestThatArrivesInParts() throws Exception {
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port)) {
      for (int i = 0; i < 5; i++) {
        exchange(first);
        first.send("HEAD /datasets HT");
        exchange(second);
        first.send("TP/1.1\nHost: loc");
        exchange(second);
        first.send("alhost\n\n");
        assertThat(first.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      }
    }
  }
}
