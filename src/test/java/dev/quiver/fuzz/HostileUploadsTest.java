package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.TestData;
import dev.quiver.Trials;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.golden.Decoded;
import dev.quiver.golden.Validation;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Tests hostile uploads to a service with little memory. Each is rejected with a proper message,
/// or becomes a dataset whose representations are readable and agree. Each also yields an
/// inspection report or a proper rejection. No request takes a second of CPU time or allocates 64
/// MiB.
///
/// `-Dtrials.percent=2000` tries 10,000 mutations.
@Tag("random")
class HostileUploadsTest {

  private static final int MUTATION_COUNT = Trials.of(500);
  private static final int BATCHES_MAXIMUM = 5;
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "stream", "application/vnd.apache.arrow.stream",
          "file", "application/vnd.apache.arrow.file",
          "unknown", "application/octet-stream");

  @TempDir private Path folder;
  private int acceptedCount;
  private int rejectedCount;

  @Tag("long")
  @Test
  void fuzzCorporaAreRejectedOrServed() throws Exception {
    try (MeteredService service = new MeteredService(folder)) {
      for (String corpus : List.of("stream", "file", "tensor-stream")) {
        Path inputs = TestData.arrowTestData().resolve("arrow-ipc-" + corpus);
        String format = corpus.equals("file") ? "file" : "stream";
        try (Stream<Path> files = Files.list(inputs)) {
          for (Path input : files.filter(Files::isRegularFile).sorted().toList()) {
            upload(service, input.toString(), Files.readAllBytes(input), format);
            upload(service, input.toString(), Files.readAllBytes(input), "unknown");
          }
        }
      }
      assertThat(rejectedCount).isPositive();
    }
  }

  @Test
  void mutationsOfGoldenFilesAreRejectedOrServed() throws Exception {
    Mutations mutations = Mutations.of(TestData.arrowTestData());
    try (MeteredService service = new MeteredService(folder)) {
      for (int i = 0; i < MUTATION_COUNT; i++) {
        String description = "mutation " + i + " of " + mutations.origin(i);
        upload(service, description, mutations.body(i), mutations.format(i));
      }
      System.out.printf(
          "%d mutations: %d stored, %d rejected, no request took more than %s%n",
          MUTATION_COUNT, acceptedCount, rejectedCount, service.peaks());
    }
    // If all mutations or none were accepted, the test would prove little.
    assertThat(acceptedCount).isBetween(MUTATION_COUNT / 20, MUTATION_COUNT * 3 / 4);
  }

  private void upload(MeteredService service, String description, byte[] body, String format)
      throws Exception {
    String type = Objects.requireNonNull(MEDIA_TYPES.get(format));
    try {
      assertInspected(service, body, type);
      HttpResponse<byte[]> response =
          service.send("PUT", "/datasets/hostile", body, "Content-Type", type);
      if (response.statusCode() == 201) {
        acceptedCount++;
        assertReadable(service);
        assertThat(service.send("DELETE", "/datasets/hostile", new byte[0]).statusCode())
            .isEqualTo(204);
      } else {
        rejectedCount++;
        assertRejected(response);
      }
    } catch (Exception | AssertionError e) {
      throw new AssertionError(description + " as " + format, e);
    }
  }

  /// Asserts that the input yields a report or is rejected with a proper message.
  private static void assertInspected(MeteredService service, byte[] body, String type)
      throws Exception {
    HttpResponse<byte[]> response = service.send("POST", "/inspect", body, "Content-Type", type);
    if (response.statusCode() == 200) {
      assertThat(JSON.readTree(response.body()).has("findings")).isTrue();
    } else {
      assertRejected(response);
    }
  }

  private static void assertRejected(HttpResponse<byte[]> response) {
    String text = new String(response.body(), StandardCharsets.UTF_8);
    assertThat(response.statusCode()).as(text).isIn(400, 413, 415, 422);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    JsonNode problem = JSON.readTree(response.body());
    assertThat(problem.get("status").asInt()).isEqualTo(response.statusCode());
    assertThat(problem.get("detail").asString()).matches("(?s)Expected .+ but found .+");
  }

  private static void assertReadable(MeteredService service) throws Exception {
    byte[] file = get(service, ".arrow");
    Decoded expected = decoded(file, true);
    decoded(get(service, ".arrows"), false).assertHolds(expected, "the stream");
    JsonNode index = JSON.readTree(get(service, "/batches"));
    int batchCount = index.get("batches").size();
    for (int i = 0; i < Math.min(batchCount, BATCHES_MAXIMUM); i++) {
      new Decoded(expected.schema(), List.of(expected.batches().get(i)))
          .assertHolds(decoded(get(service, "/batches/" + i), false), "batch " + i);
    }
    assertThat(JSON.readTree(get(service, "/schema")).get("fields").size())
        .isEqualTo(expected.schema().fields().size());
    decoded(get(service, "/schema", "Accept", "application/vnd.apache.arrow.stream"), false)
        .assertHolds(new Decoded(expected.schema(), List.of()), "the schema");
    get(service, "");
    for (String codec : List.of("none", "lz4", "zstd")) {
      String query = "?codec=" + codec;
      decoded(get(service, ".arrow" + query), true).assertHolds(expected, "the file" + query);
      decoded(get(service, ".arrows" + query), false).assertHolds(expected, "the stream" + query);
    }
    if (batchCount > 0) {
      String all = "/batches/0-" + (batchCount - 1);
      decoded(get(service, all), false).assertHolds(expected, "all batches");
      decoded(get(service, all + "?codec=lz4"), false).assertHolds(expected, "all in LZ4");
    }
    assertRowsReadable(service);
  }

  /// Asserts that rows are readable as text, unless they exceed the limit.
  private static void assertRowsReadable(MeteredService service) throws Exception {
    for (String suffix : List.of(".json", ".jsonl", ".csv")) {
      HttpResponse<byte[]> response =
          service.send("GET", "/datasets/hostile" + suffix, new byte[0]);
      String text = new String(response.body(), StandardCharsets.UTF_8);
      assertThat(response.statusCode()).as(suffix + " " + text).isIn(200, 413);
      if (response.statusCode() == 200) {
        switch (suffix) {
          case ".json" -> assertThat(JSON.readTree(response.body()).isArray()).isTrue();
          case ".jsonl" ->
              text.lines().forEach(line -> assertThat(JSON.readTree(line)).isNotNull());
          default -> assertThat(text).endsWith("\r\n");
        }
      }
    }
  }

  private static byte[] get(MeteredService service, String suffix, String... headers)
      throws Exception {
    HttpResponse<byte[]> response =
        service.send("GET", "/datasets/hostile" + suffix, new byte[0], headers);
    assertThat(response.statusCode()).as("GET " + suffix).isEqualTo(200);
    return response.body();
  }

  /// Returns the validated values, or the column lengths of batches too large to read.
  private static Decoded decoded(byte[] bytes, boolean asFile) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(Math.max(1, bytes.length), 8);
      segment = segment.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
      List<List<List<@Nullable Object>>> batches = new ArrayList<>();
      Decoded.BatchConsumer read = batch -> batches.add(values(batch));
      return new Decoded(
          asFile
              ? Decoded.forEachBatchOfFile(segment, read)
              : Decoded.forEachBatchOfStream(segment, read),
          batches);
    }
  }

  private static List<List<@Nullable Object>> values(RecordBatch batch) {
    Validation.assertValid(batch);
    if (Validation.isSmall(batch)) {
      return Decoded.values(batch);
    }
    List<List<@Nullable Object>> lengths = new ArrayList<>();
    batch.columns().forEach(column -> lengths.add(List.of(column.length())));
    return lengths;
  }
}
