package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.sql.execution.WorkerPools;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// The turns of others while one client sends as much as it can.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/fair-turns",
      "quiver.auth.anonymous=write:*",
      "quiver.trusted-proxies=127.0.0.1",
      "quiver.sql.workers=2",
      "quiver.sql.threads=1",
      "quiver.sql.queue=4",
      "quiver.files.queue=4",
      "quiver.sql.queue-wait=20s",
      "quiver.sql.timeout=60s",
      "quiver.where.timeout=60s",
      "quiver.limits.waiting-requests=16",
      "quiver.limits.generated-responses=16",
    })
@Timeout(240)
class FairTurnsTest extends RunningService {

  private static final String ENDLESS =
      "SELECT sum(hash(a.range + b.range)) FROM range(100000000) a, range(1000000) b";

  /// The client that sends as much as it can, and others, as lines of a request's head.
  private static final String MANY = "Authorization: Bearer many";

  private static final String MANY_ADDRESS = "X-Forwarded-For: 192.0.2.1";
  private static final List<String[]> OTHERS =
      List.of(
          new String[] {"Authorization", "Bearer few"},
          new String[] {"X-Forwarded-For", "192.0.2.2"},
          new String[] {"X-Forwarded-For", "2001:db8:1:2::1"});

  /// A condition that takes minutes for two million rows, as no automaton of this expression is
  /// small. Each number has rows of its own, which no requests share.
  private static String endless(int number) {
    return encoded(
        "regexp_matches(number::varchar || '%s', '(a?b?){300}c%d')"
            .formatted("ab".repeat(200), number));
  }

  private final List<RawHttp> connections = new ArrayList<>();

