package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// Connections that are kept share the threads there are, here one.
@TestPropertySource(
    properties = {"server.tomcat.threads.max=1", "server.tomcat.threads.min-spare=1"})
class KeepAliveTest extends RunningService {

  private static void ask(RawHttp connection) throws Exception {
    connection.send("HEAD /datasets HTTP/1.1\nHost: localhost\n\n");
    assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
  }

  /// That others go first is in `NextRequestTest`.
  @Test
  void whoAsksWithoutAPauseKeepsNobodyWaiting() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger answers = new AtomicInteger();
    try (ExecutorService other = Executors.newSingleThreadExecutor();
        RawHttp busy = new RawHttp(port)) {
      Future<?> asked =
          other.submit(() -> {
            while (!done.get()) {
              ask(busy);
              answers.incrementAndGet();
            }
            return null;
          });
      try {
        for (int i = 0; i < 50; i++) {
          int first = answers.get();
          while (answers.get() == first && !asked.isDone()) {
            Thread.onSpinWait();
          }
          try (RawHttp connection = new RawHttp(port)) {
            ask(connection);
          }
        }
      } finally {
        done.set(true);
      }
      asked.get();
    }
  }

  @Test
  void whoAsksAgainLaterIsAnswered() throws Exception {
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port);
        RawHttp third = new RawHttp(port)) {
      for (int i = 0; i < 20; i++) {
        ask(first);
        ask(second);
        ask(third);
        ask(third);
      }
    }
  }

  @Test
  void whatComesInPartsIsARequest() throws Exception {
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port)) {
      for (int i = 0; i < 5; i++) {
        ask(first);
        first.send("HEAD /datasets HT");
        ask(second);
        first.send("TP/1.1\nHost: loc");
        ask(second);
        first.send("alhost\n\n");
        assertThat(first.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      }
    }
  }
}
