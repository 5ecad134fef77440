package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// The lines of the audit log about writes, refusals and links.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/audit-store",
      "quiver.audit.path=${test.folder}/audit-logs/audit.jsonl",
    })
@Timeout(120)
class AuditTest extends RunningService {

  private static final String ETL = "token-of-etl";
  private static final String SECRET = "a-secret-of-the-statement";

  @Autowired private Environment environment;
  private Path file;

  /// The members of a list come from one source.
  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    registry.add("quiver.auth.tokens[0].name", () -> "etl");
    registry.add("quiver.auth.tokens[0].sha256", () -> Sha256.hex(ETL));
    registry.add("quiver.auth.tokens[0].permissions", () -> "write:team.*");
  }

  private static String[] as(String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer " + ETL));
    all.addAll(List.of(headers));
    return all.toArray(String[]::new);
  }

  @BeforeEach
  void findFile() {
    file = Path.of(environment.getRequiredProperty("quiver.audit.path"));
  }

  /// Waits for the line of a request, and returns it without its time and address.
  private String line(HttpResponse<?> response) {
    String id = response.headers().firstValue("X-Request-Id").orElseThrow();
    List<JsonNode> found = new ArrayList<>();
    eventually(() -> {
      found.clear();
      for (JsonNode line : lines()) {
        if (line.path("requestId").asString("").equals(id)) {
          found.add(line);
        }
      }
      assertThat(found).hasSize(1);
    });
    JsonNode line = found.getFirst();
    assertThat(line.get("time").asString()).matches("[0-9-]{10}T[0-9:.]+Z");
    assertThat(line.get("client").asString()).contains("127.0.0.1");
    StringBuilder text = new StringBuilder();
    for (String member : List.of("principal", "action", "dataset", "version", "bytes", "status")) {
      text.append(line.has(member) ? line.get(member).asString() : "-").append(' ');
    }
    return text.toString().strip();
  }

  /// Returns the lines of the log. The last one may still be written: it has no end yet.
  private List<JsonNode> lines() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(JSON::readTree).toList();
  }

  @Test
  void everyWriteHasALine() throws Exception {
    byte[] data = Streams.numbers(0, 3);
    String size = " " + data.length + " ";
    assertThat(line(put("/datasets/team.a", data, as())))
        .isEqualTo("token:etl upload team.a 1" + size + "201");
    assertThat(line(post("/datasets/team.a", data, as())))
        .isEqualTo("token:etl append team.a 2" + size + "200");
    assertThat(line(put("/datasets/team.a", new byte[] {1, 2, 3}, as())))
        .isEqualTo("token:etl upload team.a - 3 415");
    assertThat(line(post("/datasets/team.a/compact", new byte[0], as())))
        .isEqualTo("token:etl compact team.a 3 - 200");
    assertThat(line(post("/datasets/team.a/verify", new byte[0], as())))
        .isEqualTo("token:etl verify team.a - - 200");
    assertThat(line(post("/datasets/team.a@1/links", new byte[0], as())))
        .isEqualTo("token:etl link team.a 1 - 201");
    HttpResponse<byte[]> deleted = delete("/datasets/team.a", as());
    assertThat(line(deleted)).startsWith("token:etl delete team.a ").endsWith(" - 204");
    String csv = "name,x\n1,2\n";
    HttpResponse<byte[]> formed =
        put(
            "/datasets/team.sql",
            ("SELECT '" + SECRET + "' AS a").getBytes(StandardCharsets.UTF_8),
            as("Content-Type", "application/sql"));
    assertThat(line(formed)).startsWith("token:etl upload team.sql 1 ");
    assertThat(line(put("/datasets/team.b.csv", csv.getBytes(StandardCharsets.UTF_8), as())))
        .isEqualTo("token:etl upload team.b 1 11 201");
    assertThat(Files.readString(file)).doesNotContain(SECRET, ETL);
  }

  @Test
  void everyRefusalHasALine() throws Exception {
    assertThat(line(get("/datasets/team.a"))).isEqualTo("anonymous read team.a - - 401");
    assertThat(line(get("/datasets/hidden@4.json", as())))
        .isEqualTo("token:etl read hidden 4 - 404");
    assertThat(line(put("/datasets/hidden", new byte[] {1}, as())))
        .isEqualTo("token:etl upload hidden - 1 404");
    assertThat(line(get("/metrics", as()))).isEqualTo("token:etl read - - - 403");
    assertThat(line(get("/datasets", "Authorization", "Bearer wrong")))
        .isEqualTo("anonymous read - - - 401");
  }

  @Test
  void readsHaveNoLineButThoseByLinks() throws Exception {
    put("/datasets/team.read", Streams.numbers(0, 3), as());
    HttpResponse<byte[]> made = post("/datasets/team.read/links", new byte[0], as());
    String url = json(made).get("url").asString();
    HttpResponse<byte[]> plain = get("/datasets/team.read.json", as());
    assertThat(plain.statusCode()).isEqualTo(200);
    HttpResponse<byte[]> linked = get(url.substring(url.indexOf("/datasets")));
    assertThat(line(linked)).isEqualTo("anonymous read-by-link team.read 1 - 200");
    assertThat(get("/datasets/team.unknown", as()).statusCode()).isEqualTo(404);
    assertThat(lines())
        .noneMatch(line ->
            line.path("requestId")
                .asString("")
                .equals(plain.headers().firstValue("X-Request-Id").orElseThrow()));
    assertThat(Files.readString(file)).doesNotContain("link=");
  }

  @Test
  void bytesWithoutAnnouncedSizeAreCounted() throws Exception {
    byte[] data = Streams.numbers(0, 3);
    HttpResponse<byte[]> response =
        send(
            "PUT",
            "/datasets/team.chunked",
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(data)),
            as());
    assertThat(line(response)).isEqualTo("token:etl upload team.chunked 1 " + data.length + " 201");
  }

  @Test
  void auditsPartsAsParts() throws Exception {
    byte[] data = Streams.numbers(0, 3);
    byte[] first = Arrays.copyOf(data, 100);
    byte[] rest = Arrays.copyOfRange(data, 100, data.length);
    HttpResponse<byte[]> begun = put("/datasets/team.parts", first, as("Upload-Complete", "?0"));
    assertThat(line(begun)).isEqualTo("token:etl upload-part team.parts - 100 201");
    String upload = begun.headers().firstValue("Location").orElseThrow();
    assertThat(line(patch(upload, new byte[0], "?0", 7)))
        .isEqualTo("token:etl upload-part team.parts - - 409");
    assertThat(line(patch(upload, rest, "?1", 100)))
        .isEqualTo("token:etl upload team.parts 1 " + data.length + " 201");
    assertThat(line(patch(upload, new byte[0], "?1", data.length)))
        .as("repeated")
        .isEqualTo("token:etl upload team.parts 1 " + data.length + " 201");
    assertThat(line(patch("/datasets/team.parts", new byte[0], "?1", 0))).contains(" other ");
    HttpResponse<byte[]> other = put("/datasets/team.parts", first, as("Upload-Complete", "?0"));
    HttpResponse<byte[]> canceled =
        delete(other.headers().firstValue("Location").orElseThrow(), as());
    assertThat(line(canceled)).isEqualTo("token:etl cancel team.parts - - 204");
  }

  private HttpResponse<byte[]> patch(String upload, byte[] content, String complete, int offset)
      throws Exception {
    return patch(
        upload,
        content,
        as(
            "Content-Type",
            "application/partial-upload",
            "Upload-Complete",
            complete,
            "Upload-Offset",
            Integer.toString(offset)));
  }

  @Test
  void cancelledJobHasALine() throws Exception {
    String statement = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b";
    HttpResponse<byte[]> accepted =
        put(
            "/datasets/team.cancelled",
            statement.getBytes(StandardCharsets.UTF_8),
            as("Content-Type", "application/sql", "Prefer", "respond-async"));
    assertThat(accepted.statusCode()).as(text(accepted)).isEqualTo(202);
    String job = accepted.headers().firstValue("Location").orElseThrow();
    HttpResponse<byte[]> cancelled = delete(job, as());
    assertThat(cancelled.statusCode()).isEqualTo(200);
    assertThat(line(cancelled)).isEqualTo("token:etl cancel team.cancelled - - 200");
    JsonNode line = awaitJob(accepted);
    assertThat(line.get("dataset").asString()).isEqualTo("team.cancelled");
    assertThat(line.has("status") || line.has("version")).isFalse();
  }

  /// Waits for the line of a job that ended.
  private JsonNode awaitJob(HttpResponse<byte[]> accepted) throws Exception {
    String id = accepted.headers().firstValue("X-Request-Id").orElseThrow();
    AtomicReference<JsonNode> job = new AtomicReference<>();
    eventually(() ->
        assertThat(lines())
            .filteredOn(line -> line.path("requestId").asString("").equals(id))
            .filteredOn(line -> line.get("action").asString().equals("job"))
            .singleElement()
            .satisfies(job::set));
    return job.get();
  }

  @Test
  void failedJobHasALine() throws Exception {
    byte[] data = Arrays.copyOf(Streams.numbers(0, 3), 100);
    HttpResponse<byte[]> accepted =
        put("/datasets/team.failed", data, as("Prefer", "respond-async"));
    assertThat(accepted.statusCode()).isEqualTo(202);
    JsonNode line = awaitJob(accepted);
    assertThat(line.get("dataset").asString()).isEqualTo("team.failed");
    assertThat(line.get("status").asInt()).isEqualTo(400);
    assertThat(line.has("version")).isFalse();
  }

  /// The rows of a CSV file are read to its end, which closes the file before the job ends.
  @ParameterizedTest
  @ValueSource(strings = {"a,b\n1,2\n", "a,b\n1,2,3\n"})
  void jobOfCsvTellsTheBytesOfItsBody(String text) throws Exception {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    HttpResponse<byte[]> accepted =
        put(
            "/datasets/team.table",
            body,
            as("Prefer", "respond-async", "Content-Type", "text/csv"));
    assertThat(accepted.statusCode()).isEqualTo(202);
    assertThat(awaitJob(accepted).get("bytes").asInt()).isEqualTo(body.length);
  }

  @Test
  void compactionAfterAppendsHasALine() throws Exception {
    byte[] data = Streams.numbers(0, 3);
    put("/datasets/team.small", data, as());
    for (int i = 0; i < 17; i++) {
      post("/datasets/team.small", data, as());
    }
    eventually(() ->
        assertThat(lines())
            .anySatisfy(line -> {
              assertThat(line.get("principal").asString()).isEqualTo("service");
              assertThat(line.get("action").asString()).isEqualTo("compact");
              assertThat(line.get("dataset").asString()).isEqualTo("team.small");
              assertThat(line.get("version").asLong()).isGreaterThan(16);
              assertThat(line.has("client") || line.has("requestId")).isFalse();
            }));
  }

  @Test
  void jobHasALineOfItsOwn() throws Exception {
    HttpResponse<byte[]> accepted =
        put("/datasets/team.job", Streams.numbers(0, 3), as("Prefer", "respond-async"));
    assertThat(accepted.statusCode()).isEqualTo(202);
    String id = accepted.headers().firstValue("X-Request-Id").orElseThrow();
    eventually(() ->
        assertThat(lines())
            .filteredOn(line -> line.path("requestId").asString("").equals(id))
            .extracting(line -> line.get("action").asString())
            .containsExactlyInAnyOrder("upload", "job"));
  }
}
