package dev.quiver.server.read;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Quiver;
import dev.quiver.ServerSentEvents;
import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import dev.quiver.store.blob.BlobStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Streams of events. They outlive all limits on idle connections and slow transfers, since they
/// are silent for longer here.
@TestPropertySource(
    properties = {
      "quiver.limits.waiting-requests=3",
      "quiver.limits.idle-seconds=1",
      "quiver.limits.head-seconds=1",
      "quiver.limits.minimum-bytes-per-second=1000000",
      "quiver.cors.allowed-origins=https://app.test",
      "server.tomcat.accesslog.enabled=true",
      "server.tomcat.accesslog.buffered=false",
      "server.tomcat.accesslog.directory=${test.folder}/events-log",
      "server.tomcat.accesslog.pattern=%m %U %s %B",
      "server.tomcat.accesslog.max-days=-1"
    })
class EventsTest extends RunningService {

  @Autowired private MeterRegistry registry;
  @Autowired private BlobStore store;

  @AfterEach
  void assertNoListeners() {
    assertWaiting(0);
  }

  private void assertWaiting(int count) {
    eventually(
        () -> assertThat(registry.get("quiver.waiting.requests").gauge().value()).isEqualTo(count));
  }

  private ServerSentEvents listen(String name, String... headers) throws Exception {
    return ServerSentEvents.open(
        "http://localhost:" + port + "/datasets/" + name + "/events", headers);
  }

  private static String event(int version, String kind, int rows, int totalRows) {
    return "version %d {\"version\":%d,\"kind\":\"%s\",\"rows\":%d,\"totalRows\":%d}"
        .formatted(version, version, kind, rows, totalRows);
  }

  private void putAppendAndCompact(String name) throws Exception {
    put("/datasets/" + name, Streams.numbers(0, 3));
    post("/datasets/" + name, Streams.numbers(3, 2));
    post("/datasets/" + name + "/compact", new byte[0]);
  }

  private static void assertNext(ServerSentEvents events, String... expected) throws Exception {
    for (String next : expected) {
      assertThat(events.next()).hasToString(next);
    }
  }

