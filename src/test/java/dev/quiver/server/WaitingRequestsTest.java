package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Quiver;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.TestPropertySource;

/// `Prefer: wait` with `since`. A waiting request outlives all limits on idle connections, since
/// they are shorter here than any wait.
@TestPropertySource(
    properties = {
      "quiver.limits.waiting-requests=2",
      "quiver.limits.idle-seconds=1",
      "quiver.limits.head-seconds=1",
      "quiver.limits.wait-seconds=50"
    })
class WaitingRequestsTest extends RunningService {

  private final HttpClient client = HttpClient.newHttpClient();

  @Autowired private MeterRegistry registry;

  @AfterEach
  void assertNothingWaits() {
    client.close();
    assertWaiting(0);
  }

  private void assertWaiting(int count) {
    eventually(
        () -> assertThat(registry.get("quiver.waiting.requests").gauge().value()).isEqualTo(count));
  }

  private CompletableFuture<HttpResponse<byte[]>> wait(String path, int seconds) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .header("Prefer", "wait=" + seconds)
            .build();
    return client.sendAsync(request, BodyHandlers.ofByteArray());
  }

  private static List<Integer> numbers(HttpResponse<byte[]> csv) {
    assertThat(csv.statusCode()).as(text(csv)).isEqualTo(200);
    return text(csv).lines().skip(1).map(Integer::valueOf).toList();
  }

  private static List<Integer> from(int first, int end) {
    return IntStream.range(first, end).boxed().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {".csv", ".arrow", ".arrows", ".json", "", ".arrow?columns=number"})
  void anAppendWakesAWaitingRequest(String rest) throws Exception {
    String path = "/datasets/wait" + rest.length();
    put(path, Streams.numbers(0, 3));
    String query = rest + (rest.contains("?") ? "&" : "?") + "since=1";
    CompletableFuture<HttpResponse<byte[]>> waiting = wait(path + query, 99);
    assertWaiting(1);
    post(path, Streams.numbers(3, 100_000));
    HttpResponse<byte[]> response = waiting.get();
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Preference-Applied")).isEqualTo("wait=50");
    assertThat(header(response, "Vary")).contains("Prefer");
    assertThat(header(response, "Quiver-Version")).isEqualTo("2");
    assertThat(header(response, "Arrow-Row-Count")).isEqualTo("100000");
    assertThat(response.body()).isEqualTo(get(path + query).body());
  }

  @Test
  void rowsThatExistAreNotWaitedFor() throws Exception {
    put("/datasets/wait-not", Streams.numbers(0, 3));
    post("/datasets/wait-not", Streams.numbers(3, 2));
    HttpResponse<byte[]> response = get("/datasets/wait-not.csv?since=1", "Prefer", "wait=50");
    assertThat(numbers(response)).isEqualTo(from(3, 5));
    assertThat(header(response, "Preference-Applied")).isEqualTo("wait=50");
    HttpResponse<byte[]> pinned = get("/datasets/wait-not@1.csv?since=1", "Prefer", "wait=50");
    assertThat(numbers(pinned)).isEmpty();
    assertThat(header(pinned, "Preference-Applied")).isEmpty();
    assertThat(header(pinned, "Vary")).doesNotContain("Prefer");
    assertThat(header(get("/datasets/wait-not.csv?since=2"), "Vary")).contains("Prefer");
    assertThat(header(get("/datasets/wait-not.csv", "Prefer", "wait=50"), "Preference-Applied"))
        .isEmpty();
  }

  @Tag("long")
  @Test
  void withoutNewRowsTheResponseHasTheSchema() throws Exception {
    put("/datasets/wait-end", Streams.numbers(0, 3));
    HttpResponse<byte[]> response = wait("/datasets/wait-end.arrows?since=1", 1).get();
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Quiver-Version")).isEqualTo("1");
    assertThat(header(response, "Arrow-Row-Count")).isEqualTo("0");
    assertThat(response.body()).isEqualTo(get("/datasets/wait-end.arrows?limit=0").body());
    HttpResponse<byte[]> known =
        get(
            "/datasets/wait-end.arrows?since=1",
            "Prefer",
            "wait=1",
            "If-None-Match",
            header(response, "ETag"));
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(header(known, "Preference-Applied")).isEqualTo("wait=1");
    HttpResponse<byte[]> head = head("/datasets/wait-end.arrows?since=1", "Prefer", "wait=1");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Length")).isEqualTo(header(response, "Content-Length"));
  }

  /// Others wait, as many as may, so that a request that waits first would be rejected.
  @ParameterizedTest
  @CsvSource({
    ".csv, limit=abc, 400",
    ".csv, columns=unknown, 400",
    ".csv, codec=lz4, 400",
    ".arrow, columns=unknown, 400",
    ".arrow, max-value-bytes=9, 400",
    "'', limit=-1, 400",
    "'', limit=1, 406"
  })
  void aRequestThatCanOnlyFailDoesNotWait(String suffix, String parameter, int status)
      throws Exception {
    String path = "/datasets/wait-fail" + (suffix + parameter).replaceAll("[^a-z0-9-]", "");
    String full = path + "-full";
    put(path, Streams.numbers(0, 3));
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + port + path + suffix + "?since=1&" + parameter))
            .header("Prefer", "wait=50")
            .header("Accept", status == 406 ? "image/png" : "*/*")
            .build();
    put(full, Streams.numbers(0, 3));
    CompletableFuture<HttpResponse<byte[]>> one = wait(full + ".csv?since=1", 50);
    CompletableFuture<HttpResponse<byte[]>> two = wait(full + ".csv?since=1", 50);
    assertWaiting(2);
    HttpResponse<byte[]> failed = client.send(request, BodyHandlers.ofByteArray());
    post(full, Streams.numbers(3, 1));
    assertThat(failed.statusCode()).as(text(failed)).isEqualTo(status);
    assertThat(header(failed, "Preference-Applied")).isEmpty();
    assertThat(numbers(one.get())).isEqualTo(from(3, 4));
    assertThat(numbers(two.get())).isEqualTo(from(3, 4));
  }

  @Test
  void compactionsWakeNoRequest() throws Exception {
    put("/datasets/wait-compacted", Streams.numbers(0, 3));
    post("/datasets/wait-compacted", Streams.numbers(3, 2));
    CompletableFuture<HttpResponse<byte[]>> waiting =
        wait("/datasets/wait-compacted.csv?since=2", 50);
    assertWaiting(1);
    assertThat(
            json(post("/datasets/wait-compacted/compact", new byte[0])).get("version").intValue())
        .isEqualTo(3);
    post("/datasets/wait-compacted", Streams.numbers(5, 1));
    assertThat(numbers(waiting.get())).isEqualTo(from(5, 6));
    assertThat(header(waiting.get(), "Quiver-Version")).isEqualTo("4");
  }

  @Test
  void reportsAReplacementAndADeletion() throws Exception {
    put("/datasets/wait-replaced", Streams.numbers(0, 3));
    CompletableFuture<HttpResponse<byte[]>> waiting =
        wait("/datasets/wait-replaced.csv?since=1", 50);
    assertWaiting(1);
    put("/datasets/wait-replaced", Streams.numbers(9, 9));
    assertThat(waiting.get().statusCode()).isEqualTo(409);
    waiting = wait("/datasets/wait-replaced.csv?since=2", 50);
    assertWaiting(1);
    delete("/datasets/wait-replaced");
    assertThat(waiting.get().statusCode()).isEqualTo(410);
    assertThat(wait("/datasets/wait-replaced.csv?since=2", 50).get().statusCode()).isEqualTo(410);
    assertThat(wait("/datasets/sample.csv?since=99", 50).get().statusCode()).isEqualTo(404);
  }

  @Test
  void furtherRequestsAreRejected() throws Exception {
    put("/datasets/wait-many", Streams.numbers(0, 3));
    CompletableFuture<HttpResponse<byte[]>> one = wait("/datasets/wait-many.csv?since=1", 50);
    CompletableFuture<HttpResponse<byte[]>> two = wait("/datasets/wait-many.csv?since=1", 50);
    assertWaiting(2);
    HttpResponse<byte[]> rejected = wait("/datasets/wait-many.csv?since=1", 50).get();
    assertThat(rejected.statusCode()).isEqualTo(503);
    assertThat(header(rejected, "Retry-After")).isEqualTo("5");
    assertThat(json(rejected).get("detail").asString())
        .isEqualTo(
            "Expected at most 2 waiting requests (quiver.limits.waiting-requests) but found more,"
                + " with those of other requests");
    post("/datasets/wait-many", Streams.numbers(3, 1));
    assertThat(numbers(one.get())).isEqualTo(from(3, 4));
    assertThat(numbers(two.get())).isEqualTo(from(3, 4));
    assertThat(numbers(wait("/datasets/wait-many.csv?since=1", 50).get())).isEqualTo(from(3, 4));
  }

  private static String request(String path, int seconds) {
    return "GET " + path + " HTTP/1.1\nHost: localhost\nPrefer: wait=" + seconds + "\n\n";
  }

  @Test
  void aClientThatLeavesIsForgotten() throws Exception {
    put("/datasets/wait-left", Streams.numbers(0, 3));
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(request("/datasets/wait-left.csv?since=1", 50));
      assertWaiting(1);
    }
    assertWaiting(0);
    RawHttp killed = new RawHttp(port);
    killed.send(request("/datasets/wait-left.csv?since=1", 50));
    assertWaiting(1);
    killed.reset();
    assertWaiting(0);
    try (RawHttp half = new RawHttp(port)) {
      half.send(request("/datasets/wait-left.csv?since=1", 50));
      assertWaiting(1);
      half.finishSending();
      assertThat(half.readToEnd()).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nnumber\r\n");
    }
  }

  @Test
  void theConnectionServesFurtherRequests() throws Exception {
    put("/datasets/wait-again", Streams.numbers(0, 3));
    try (RawHttp connection = new RawHttp(port)) {
      for (int i = 1; i <= 3; i++) {
        connection.send(request("/datasets/wait-again.csv?since=" + i, 50));
        assertWaiting(1);
        post("/datasets/wait-again", Streams.numbers(2 + i, 1));
        assertThat(connection.readUntil("number\r\n" + (2 + i) + "\r\n"))
            .startsWith("HTTP/1.1 200 ");
      }
      // The second request arrives while the first one waits.
      connection.send(request("/datasets/wait-again.csv?since=4", 50));
      assertWaiting(1);
      connection.send("GET /datasets/wait-again.csv?since=1&limit=1 HTTP/1.1\nHost: localhost\n");
      connection.send("Connection: close\n\n");
      post("/datasets/wait-again", Streams.numbers(6, 1));
      assertThat(connection.readToEnd()).contains("number\r\n6\r\n").endsWith("number\r\n3\r\n");
    }
  }

  @Test
  void aStoppingServiceResponds(@TempDir Path folder) throws Exception {
    CompletableFuture<HttpResponse<byte[]>> waiting;
    try (ConfigurableApplicationContext service =
        new SpringApplicationBuilder(Quiver.class)
            .run("--server.port=0", "--quiver.storage.path=" + folder)) {
      String port = service.getEnvironment().getRequiredProperty("local.server.port");
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create("http://localhost:" + port + "/datasets/sample.csv?since=1"))
              .header("Prefer", "wait=60")
              .build();
      eventually(() ->
          assertThat(
                  client
                      .send(
                          HttpRequest.newBuilder(request.uri()).build(), BodyHandlers.discarding())
                      .statusCode())
              .isEqualTo(200));
      waiting = client.sendAsync(request, BodyHandlers.ofByteArray());
      MeterRegistry meters = service.getBean(MeterRegistry.class);
      eventually(
          () -> assertThat(meters.get("quiver.waiting.requests").gauge().value()).isEqualTo(1));
    }
    assertThat(waiting.get().statusCode()).isEqualTo(200);
    assertThat(header(waiting.get(), "Arrow-Row-Count")).isEqualTo("0");
  }
}
