package dev.quiver.server.sql;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// The progress of statements in real workers. The settings equal those of [SqlTest], so that both
/// use one service.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestPropertySource(
    properties = {
      "quiver.sql.workers=2",
      "quiver.sql.queue=2",
      "quiver.sql.threads=1",
      "quiver.sql.memory=256MB",
      "quiver.cors.allowed-origins=https://elsewhere.test"
    })
class StatementProgressTest extends RunningService {

  private static final String ENDLESS = "SELECT count(*) FROM range(1000000000000000000)";

  /// Reads all rows first, and then goes on without end.
  private static final String ENDLESS_AFTER_ROWS =
      "SELECT count(*) FROM range(1000000000000000000) r(n)"
          + " WHERE n > (SELECT max(number) FROM slow)";

  private static final int ROWS = 400;

  /// Takes long enough for each row that the worker tells of some before it has read the others.
  private static final String SLOW =
      "SELECT max(levenshtein(repeat('a', 8000), repeat(number::VARCHAR, 4000))) FROM slow";

  private static final String LONGEST =
      "0123456789012345678901234567890123456789012345678901234567890aZ_";

  @BeforeAll
  void upload() throws Exception {
    int[] batchRows = new int[ROWS];
    Arrays.fill(batchRows, 1);
    put("/datasets/slow?batches=keep", Streams.numbers(10, batchRows));
  }

  private static String url(String sql) {
    return "/sql.csv?q=" + URLEncoder.encode(sql, StandardCharsets.UTF_8);
  }

  private static void start(RawHttp connection, String id, String sql) throws IOException {
    connection.send(
        "GET %s HTTP/1.1\nHost: localhost\nQuiver-Statement: %s\n\n".formatted(url(sql), id));
  }

  private JsonNode progress(String id) throws Exception {
    return json(get("/sql/statements/" + id));
  }

  private void awaitState(String id, String state) {
    eventually(() -> assertThat(progress(id).get("state").asString()).isEqualTo(state));
  }

  @Tag("long")
  @Test
  void runningStatementReportsItsProgress() throws Exception {
    String unknown = text(get("/sql/statements/never-sent"));
    assertThat(unknown)
        .isEqualTo(
            "{\"id\":\"never-sent\",\"state\":\"unknown\",\"progress\":null,\"rowsRead\":null,"
                + "\"rowsTotal\":null,\"seconds\":null}\n");
    try (RawHttp connection = new RawHttp(port)) {
      start(connection, "slow-1", SLOW);
      eventually(() -> assertThat(progress("slow-1").get("rowsRead").asLong(0)).isPositive());
      HttpResponse<byte[]> response = get("/sql/statements/slow-1");
      assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
      JsonNode running = json(response);
      assertThat(running.get("id").asString()).isEqualTo("slow-1");
      assertThat(running.get("state").asString()).isEqualTo("running");
      assertThat(running.get("rowsTotal").asLong()).isEqualTo(ROWS);
      long rowsRead = running.get("rowsRead").asLong();
      assertThat(rowsRead).isBetween(1L, ROWS - 1L);
      assertThat(running.get("progress").asDouble()).isEqualTo((double) rowsRead / ROWS);
      assertThat(running.get("seconds").asDouble()).isPositive();
      HttpResponse<byte[]> second = get(url("SELECT 1"), "Quiver-Statement", "slow-1");
      assertThat(second.statusCode()).isEqualTo(409);
      assertThat(json(second).get("type").asString()).isEqualTo("urn:quiver:problem:conflict");
      assertThat(json(second).get("detail").asString())
          .endsWith("found slow-1 at header Quiver-Statement");
      connection.reset();
    }
    eventually(() ->
        assertThat(text(get("/sql/statements/slow-1")))
            .isEqualTo(unknown.replace("never-sent", "slow-1")));
    assertThat(get(url("SELECT 1"), "Quiver-Statement", "slow-1").statusCode()).isEqualTo(200);
    awaitState("slow-1", "unknown");
  }

  @Test
  void statementWithoutAWorkerWaits() throws Exception {
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port);
        RawHttp third = new RawHttp(port)) {
      start(first, "without-rows", ENDLESS);
      start(second, "all-rows", ENDLESS_AFTER_ROWS);
      awaitState("without-rows", "running");
      // The last batch is told at once, since nothing is read after it.
      eventually(() -> assertThat(progress("all-rows").get("rowsRead").asLong(0)).isEqualTo(ROWS));
      assertThat(progress("all-rows").get("progress").asDouble()).isEqualTo(1);
      start(third, "third", ENDLESS);
      awaitState("third", "waiting");
      for (String id : List.of("without-rows", "third")) {
        for (String member : List.of("progress", "rowsRead", "rowsTotal")) {
          assertThat(progress(id).get(member).isNull()).as(id + " " + member).isTrue();
        }
      }
      third.reset();
      second.reset();
      first.reset();
    }
    for (String id : List.of("third", "all-rows", "without-rows")) {
      awaitState(id, "unknown");
    }
  }

  /// A plan reads no rows, although its statement would.
  @Test
  void statementThatHasEndedIsUnknown() throws Exception {
    for (String parameters : List.of("", "&explain=true")) {
      HttpResponse<byte[]> response =
          get(url("SELECT max(number) FROM slow") + parameters, "Quiver-Statement", LONGEST);
      assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
      awaitState(LONGEST, "unknown");
    }
    assertThat(get(url("SELECT nothing"), "Quiver-Statement", LONGEST).statusCode()).isEqualTo(400);
    awaitState(LONGEST, "unknown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b", "a b", "a/b", "%61", LONGEST + "0"})
  void invalidIdIsABadRequest(String id) throws Exception {
    for (HttpResponse<byte[]> response :
        List.of(
            get(url("SELECT 1"), "Quiver-Statement", id),
            post(
                "/sql.csv", "SELECT 1".getBytes(StandardCharsets.UTF_8), "Quiver-Statement", id))) {
      assertThat(response.statusCode()).as(text(response)).isEqualTo(400);
      assertThat(json(response).get("detail").asString())
          .isEqualTo(
              "Expected 1 to 64 characters from A-Z a-z 0-9 _ - but found \"%s\" at header"
                      .formatted(id)
                  + " Quiver-Statement");
    }
  }

  @Test
  void onlyIdsThatStatementsMayHaveAreResources() throws Exception {
    assertThat(get("/sql/statements/" + LONGEST).statusCode()).isEqualTo(200);
    for (String id : List.of("", "a.b", LONGEST + "0")) {
      HttpResponse<byte[]> response = get("/sql/statements/" + id);
      assertThat(response.statusCode()).as(id).isEqualTo(404);
    }
    HttpResponse<byte[]> twice =
        get(url("SELECT 1"), "Quiver-Statement", "a", "Quiver-Statement", "b");
    assertThat(json(twice).get("detail").asString())
        .isEqualTo("Expected one id but found 2 at header Quiver-Statement");
  }
}
