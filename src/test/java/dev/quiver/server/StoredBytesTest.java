package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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

/// Uploads of principals that have, or would have, too many bytes in the store.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/stored-bytes",
      "quiver.audit.path=${test.folder}/stored-bytes-audit/audit.jsonl",
      "quiver.auth.anonymous=write:open.*",
      "quiver.auth.limits.stored-bytes=20KB",
    })
@Timeout(120)
class StoredBytesTest extends RunningService {

  private static final int OF_ALL = 20 << 10;
  private static final int OF_SMALL = 10 << 10;

  @Autowired private Environment environment;

  /// The members of a list come from one source.
  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    token(registry, 0, "small");
    registry.add("quiver.auth.tokens[0].limits.stored-bytes", () -> OF_SMALL + "B");
    token(registry, 1, "large");
    registry.add("quiver.auth.tokens[1].limits.stored-bytes", () -> "0B");
    token(registry, 2, "filled");
  }

  private static void token(DynamicPropertyRegistry registry, int index, String name) {
    String key = "quiver.auth.tokens[%d].".formatted(index);
    registry.add(key + "name", () -> name);
    registry.add(key + "sha256", () -> Sha256.hex(name));
    registry.add(key + "permissions", () -> "write:*");
  }

  private static String[] as(String principal, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "Authorization";
    all[headers.length + 1] = "Bearer " + principal;
    return all;
  }

  /// Returns a stream of about so many bytes.
  private static byte[] stream(int byteSize) throws IOException {
    return Streams.numbers(0, byteSize / 4);
  }

  private static void assertProblem(JsonNode problem, String key, int maximum) {
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:quota-exceeded");
    assertThat(problem.get("status").intValue()).isEqualTo(507);
    assertThat(problem.get("detail").asString())
        .startsWith(
            "Expected at most %d bytes of one principal in the store (%s) but found "
                .formatted(maximum, key));
    assertThat(problem.at("/limit/key").asString()).isEqualTo(key);
    assertThat(problem.at("/limit/maximum").intValue()).isEqualTo(maximum);
  }

  private static void assertFull(HttpResponse<byte[]> response, String key, int maximum) {
    assertThat(response.statusCode()).isEqualTo(507);
    assertThat(header(response, "Retry-After")).isEqualTo("3600");
    assertProblem(json(response), key, maximum);
  }

  private static void assertOfTokenFull(HttpResponse<byte[]> response) {
    assertFull(response, "quiver.auth.tokens[].limits.stored-bytes", OF_SMALL);
  }

  @Test
  void aPrincipalStoresNoMoreThanItsLimit() throws Exception {
    byte[] half = stream(OF_SMALL / 2);
    assertThat(put("/datasets/small", half, as("small")).statusCode()).isEqualTo(201);
    assertOfTokenFull(put("/datasets/more", half, as("small")));
    assertOfTokenFull(put("/datasets/small", half, as("small")));
    assertOfTokenFull(post("/datasets/small", half, as("small")));
    assertOfTokenFull(post("/datasets", half, as("small")));
    assertThat(get("/datasets/more", as("small")).statusCode()).isEqualTo(404);
    assertThat(get("/datasets/small.arrows", as("small")).body()).isEqualTo(half);
    // Others go on, also in its dataset, and so do its smaller uploads and its deletes.
    assertThat(put("/datasets/open.1", half).statusCode()).isEqualTo(201);
    assertThat(post("/datasets/small", half, as("large")).statusCode()).isEqualTo(200);
    assertThat(put("/datasets/tiny", stream(100), as("small")).statusCode()).isEqualTo(201);
    assertThat(post("/datasets/small/compact", new byte[0], as("small")).statusCode())
        .isEqualTo(200);
    assertThat(delete("/datasets/small", as("small")).statusCode()).isEqualTo(204);
    assertThat(text(get("/metrics", as("large"))))
        .containsPattern("quiver_principal_rejections_total\\{limit=\"stored-bytes\"} [4-9]");
    assertAudited("token:small", "upload");
    assertAudited("token:small", "append");
  }

  @Test
  void newColumnsCountTheBytesOfTheWholeDataset() throws Exception {
    Field number = Field.of("number", true, new ArrowType.Int(32, true));
    List<Long> numbers = LongStream.range(0, OF_SMALL / 4).boxed().toList();
    put("/datasets/extended", Streams.of(Schema.of(number), numbers), as("large"));
    Field more = Field.of("more", true, new ArrowType.Int(8, true));
    byte[] column = Streams.of(Schema.of(more), List.of(1L));
    String[] small = as("small");
    assertOfTokenFull(post("/datasets/extended?columns=extend", column, small));
    assertThat(get("/datasets/extended@2/schema", small).statusCode()).isEqualTo(404);
    assertThat(post("/datasets/extended?columns=extend", column, as("large")).statusCode())
        .isEqualTo(200);
    assertThat(delete("/datasets/extended", as("large")).statusCode()).isEqualTo(204);
  }

  private void assertAudited(String principal, String action) {
    Path audit = Path.of(environment.getRequiredProperty("quiver.audit.path"));
    eventually(() ->
        assertThat(Files.readAllLines(audit))
            .anyMatch(line ->
                line.contains("\"principal\":\"%s\"".formatted(principal))
                    && line.contains("\"action\":\"%s\"".formatted(action))
                    && line.endsWith("\"status\":507}")));
  }

  @Test
  void anonymousIsOnePrincipal() throws Exception {
    assertFull(
        put("/datasets/open.2", stream(OF_ALL + 1)), "quiver.auth.limits.stored-bytes", OF_ALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/csv", "application/sql"})
  void uploadsOfOtherFormatsCount(String type) throws Exception {
    String body =
        type.equals("text/csv")
            ? "n\n" + "1234567\n".repeat(OF_ALL / 4)
            : "SELECT range AS n FROM range(%d)".formatted(OF_ALL / 4);
    HttpResponse<byte[]> response =
        put(
            "/datasets/other",
            body.getBytes(StandardCharsets.UTF_8),
            as("filled", "Content-Type", type));
    if (response.statusCode() == 501) {
      System.out.println("Skipped: an upload that this system has no engine for");
      return;
    }
    assertFull(response, "quiver.auth.limits.stored-bytes", OF_ALL);
  }

  @Test
  void formsCount() throws Exception {
    byte[] data = stream(OF_ALL + 1);
    byte[] start =
        """
        --x\r
        Content-Disposition: form-data; name="metadata"\r
        Content-Type: application/json\r
        \r
        {"name": "from-form"}\r
        --x\r
        Content-Disposition: form-data; name="data"; filename="a"\r
        Content-Type: application/vnd.apache.arrow.stream\r
        \r
        """
            .getBytes(StandardCharsets.UTF_8);
    byte[] end = "\r\n--x--\r\n".getBytes(StandardCharsets.UTF_8);
    byte[] form = Arrays.copyOf(start, start.length + data.length + end.length);
    System.arraycopy(data, 0, form, start.length, data.length);
    System.arraycopy(end, 0, form, start.length + data.length, end.length);
    assertFull(
        post("/datasets", form, as("filled", "Content-Type", "multipart/form-data; boundary=x")),
        "quiver.auth.limits.stored-bytes",
        OF_ALL);
  }

  @Test
  void resumableUploadsCount() throws Exception {
    HttpResponse<byte[]> response =
        put("/datasets/in-parts", stream(OF_ALL + 1), as("filled", "Upload-Complete", "?1"));
    assertFull(response, "quiver.auth.limits.stored-bytes", OF_ALL);
    assertThat(get("/datasets/in-parts", as("filled")).statusCode()).isEqualTo(404);
  }

  @Test
  void aJobFailsWithTheSameProblem() throws Exception {
    HttpResponse<byte[]> begun =
        put("/datasets/by-job", stream(OF_ALL + 1), as("filled", "Prefer", "respond-async"));
    assertThat(begun.statusCode()).isEqualTo(202);
    eventually(() -> {
      JsonNode job = json(get(header(begun, "Location"), as("filled")));
      assertThat(job.get("state").asString()).isEqualTo("failed");
      assertProblem(job.get("problem"), "quiver.auth.limits.stored-bytes", OF_ALL);
    });
    assertThat(get("/datasets/by-job", as("filled")).statusCode()).isEqualTo(404);
  }

  /// The manifest is the only place that has the writer.
  @Test
  void noResourceShowsTheWriter() throws Exception {
    HttpResponse<byte[]> created = put("/datasets/secret", stream(100), as("large"));
    assertThat(created.statusCode()).isEqualTo(201);
    Path manifests =
        Path.of(environment.getRequiredProperty("quiver.storage.path"), "manifests", "_secret_");
    try (Stream<Path> files = Files.list(manifests)) {
      Path manifest = files.findFirst().orElseThrow();
      assertThat(Files.readString(manifest, StandardCharsets.ISO_8859_1)).contains("token:large");
    }
    for (String path :
        List.of(
            "/datasets/secret.json",
            "/datasets/secret.arrow",
            "/datasets/secret.arrows",
            "/datasets/secret/schema",
            "/datasets/secret/versions",
            "/datasets/secret/batches?statistics=true",
            "/datasets/secret/blobs",
            "/datasets/secret/partitions?count=1",
            "/datasets",
            "/")) {
      HttpResponse<byte[]> response = get(path, as("large"));
      assertThat(response.statusCode()).as(path).isEqualTo(200);
      assertThat(new String(response.body(), StandardCharsets.ISO_8859_1))
          .as(path)
          .doesNotContain("token:");
      assertThat(response.headers().map().toString()).as(path).doesNotContain("token:");
    }
    assertThat(text(created)).doesNotContain("token:");
  }
}
