package dev.quiver.server.read;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Uploads with an `expires`. A time of a millisecond has passed before the next response.
class ExpiresTest extends RunningService {

  private static final String HOUR = "?expires=1h";

  private void expire(String name) throws Exception {
    put("/datasets/" + name + "?expires=1ms", Streams.numbers(0, 3));
    eventually(() -> assertThat(get("/datasets/" + name + "/schema").statusCode()).isEqualTo(410));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".arrow",
        ".arrows",
        ".json",
        ".jsonl",
        ".csv",
        ".tsv",
        ".parquet",
        "@1",
        "@1.arrow",
        "/schema",
        "/batches",
        "/batches/0",
        "/partitions",
        "/statistics",
        "/versions",
        "/events",
        "/blobs",
        "@1/batches/0.arrows",
        "?since=1",
        ".csv?where=number%3E0"
      })
  void versionThatHasEndedIsGoneInEveryRepresentation(String path) throws Exception {
    if (get("/datasets/expired-read").statusCode() != 410) {
      expire("expired-read");
    }
    HttpResponse<byte[]> response = get("/datasets/expired-read" + path);
    assertThat(response.statusCode()).isEqualTo(410);
    JsonNode problem = json(response);
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:expired");
    assertThat(Instant.parse(problem.get("expires").asString())).isBefore(Instant.now());
    assertThat(problem.get("detail").asString())
        .startsWith("Expected a version that has not expired but found one that did at 2");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void versionThatHasEndedIsNotListedNorInSql() throws Exception {
    expire("expired-list");
    assertThat(text(get("/datasets?prefix=expired-list"))).doesNotContain("\"expired-list\"");
    assertThat(text(get("/datasets/?prefix=expired-list"))).doesNotContain("expired-list.arrow");
    HttpResponse<byte[]> sql =
        post("/sql", "SELECT * FROM \"expired-list\"".getBytes(StandardCharsets.UTF_8));
    assertThat(sql.statusCode()).isEqualTo(400);
    assertThat(json(sql).get("type").asString()).isEqualTo("urn:quiver:problem:unknown-dataset");
    assertThat(delete("/datasets/expired-list").statusCode()).isEqualTo(410);
    HttpResponse<byte[]> again =
        put("/datasets/expired-list", Streams.numbers(0, 1), "If-None-Match", "*");
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(json(again).has("expires")).isFalse();
  }

  @Test
  void endIsShownWhereTheVersionIs() throws Exception {
    Instant before = Instant.now();
    HttpResponse<byte[]> response = put("/datasets/expires-shown" + HOUR, Streams.numbers(0, 3));
    String end = json(response).get("expires").asString();
    assertThat(Instant.parse(end))
        .isBetween(before.plusSeconds(3599), Instant.now().plusSeconds(3600));
    assertThat(json("/datasets?prefix=expires-shown").at("/datasets/0/expires").asString())
        .isEqualTo(end);
    assertThat(json("/datasets/expires-shown/versions").at("/versions/0/expires").asString())
        .isEqualTo(end);
    assertThat(text(get("/datasets.csv?prefix=expires-shown")))
        .contains("modified,expires\r\n", end.substring(0, 19));
    assertThat(text(get("/datasets/expires-shown", "Accept", "text/html")))
        .contains("<th>expires", end.substring(0, 19).replace('T', ' '));
    put("/datasets/expires-none", Streams.numbers(0, 3));
    assertThat(json("/datasets?prefix=expires-none").at("/datasets/0").has("expires")).isFalse();
    assertThat(text(get("/datasets/expires-none", "Accept", "text/html")))
        .doesNotContain("<th>expires");
  }

  @Test
  void noCacheKeepsAResponseBeyondTheEnd() throws Exception {
    put("/datasets/expires-cached" + HOUR, Streams.numbers(0, 3));
    for (String path : List.of("@1.arrow", "@1.csv", "@1.parquet", "@1/batches/0")) {
      String header = header(get("/datasets/expires-cached" + path), "Cache-Control");
      assertThat(header).matches("public, max-age=\\d+, must-revalidate");
      assertThat(Long.parseLong(header.replaceAll("\\D", ""))).isBetween(0L, 3600L);
    }
    assertThat(header(get("/datasets/expires-cached.arrow"), "Cache-Control"))
        .isEqualTo("no-cache");
    put("/datasets/expires-cached", Streams.numbers(0, 3));
    assertThat(header(get("/datasets/expires-cached@2.arrow"), "Cache-Control"))
        .isEqualTo("public, max-age=31536000, immutable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3600",
        "60m",
        "P1D",
        "PT1H",
        "2999-01-01T00:00:00Z",
        "2999-12-31T23:59:59.5%2B01:00"
      })
  void endIsADurationOrATime(String value) throws Exception {
    HttpResponse<byte[]> response = post("/datasets?expires=" + value, Streams.numbers(0, 1));
    assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
    assertThat(Instant.parse(json(response).get("expires").asString())).isAfter(Instant.now());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1h",
        "soon",
        "2001-01-01T00:00:00Z",
        "2999-01-01",
        "2999-01-01T00:00:00",
        "999999999999999999",
        "99999999999d",
        "P99999999999D",
        "%2B10000-01-01T00:00:00Z",
        "NEVER"
      })
  void otherEndsAreRejected(String value) throws Exception {
    HttpResponse<byte[]> response =
        put("/datasets/expires-never?expires=" + value, Streams.numbers(0, 1));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .startsWith(
            "Expected a time to come such as 2030-01-31T12:00:00Z, a duration such as 24h, or"
                + " never but found \"")
        .endsWith("\" at parameter expires");
    assertThat(get("/datasets/expires-never").statusCode()).isEqualTo(404);
  }

  @Test
  void appendKeepsTheEndUnlessItSaysNever() throws Exception {
    byte[] rows = Streams.numbers(0, 2);
    String end = json(put("/datasets/expires-append" + HOUR, rows)).get("expires").asString();
    assertThat(json(post("/datasets/expires-append", rows)).get("expires").asString())
        .isEqualTo(end);
    assertThat(json(post("/datasets/expires-append?expires=never", rows)).has("expires")).isFalse();
  }

  @Test
  void resultsAndFormsHaveEnds() throws Exception {
    HttpResponse<byte[]> result =
        put(
            "/datasets/expires-sql" + HOUR,
            "SELECT 1 AS a".getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "application/sql");
    assertThat(json(result).has("expires")).isTrue();
    String form =
        """
        --b\r
        Content-Disposition: form-data; name="metadata"\r
        \r
        {"name": "expires-form", "expires": "%s"}\r
        --b\r
        Content-Disposition: form-data; name="data"; filename="a.csv"\r
        \r
        a
        1
        \r
        --b--\r
        """;
    HttpResponse<byte[]> posted =
        post(
            "/datasets",
            form.formatted("2h").getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "multipart/form-data; boundary=b");
    assertThat(posted.statusCode()).as(text(posted)).isEqualTo(201);
    assertThat(json(posted).has("expires")).isTrue();
    HttpResponse<byte[]> rejected =
        post(
            "/datasets",
            form.formatted("soon").getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "multipart/form-data; boundary=b");
    assertThat(rejected.statusCode()).isEqualTo(400);
    assertThat(json(rejected).get("detail").asString())
        .endsWith("found \"soon\" at member expires of part metadata");
  }
}