  @Test
  void hasTheBytesOfTheContract() throws Exception {
    put("/datasets/events-bytes", Streams.numbers(0, 100));
    post("/datasets/events-bytes", Streams.numbers(100, 12));
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("GET /datasets/events-bytes/events HTTP/1.1\nHost: localhost\n\n");
      assertWaiting(1);
      delete("/datasets/events-bytes");
      String response = connection.readUntil("\r\n0\r\n\r\n");
      assertThat(RawHttp.chunks(response).getFirst())
          .isEqualTo(
              """
              event: version
              id: 2
              data: {"version":2,"kind":"append","rows":12,"totalRows":112}

              event: version
              id: 3
              data: {"version":3,"kind":"delete","rows":0,"totalRows":0}

              """);
      // The connection serves further requests.
      connection.send("GET /datasets/events-bytes/events HTTP/1.1\nHost: localhost\n");
      connection.send("Connection: close\n\n");
      assertThat(connection.readToEnd()).startsWith("HTTP/1.1 410 ");
    }
  }

  @Test
  void tellsEachChangeAndLeavesCompactionsOut() throws Exception {
    put("/datasets/events-all", Streams.numbers(0, 3));
    try (ServerSentEvents events = listen("events-all")) {
      assertNext(events, event(1, "upload", 3, 3));
      post("/datasets/events-all", Streams.numbers(3, 2));
      assertNext(events, event(2, "append", 2, 5));
      assertThat(json(post("/datasets/events-all/compact", new byte[0])).get("version").intValue())
          .isEqualTo(3);
      post("/datasets/events-all", Streams.numbers(5, 4));
      assertNext(events, event(4, "append", 4, 9));
      put("/datasets/events-all", Streams.numbers(0, 1));
      assertNext(events, event(5, "upload", 1, 1));
      delete("/datasets/events-all");
      assertNext(events, event(6, "delete", 0, 0));
      assertThat(events.next()).isNull();
    }
  }

  @Test
  void headerSaysThatNothingMayKeepIt() throws Exception {
    try (ServerSentEvents events = listen("sample")) {
      assertThat(events.status()).isEqualTo(200);
      assertThat(events.header("Content-Type")).isEqualTo("text/event-stream");
      assertThat(events.header("Cache-Control")).isEqualTo("no-store");
      assertThat(events.header("X-Accel-Buffering")).isEqualTo("no");
      assertThat(events.header("Quiver-Version")).isEqualTo("1");
      assertThat(events.header("ETag")).isNull();
    }
    assertWaiting(0);
    HttpResponse<byte[]> head =
        head("/datasets/sample/events", "Accept", "text/html", "Origin", "https://app.test");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Type")).isEqualTo("text/event-stream");
    assertThat(header(head, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(head, "Content-Length")).isEmpty();
    assertThat(header(head, "Access-Control-Allow-Origin")).isEqualTo("https://app.test");
    assertThat(registry.get("quiver.waiting.requests").gauge().value()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void onlyDatasetsThatExistHaveEvents(String method) throws Exception {
    assertThat(status(method, "/datasets/nothing/events")).isEqualTo(404);
    assertThat(status(method, "/datasets/sample@1/events")).isEqualTo(404);
    assertThat(status(method, "/datasets/sample.csv/events")).isEqualTo(404);
    assertThat(status(method, "/datasets/sample/events?since=1")).isEqualTo(400);
    put("/datasets/events-deleted", Streams.numbers(0, 3));
    delete("/datasets/events-deleted");
    assertThat(status(method, "/datasets/events-deleted/events")).isEqualTo(410);
  }

  private int status(String method, String path) throws Exception {
    return (method.equals("GET") ? get(path) : head(path)).statusCode();
  }

  /// Writes versions 1 to 6 with 3, 5, 5, 9, 1 and 3 rows. Version 3 is a compaction, and version 5
  /// a replacement.
  private void grow(String path) throws Exception {
    put(path, Streams.numbers(0, 3));
    post(path, Streams.numbers(3, 2));
    post(path + "/compact", new byte[0]);
    post(path, Streams.numbers(5, 4));
    put(path, Streams.numbers(0, 1));
    post(path, Streams.numbers(1, 2));
  }

  @Tag("long")
  @Test
  void resumesAfterAnyKeptVersion() throws Exception {
    grow("/datasets/events-resumed");
    List<String> all =
        List.of(
            event(2, "append", 2, 5),
            event(4, "append", 4, 9),
            event(5, "upload", 1, 1),
            event(6, "append", 2, 3));
    int[] first = {0, 1, 1, 2, 3};
    for (int version = 1; version <= 5; version++) {
      try (ServerSentEvents events = listen("events-resumed", "Last-Event-ID", "" + version)) {
        assertNext(events, all.subList(first[version - 1], 4).toArray(String[]::new));
      }
      assertWaiting(0);
    }
    try (ServerSentEvents events = listen("events-resumed", "Last-Event-ID", "6")) {
      post("/datasets/events-resumed", Streams.numbers(3, 1));
      assertNext(events, event(7, "append", 1, 4));
    }
    assertWaiting(0);
    try (ServerSentEvents events = listen("events-resumed", "Last-Event-ID", "")) {
      assertNext(events, event(7, "append", 1, 4));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "7", "999999999999999999", "9223372036854775808", "03", "-1", "x y"})
  void anUnknownIdIsGone(String id) throws Exception {
    if (get("/datasets/events-unknown").statusCode() == 404) {
      grow("/datasets/events-unknown");
    }
    assertGone("events-unknown", id);
    assertThat(head("/datasets/events-unknown/events", "Last-Event-ID", id).statusCode())
        .isEqualTo(410);
  }

  private void assertGone(String name, String id) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/" + name + "/events", "Last-Event-ID", id);
    assertThat(response.statusCode()).isEqualTo(410);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(response, "X-Accel-Buffering")).isEmpty();
    JsonNode problem = json(response);
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:gone");
    assertThat(problem.get("detail").asString())
        .isEqualTo(
            "Expected the id of a retained version but found " + id + " at header Last-Event-ID");
  }

  @Test
  void anExpiredIdIsGone() throws Exception {
    grow("/datasets/events-expired");
    List<String> keys = store.list("manifests/_events-expired_/", null, 9);
    store.delete(keys.getLast());
    assertGone("events-expired", "1");
    try (ServerSentEvents events = listen("events-expired", "Last-Event-ID", "2")) {
      assertNext(events, event(4, "append", 4, 9));
    }
  }

  /// A browser connects again after the end of a stream, with the id of the delete.
  @Test
  void aDatasetThatIsCreatedAgainContinuesAfterItsDelete() throws Exception {
    put("/datasets/events-again", Streams.numbers(0, 3));
    delete("/datasets/events-again");
    put("/datasets/events-again", Streams.numbers(0, 2));
    post("/datasets/events-again", Streams.numbers(0, 2));
    try (ServerSentEvents events = listen("events-again", "Last-Event-ID", "2")) {
      assertNext(events, event(3, "upload", 2, 2), event(4, "append", 2, 4));
    }
    assertGone("events-again", "1");
  }

  @Test
  void beginsWithTheLatestVersionOtherThanACompaction() throws Exception {
    putAppendAndCompact("events-first");
    try (ServerSentEvents events = listen("events-first")) {
      assertNext(events, event(2, "append", 2, 5));
      post("/datasets/events-first", Streams.numbers(5, 1));
      assertNext(events, event(4, "append", 1, 6));
    }
  }

  /// The rows of an append are unknown without the version before.
  @Test
  void leavesOutWhatExpired() throws Exception {
    putAppendAndCompact("events-lone");
    List<String> keys = store.list("manifests/_events-lone_/", null, 9);
    store.delete(keys.get(2));
    try (ServerSentEvents events = listen("events-lone")) {
      assertNext(events, "version 2 {\"version\":2,\"kind\":\"append\",\"totalRows\":5}");
    }
  }

  @Test
  void beginsWithACompactionIfNothingElseIsLeft() throws Exception {
    putAppendAndCompact("events-compacted");
    List<String> keys = store.list("manifests/_events-compacted_/", null, 9);
    store.delete(keys.get(2));
    store.delete(keys.get(1));
    try (ServerSentEvents events = listen("events-compacted")) {
      assertNext(events, event(3, "compaction", 0, 5));
    }
  }

  /// The silence is longer than all limits on idle connections, heads and transfers.
  @Tag("long")
  @Test
  void silenceIsNotSlowness() throws Exception {
    put("/datasets/events-silent", Streams.numbers(0, 3));
    try (ServerSentEvents events = listen("events-silent")) {
      assertNext(events, event(1, "upload", 3, 3));
      TimeUnit.SECONDS.sleep(4);
      post("/datasets/events-silent", Streams.numbers(3, 2));
      assertNext(events, event(2, "append", 2, 5));
    }
  }

  @Test
  void furtherListenersAndWaitersAreRejected() throws Exception {
    put("/datasets/events-many", Streams.numbers(0, 3));
    try (ServerSentEvents one = listen("events-many");
        ServerSentEvents two = listen("events-many");
        ServerSentEvents three = listen("events-many")) {
      HttpResponse<byte[]> rejected = get("/datasets/events-many/events");
      assertThat(rejected.statusCode()).isEqualTo(503);
      assertThat(header(rejected, "Retry-After")).isEqualTo("5");
      assertThat(header(rejected, "Content-Type")).isEqualTo("application/problem+json");
      assertThat(json(rejected).get("detail").asString())
          .isEqualTo(
              "Expected at most 3 waiting requests (quiver.limits.waiting-requests) but found more,"
                  + " with those of other requests");
      assertThat(get("/datasets/events-many.csv?since=1", "Prefer", "wait=9").statusCode())
          .isEqualTo(503);
      assertThat(head("/datasets/events-many/events").statusCode()).isEqualTo(200);
      post("/datasets/events-many", Streams.numbers(3, 2));
      for (ServerSentEvents events : List.of(one, two, three)) {
        assertNext(events, event(1, "upload", 3, 3), event(2, "append", 2, 5));
      }
      // Each keeps its place between events.
      assertWaiting(3);
      assertThat(get("/datasets/events-many/events").statusCode()).isEqualTo(503);
      three.close();
      assertWaiting(2);
      try (ServerSentEvents next = listen("events-many")) {
        assertNext(next, event(2, "append", 2, 5));
      }
    }
  }

  @Test
  void aClientThatLeavesIsForgotten() throws Exception {
    String request = "GET /datasets/sample/events HTTP/1.1\nHost: localhost\n\n";
    RawHttp killed = new RawHttp(port);
    killed.send(request);
    killed.readUntil("\r\n\r\n");
    assertWaiting(1);
    killed.reset();
    assertWaiting(0);
    try (RawHttp half = new RawHttp(port)) {
      half.send(request);
      half.readUntil("\r\n\r\n");
      half.finishSending();
      assertThat(half.readToEnd()).endsWith("\r\n0\r\n\r\n");
    }
  }

  @Test
  void theAccessLogHasAStreamOnceItEnds() throws Exception {
    put("/datasets/events-logged", Streams.numbers(0, 3));
    try (ServerSentEvents events = listen("events-logged")) {
      assertNext(events, event(1, "upload", 3, 3));
      post("/datasets/events-logged", Streams.numbers(3, 2));
      assertNext(events, event(2, "append", 2, 5));
      delete("/datasets/events-logged");
      assertNext(events, event(3, "delete", 0, 0));
      assertThat(events.next()).isNull();
    }
    // The three events.
    eventually(() ->
        assertThat(logged("/datasets/events-logged/events"))
            .containsExactly("GET /datasets/events-logged/events 200 266"));
  }

  private static List<String> logged(String path) throws Exception {
    try (Stream<Path> logs = Files.list(FOLDER.resolve("events-log"))) {
      return Files.readAllLines(logs.findFirst().orElseThrow()).stream()
          .filter(line -> line.contains(path))
          .toList();
    }
  }

  @Test
  void anOldClientGetsEventsUntilItsConnectionCloses() throws Exception {
    put("/datasets/events-old", Streams.numbers(0, 3));
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("GET /datasets/events-old/events HTTP/1.0\nHost: localhost\n\n");
      assertThat(connection.readUntil("\n\n")).doesNotContain("chunked").contains("\r\n\r\nevent:");
      delete("/datasets/events-old");
      assertThat(connection.readToEnd()).contains("\"kind\":\"delete\"").endsWith("}\n\n");
    }
  }

  @Test
  void aStoppingServiceEndsStreams(@TempDir Path folder) throws Exception {
    ServerSentEvents events;
    try (ConfigurableApplicationContext service =
        new SpringApplicationBuilder(Quiver.class)
            .run("--server.port=0", "--quiver.storage.path=" + folder)) {
      String url =
          "http://localhost:"
              + service.getEnvironment().getRequiredProperty("local.server.port")
              + "/datasets/sample/events";
      eventually(() -> {
        try (ServerSentEvents first = ServerSentEvents.open(url)) {
          assertThat(first.status()).isEqualTo(200);
        }
      });
      events = ServerSentEvents.open(url);
      MeterRegistry meters = service.getBean(MeterRegistry.class);
      eventually(
          () -> assertThat(meters.get("quiver.waiting.requests").gauge().value()).isEqualTo(1));
    }
    assertThat(events.next()).isNotNull();
    assertThat(events.next()).isNull();
    events.close();
  }
}
