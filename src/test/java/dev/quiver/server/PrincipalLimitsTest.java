package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.Sha256;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// Limits of what one principal has in progress, while others go on.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/principal-limits",
      "quiver.audit.path=${test.folder}/principal-limits-audit/audit.jsonl",
      "quiver.auth.anonymous=read:*",
      "quiver.auth.limits.requests=2",
      "quiver.auth.limits.statements=1",
    })
@Timeout(240)
class PrincipalLimitsTest extends RunningService {

  private static final int RATE = 1 << 20;

  /// A write takes at most so many bytes, and the last one is not waited for.
  private static final int WRITE_BYTES = 512 << 10;

  private static final String EVENTS = "GET /datasets/sample/events";
  private static final String UPLOAD = "PUT /datasets/never";
  private static final String SLOW =
      "SELECT sum(hash(a.range + b.range)) FROM range(100000000) a, range(100000) b";
  private static final String OF_ALL = "quiver.auth.limits.";
  private static final String OF_TOKEN = "quiver.auth.tokens[].limits.";

  @Autowired private Environment environment;

  /// The members of a list come from one source.
  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    token(registry, 0, "small");
    token(registry, 1, "large");
    registry.add("quiver.auth.tokens[1].limits.requests", () -> 3);
    registry.add("quiver.auth.tokens[1].limits.statements", () -> 0);
    token(registry, 2, "slow");
    registry.add("quiver.auth.tokens[2].limits.requests", () -> 100);
    registry.add("quiver.auth.tokens[2].limits.bytes-per-second", () -> RATE + "B");
    token(registry, 3, "asking");
    registry.add("quiver.auth.tokens[3].limits.requests", () -> 0);
    token(registry, 5, "jobs");
    token(registry, 4, "ending");
    registry.add("quiver.auth.tokens[4].limits.requests", () -> 5);
    registry.add("quiver.auth.tokens[4].limits.statements", () -> 3);
  }

  private static void token(DynamicPropertyRegistry registry, int index, String name) {
    String key = "quiver.auth.tokens[%d].".formatted(index);
    registry.add(key + "name", () -> name);
    registry.add(key + "sha256", () -> Sha256.hex(name));
    registry.add(key + "permissions", () -> "write:*");
  }

  /// @param principal the name of a token, or empty for anonymous
  private static String[] as(String principal, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = principal.isEmpty() ? "X-Nothing" : "Authorization";
    all[headers.length + 1] = "Bearer " + principal;
    return all;
  }

  /// Begins a request, and waits until it is in progress, where it stays.
  private RawHttp hold(String requestLine, String principal, String... lines) {
    // The body of an upload is asked for, and the head of events is sent.
    String status = requestLine.startsWith("PUT") ? "HTTP/1.1 100" : "HTTP/1.1 200";
    AtomicReference<RawHttp> held = new AtomicReference<>();
    // Requests of the test before may still be in progress.
    eventually(() -> {
      RawHttp connection = begin(requestLine, principal, lines);
      String found = connection.readUntil("\r\n");
      if (found.startsWith("HTTP/1.1 429")) {
        connection.close();
      }
      assertThat(found).startsWith(status);
      held.set(connection);
    });
    return Objects.requireNonNull(held.get());
  }

  private RawHttp begin(String requestLine, String principal, String... lines) throws IOException {
    RawHttp connection = new RawHttp(port);
    connection.send(
        requestLine
            + " HTTP/1.1\nHost: localhost\n"
            + (principal.isEmpty() ? "" : "Authorization: Bearer " + principal + "\n")
            + (requestLine.startsWith("PUT") ? "Content-Length: 1000\nExpect: 100-continue\n" : "")
            + String.join("", Arrays.stream(lines).map(line -> line + "\n").toList())
            + "\n");
    return connection;
  }

  private void assertRejected(String path, String principal, String key, int maximum)
      throws Exception {
    HttpResponse<byte[]> response = get(path, as(principal));
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(header(response, "Retry-After")).isEqualTo("1");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    assertThat(json(response).get("type").asString())
        .isEqualTo("urn:quiver:problem:too-many-requests");
    assertThat(json(response).get("hint").asString()).startsWith("Wait until");
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected at most %d %s of one principal at a time (%s) but found more"
                .formatted(maximum, key.substring(key.lastIndexOf('.') + 1), key));
    assertThat(json(response).at("/limit/key").asString()).isEqualTo(key);
    assertThat(json(response).at("/limit/maximum").intValue()).isEqualTo(maximum);
  }

  private void assertAccepted(String path, String principal) {
    eventually(() -> assertThat(get(path, as(principal)).statusCode()).isEqualTo(200));
  }

  @ParameterizedTest
  @ValueSource(strings = {EVENTS, UPLOAD})
  void requestsOfAPrincipalAreBounded(String requestLine) throws Exception {
    try (RawHttp _ = hold(requestLine, "small");
        RawHttp _ = hold(requestLine, "small")) {
      assertRejected("/datasets/sample", "small", OF_ALL + "requests", 2);
      assertThat(get("/health", as("small")).statusCode()).isEqualTo(200);
      assertThat(get("/datasets/sample").statusCode()).isEqualTo(200);
      try (RawHttp _ = hold(requestLine, "large");
          RawHttp second = hold(requestLine, "large")) {
        assertAccepted("/datasets/sample", "large");
        try (RawHttp third = hold(requestLine, "large")) {
          assertRejected("/datasets/sample", "large", OF_TOKEN + "requests", 3);
          third.reset();
        }
        second.reset();
      }
    }
    // Each end of a request gives its place back.
    assertAccepted("/datasets/sample", "small");
    assertAccepted("/datasets/sample", "large");
  }

  @Test
  void anonymousIsOnePrincipal() throws Exception {
    try (RawHttp _ = hold(EVENTS, "");
        RawHttp _ = hold(EVENTS, "unknown-token")) {
      assertRejected("/datasets/sample", "", OF_ALL + "requests", 2);
    }
    assertAccepted("/datasets/sample", "");
  }

  /// A place that one of these kept would be missing in the end. A client may have its response a
  /// moment before the place is free.
  @Tag("long")
  @Test
  void endedRequestsGiveTheirPlacesBack() throws Exception {
    // It ends without a version, after a wait without a thread.
    assertThat(get("/datasets/sample?since=1", as("ending", "Prefer", "wait=1")).statusCode())
        .isEqualTo(200);
    for (int i = 0; i < 5; i++) {
      assertThat(get("/datasets/sample?unknown=1", as("ending")).statusCode()).isEqualTo(400);
      assertThat(get("/sql?q=SELEC", as("ending")).statusCode()).isIn(400, 501);
      try (RawHttp malformed = begin("GET /datasets/sample.csv?%zz=1", "ending")) {
        assertThat(malformed.readUntil("\r\n")).startsWith("HTTP/1.1 400");
      }
      assertThat(get("/datasets/unknown?where=x%3E1", as("ending")).statusCode()).isEqualTo(404);
      assertThat(put("/datasets/never", new byte[] {1, 2}, as("ending")).statusCode())
          .isEqualTo(415);
      assertThat(head("/datasets/sample.csv", as("ending")).statusCode()).isEqualTo(200);
      assertThat(get("/docs/security", as("ending")).statusCode()).isEqualTo(200);
      try (RawHttp aborted = begin("GET /datasets/sample.arrow", "ending")) {
        aborted.reset();
      }
      try (RawHttp refused = begin("DELETE /datasets/sample", "")) {
        assertThat(refused.readUntil("\r\n")).startsWith("HTTP/1.1 401");
      }
      assertAccepted("/datasets/sample", "ending");
    }
    try (RawHttp _ = hold(EVENTS, "ending");
        RawHttp _ = hold(EVENTS, "ending");
        RawHttp _ = hold(EVENTS, "ending");
        RawHttp _ = hold(EVENTS, "ending")) {
      assertAccepted("/datasets/sample.json?where=1%3D1", "ending");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/sql?q=SELECT%201",
        "/sql.csv?q=SELECT%201",
        "/datasets/sample.csv?limit=1&where=1%3D1",
        "/datasets/sample.csv?%77here=1%3D1",
        "/datasets/sample.csv?search=skylab",
        "/datasets/sample/statistics",
      })
  void statementsOfAPrincipalAreBounded(String path) throws Exception {
    String statement = "Content-Type: application/sql";
    try (RawHttp _ = hold(UPLOAD, "asking", statement);
        RawHttp _ = hold(UPLOAD, "large", statement)) {
      assertRejected(path, "asking", OF_ALL + "statements", 1);
      assertThat(get("/datasets/sample", as("asking")).statusCode()).isEqualTo(200);
      assertThat(get(path, as("large")).statusCode()).isNotEqualTo(429);
    }
    eventually(() -> assertThat(get(path, as("asking")).statusCode()).isNotEqualTo(429));
  }

  /// A system without the engine rejects the statement, whose place is free again.
  @Tag("long")
  @Test
  void aStatementEndsWithItsClient() throws Exception {
    String query = "GET /sql?q=" + SLOW.replace(" ", "%20").replace("+", "%2B");
    try (RawHttp slow = begin(query, "asking")) {
      slow.reset();
    }
    eventually(
        () -> assertThat(get("/sql?q=SELECT%201", as("asking")).statusCode()).isIn(200, 501));
  }

  @Tag("long")
  @Test
  void aJobKeepsThePlaceOfItsStatement() throws Exception {
    AtomicReference<HttpResponse<byte[]>> response = new AtomicReference<>();
    eventually(() -> {
      response.set(
          put(
              "/datasets/limited-job",
              SLOW.getBytes(StandardCharsets.UTF_8),
              as("jobs", "Content-Type", "application/sql", "Prefer", "respond-async")));
      assertThat(response.get().statusCode()).isIn(202, 501);
    });
    HttpResponse<byte[]> begun = Objects.requireNonNull(response.get());
    if (begun.statusCode() == 501) {
      System.out.println("Skipped: a job with a statement, since this system has no SQL");
      return;
    }
    String job = header(begun, "Location");
    assertThat(get("/sql?q=SELECT%201", as("jobs")).statusCode()).isEqualTo(429);
    // The request itself has ended.
    try (RawHttp _ = hold(EVENTS, "jobs")) {
      assertAccepted(job, "jobs");
    }
    assertThat(delete(job, as("jobs")).statusCode()).isIn(200, 204);
    assertAccepted("/sql?q=SELECT%201", "jobs");
  }

  /// The lower bound holds however busy the machine is.
  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/paced.arrow",
        "/datasets/paced.arrows?columns=number,point&limit=119999",
        "/datasets/paced.csv?limit=60000",
        "/sql.arrows?q=SELECT%20*%20FROM%20paced",
      })
  void bodiesAreWholeAndTakeTheirTime(String path) throws Exception {
    put("/datasets/paced", Streams.table(Codec.NONE, 60_000, 60_000), as("large"));
    HttpResponse<byte[]> expected = get(path, as("large"));
    if (expected.statusCode() == 501) {
      return;
    }
    assertThat(expected.statusCode()).isEqualTo(200);
    assertPaced(expected.body().length, expected.body(), WRITE_BYTES, path);
  }

  @Tag("long")
  @Test
  void rangesTakeTheirTime() throws Exception {
    put("/datasets/ranged", Streams.table(Codec.NONE, 100_000, 100_000), as("large"));
    byte[] whole = get("/datasets/ranged.arrow", as("large")).body();
    int end = whole.length - 1_000;
    assertPaced(
        end - 1_000,
        Arrays.copyOfRange(whole, 1_000, end),
        RATE,
        "/datasets/ranged.arrow",
        "Range",
        "bytes=1000-" + (end - 1));
  }

  /// @param writeByteSize the most bytes that are sent at once
  private void assertPaced(
      int byteSize, byte[] expected, int writeByteSize, String path, String... headers)
      throws Exception {
    // A second's bytes may be sent at once, and the last ones once the others have taken their
    // time.
    assertThat(byteSize).isGreaterThan(RATE + writeByteSize);
    long start = System.nanoTime();
    HttpResponse<byte[]> response = get(path, as("slow", headers));
    long nanos = System.nanoTime() - start;
    assertThat(response.body()).isEqualTo(expected);
    assertThat(nanos)
        .isGreaterThan(TimeUnit.SECONDS.toNanos(1) * (byteSize - RATE - writeByteSize) / RATE);
  }

  @Test
  void rejectionsAreCountedAndAudited() throws Exception {
    try (RawHttp _ = hold(EVENTS, "small");
        RawHttp _ = hold(EVENTS, "small")) {
      assertRejected("/jobs", "small", OF_ALL + "requests", 2);
      assertThat(text(get("/metrics")))
          .containsPattern("quiver_principal_rejections_total\\{limit=\"requests\"} [1-9]")
          .contains("quiver_principal_rejections_total{limit=\"statements\"} ");
    }
    assertAccepted("/datasets/sample", "small");
    Path audit = Path.of(environment.getRequiredProperty("quiver.audit.path"));
    eventually(() -> {
      List<String> lines = Files.readAllLines(audit);
      assertThat(lines)
          .anyMatch(line ->
              line.contains("\"principal\":\"token:small\"")
                  && line.contains("\"action\":\"read\"")
                  && line.endsWith("\"status\":429}"));
    });
  }
}
