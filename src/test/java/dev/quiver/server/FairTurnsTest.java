package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.sql.execution.WorkerPools;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
      "quiver.auth.anonymous=read:*",
      "quiver.trusted-proxies=127.0.0.1",
      "quiver.sql.workers=2",
      "quiver.sql.threads=1",
      "quiver.sql.queue=4",
      "quiver.sql.queue-wait=60s",
      "quiver.sql.timeout=60s",
      "quiver.where.timeout=60s",
      "quiver.limits.waiting-requests=8",
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

  private final List<RawHttp> connections = new ArrayList<>();

  @Autowired private WorkerPools pools;

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
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /// The statements of a client end when it leaves.
  @AfterEach
  void leave() throws Exception {
    for (RawHttp connection : connections) {
      connection.reset();
    }
    eventually(() -> assertThat(pools.runningCount()).isZero());
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
      String condition = "regexp_matches(repeat(number::varchar, 300), 'x%d$')".formatted(i);
      begin("GET /datasets/long.csv?where=" + encoded(condition), MANY);
    }
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
        sql.getBytes(StandardCharsets.UTF_8),
        "Content-Type",
        "application/sql",
        "Prefer",
        "respond-async",
        name,
        value);
  }

  @Test
  void waitsOfOthersHavePlaces() throws Exception {
    for (int i = 0; i < 7; i++) {
      String status = begin("GET /datasets/sample/events", MANY).readUntil("\r\n");
      assertThat(status).startsWith(i < 6 ? "HTTP/1.1 200" : "HTTP/1.1 503");
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

  private static void assertAnswers(String expected, HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    assertThat(text(response)).contains(expected);
  }
}