  @Autowired private WorkerPools pools;
  @Autowired private ResponseAdmission admission;
  @Autowired private MeterRegistry registry;

  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    int index = 0;
    for (String name : List.of("many", "few")) {
      String key = "quiver.auth.tokens[%d].".formatted(index++);
      registry.add(key + "name", () -> name);
      registry.add(key + "sha256", () -> Sha256.hex(name));
      registry.add(key + "permissions", () -> "write:*");
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /// The statements of a client end when it leaves.
  @AfterEach
  void leave() throws Exception {
    for (RawHttp connection : connections) {
      connection.reset();
    }
    eventually(() -> assertThat(pools.runningCount()).isZero());
    // Places that are still taken would become free among the requests of the next test.
    eventually(() -> assertThat(admission.waitingCount() + admission.generatedCount()).isZero());
  }

  private RawHttp begin(String requestLine, String... lines) throws Exception {
    RawHttp connection = new RawHttp(port);
    connections.add(connection);
    connection.send(
        requestLine + " HTTP/1.1\nHost: localhost\n" + String.join("\n", lines) + "\n\n");
    return connection;
  }

  private void assumeStatements() throws Exception {
    assumeTrue(get("/sql.csv?q=" + encoded("select 1")).statusCode() == 200, "no engine");
  }

  @ParameterizedTest
  @ValueSource(strings = {MANY, MANY_ADDRESS})
  void statementsOfOthersHaveTurns(String line) throws Exception {
    assumeStatements();
    for (int i = 0; i < 12; i++) {
      begin("GET /sql.csv?q=" + encoded(ENDLESS), line);
    }
    eventually(() -> assertThat(pools.runningCount()).isPositive());
    for (String[] other : OTHERS) {
      assertAnswers("42", get("/sql.csv?q=" + encoded("select 41 + 1 as n"), other));
    }
  }

  @Test
  void conditionsAndStatisticsOfOthersHaveTurns() throws Exception {
    assertThat(put("/datasets/long", Streams.numbers(0, 2_000_000), OTHERS.getFirst()).statusCode())
        .isEqualTo(201);
    for (int i = 0; i < 12; i++) {
      begin("GET /datasets/long.csv?where=" + endless(i), MANY);
    }
    eventually(() -> assertThat(pools.runningCount()).isPositive());
    for (String[] other : OTHERS) {
      assertAnswers("7", get("/datasets/long.csv?where=" + encoded("number = 7"), other));
      assertThat(get("/datasets/long/statistics", other).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void jobsOfOthersHaveTurns() throws Exception {
    assumeStatements();
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      HttpResponse<byte[]> accepted = beginJob("many" + i, ENDLESS, "Authorization", "Bearer many");
      if (accepted.statusCode() == 202) {
        jobs.add(header(accepted, "Location"));
      }
    }
    try {
      HttpResponse<byte[]> accepted =
          beginJob("few", "select 42 as n", "Authorization", "Bearer few");
      assertThat(accepted.statusCode()).as(text(accepted)).isEqualTo(202);
      String job = header(accepted, "Location");
      eventually(() ->
          assertThat(json(get(job, "Authorization", "Bearer few")).get("state").asString())
              .isEqualTo("done"));
    } finally {
      for (String job : jobs) {
        delete(job, "Authorization", "Bearer many");
      }
    }
  }

  private HttpResponse<byte[]> beginJob(String dataset, String sql, String name, String value)
      throws Exception {
    return put(
        "/datasets/" + dataset,
        sql.getBytes(UTF_8),
        "Content-Type",
        "application/sql",
        "Prefer",
        "respond-async",
        name,
        value);
  }

  @Test
  void waitsOfOthersHavePlaces() throws Exception {
    for (int i = 0; i < 13; i++) {
      String status = begin("GET /datasets/sample/events", MANY).readUntil("\r\n");
      assertThat(status).startsWith(i < 12 ? "HTTP/1.1 200" : "HTTP/1.1 503");
    }
    for (String[] other : OTHERS) {
      List<String> headers = new ArrayList<>(List.of(other));
      headers.addAll(List.of("Prefer", "wait=1"));
      HttpResponse<byte[]> response =
          get("/datasets/sample?since=1", headers.toArray(String[]::new));
      assertThat(response.statusCode()).as(text(response)).isIn(200, 304);
      assertThat(header(response, "Preference-Applied")).isEqualTo("wait=1");
    }
  }

  /// Requests that have waited for rows have turns as if they had not.
  @ParameterizedTest
  @ValueSource(strings = {MANY, MANY_ADDRESS})
  void requestsThatHaveWaitedLeaveTurnsToOthers(String line) throws Exception {
    HttpResponse<byte[]> stored =
        put("/datasets/awaited", Streams.numbers(0, 1), OTHERS.getFirst());
    String version = json(stored).get("version").asString();
    for (int i = 0; i < 5; i++) {
      begin(
          "GET /datasets/awaited.csv?since=%s&where=%s".formatted(version, endless(i)),
          line,
          "Prefer: wait=60");
    }
    eventually(
        () -> assertThat(registry.get("quiver.waiting.requests").gauge().value()).isEqualTo(5));
    byte[] rows = Streams.numbers(1, 2_000_000);
    assertThat(post("/datasets/awaited", rows, OTHERS.getFirst()).statusCode()).isEqualTo(200);
    eventually(() -> assertThat(registry.get("quiver.waiting.requests").gauge().value()).isZero());
    eventually(() -> assertThat(pools.runningCount()).isPositive());
    for (String[] other : OTHERS) {
      assertAnswers("7", get("/datasets/awaited.csv?where=" + encoded("number = 7"), other));
    }
  }

  /// Bodies that arrive slowly keep the places of one client.
  @ParameterizedTest
  @ValueSource(strings = {MANY, MANY_ADDRESS})
  void conversionsOfOthersHavePlaces(String line) throws Exception {
    String[] slow = {"Content-Type: text/csv", "Accept: text/csv", "Content-Length: 100", line};
    for (int i = 0; i < 28; i++) {
      begin("POST /convert", slow);
    }
    eventually(() -> assertThat(admission.waitingCount()).isEqualTo(16));
    assertThat(begin("POST /convert", slow).readUntil("}")).startsWith("HTTP/1.1 503");
    for (String[] other : OTHERS) {
      assertAnswers("42", convert(other));
    }
  }

  private HttpResponse<byte[]> convert(String[] client) throws Exception {
    List<String> headers = new ArrayList<>(List.of(client));
    headers.addAll(List.of("Content-Type", "text/csv", "Accept", "text/csv"));
    return post("/convert", "n\n42\n".getBytes(UTF_8), headers.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {MANY, MANY_ADDRESS})
  void filesOfOthersHaveTurns(String line) throws Exception {
    // Many values of few bytes take longer to read than to receive.
    byte[] file = ("1,2,3,4,5,6,7,8\n".repeat(60_000)).getBytes(UTF_8);
    String[] client = (line + ": Content-Type: text/csv").split(": ");
    try (Repetition repeated =
        new Repetition(24, thread -> put("/datasets/file" + thread, file, client))) {
      repeated.awaitRejection();
      for (String[] other : OTHERS) {
        assertAnswers("42", convert(other));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {MANY, MANY_ADDRESS})
  void listsOfOthersHaveTurns(String line) throws Exception {
    String[] client = line.split(": ");
    try (Repetition repeated = new Repetition(40, _ -> get("/datasets", client))) {
      repeated.awaitRejection();
      for (int i = 0; i < 10; i++) {
        for (String[] other : OTHERS) {
          assertAnswers("sample", get("/datasets", other));
          assertAnswers("sample", get("/datasets?sort=-modified", other));
        }
      }
    }
  }

  /// A request that many threads repeat, more than have places at once.
  private static final class Repetition implements AutoCloseable {

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger rejectedCount = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean isEnded;

    /// A request of one of the threads, which have numbers.
    interface Request {
      HttpResponse<byte[]> send(int thread) throws Exception;
    }

    Repetition(int threadCount, Request request) {
      for (int i = 0; i < threadCount; i++) {
        int thread = i;
        threads.add(Thread.ofVirtual().start(() -> repeat(request, thread)));
      }
    }

    private void repeat(Request request, int thread) {
      try {
        while (!isEnded) {
          HttpResponse<byte[]> response = request.send(thread);
          assertThat(response.statusCode()).as(text(response)).isIn(200, 201, 503);
          if (response.statusCode() == 503) {
            rejectedCount.incrementAndGet();
          }
        }
      } catch (Exception | AssertionError e) {
        failure.set(e);
      }
    }

    /// Waits until all places are taken.
    void awaitRejection() {
      eventually(() -> assertThat(rejectedCount).hasPositiveValue());
    }

    @Override
    public void close() throws Exception {
      isEnded = true;
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure.get()).isNull();
    }
  }

  private static void assertAnswers(String expected, HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    assertThat(text(response)).contains(expected);
  }
}
