package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Requests for data in which a bit was flipped.
@TestPropertySource(properties = "quiver.storage.path=${test.folder}/damaged")
class DamagedDataTest extends RunningService {

  private static final int ROWS = 200_000;

  private static List<Path> blobs(String name, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("damaged/data/_" + name + "_"))) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  private static void flip(Path file, long position) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[Math.toIntExact(position)] ^= 0x10;
    Files.write(file, bytes);
  }

  private void requireDamaged(HttpResponse<byte[]> response, String version, Path blob, long at)
      throws Exception {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(503);
    JsonNode problem = json(response);
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:damaged");
    assertThat(problem.get("version").asString()).isEqualTo(version);
    assertThat(problem.get("hint").asString()).startsWith("Store the data again");
    assertThat(blob.toString()).endsWith(problem.get("blob").asString());
    assertThat(at - problem.get("byteOffset").asLong()).isBetween(0L, 65_535L);
  }

  private double damagedReads() throws Exception {
    return text(get("/metrics"))
        .lines()
        .filter(line -> line.startsWith("quiver_damaged_reads_total "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .sum();
  }

  @Test
  void everyReadOfDamagedBytesNamesThem() throws Exception {
    put("/datasets/whole", Streams.numbers(0, 100));
    put("/datasets/damaged", Streams.numbers(0, ROWS));
    Path blob = blobs("damaged", ".arrow").getFirst();
    long position = Files.size(blob) / 2;
    flip(blob, position);
    double before = damagedReads();
    for (String path :
        List.of(
            "/datasets/damaged.csv?offset=-1",
            "/datasets/damaged.json?limit=1",
            "/datasets/damaged.arrows?offset=5&limit=10",
            "/datasets/damaged.arrow?codec=lz4",
            "/datasets/damaged.csv?where=number%20%3C%205",
            "/datasets/damaged/statistics",
            "/datasets/damaged.parquet",
            "/sql.csv?q=SELECT%20sum(number)%20FROM%20damaged")) {
      requireDamaged(get(path), "damaged@1", blob, position);
    }
    assertThat(damagedReads()).isGreaterThanOrEqualTo(before + 8);
    assertThat(get("/datasets/whole.csv").statusCode()).isEqualTo(200);
    assertThat(get("/sql.csv?q=SELECT%20sum(number)%20FROM%20whole").statusCode()).isEqualTo(200);
    // The operating system sends these.
    assertThat(get("/datasets/damaged.arrow").statusCode()).isEqualTo(200);
    flip(blob, position);
    assertThat(get("/datasets/damaged.csv").statusCode()).isEqualTo(200);
  }

  @Test
  void abortsAResponseThatHasBegun() throws Exception {
    put("/datasets/late", Streams.numbers(0, ROWS));
    post("/datasets/late", Streams.numbers(ROWS, ROWS));
    Path blob = blobs("late", ".arrow").getLast();
    flip(blob, Files.size(blob) / 2);
    assertThatThrownBy(() -> get("/datasets/late.csv")).isInstanceOf(IOException.class);
  }

  @Test
  void aDamagedManifestIsNotReplacedByTheVersionBefore() throws Exception {
    put("/datasets/latest", Streams.numbers(0, 10));
    put("/datasets/latest", Streams.numbers(0, 20));
    Path manifest = FOLDER.resolve("damaged/manifests/_latest_/9223372036854775805");
    flip(manifest, 100);
    for (String path :
        List.of("/datasets/latest", "/datasets/latest.arrow", "/datasets/latest@1.csv")) {
      requireDamaged(get(path), "latest@2", manifest, 100);
    }
    requireDamaged(post("/datasets/latest", Streams.numbers(0, 1)), "latest@2", manifest, 100);
  }

  @Test
  void verifiesAVersion() throws Exception {
    put("/datasets/verified", Streams.numbers(0, ROWS));
    post("/datasets/verified", Streams.numbers(ROWS, 5));
    HttpResponse<byte[]> intact = post("/datasets/verified/verify", new byte[0]);
    assertThat(intact.statusCode()).as(text(intact)).isEqualTo(200);
    // Two uploads with a sidecar each, and the manifest.
    assertThat(json(intact).get("blobs").intValue()).isEqualTo(5);
    assertThat(json(intact).get("bytes").intValue()).isGreaterThan(4 * ROWS);
    assertThat(json(intact).get("damaged").isEmpty()).isTrue();

    Path data = blobs("verified", ".arrow").getFirst();
    Path sidecar = blobs("verified", ".sidecar").getLast();
    flip(data, 1000);
    flip(data, Files.size(data) / 2);
    flip(sidecar, 20);
    HttpResponse<byte[]> damaged = post("/datasets/verified/verify", new byte[0]);
    assertThat(damaged.statusCode()).isEqualTo(503);
    JsonNode problem = json(damaged);
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:damaged");
    assertThat(problem.get("damaged").values())
        .extracting(each -> Path.of(each.get("blob").asString()).getFileName())
        .containsExactly(data.getFileName(), data.getFileName(), sidecar.getFileName());
    assertThat(problem.at("/damaged/0/version").asString()).isEqualTo("verified@2");
    assertThat(problem.at("/damaged/0/byteOffset").longValue()).isBetween(0L, 1000L);
    assertThat(post("/datasets/verified@1/verify", new byte[0]).statusCode()).isEqualTo(503);
    assertThat(post("/datasets/whole-unknown/verify", new byte[0]).statusCode()).isEqualTo(404);

    Files.delete(data);
    assertThat(
            json(post("/datasets/verified@1/verify", new byte[0])).at("/damaged/0/blob").asString())
        .endsWith(data.getFileName().toString());
  }

  /// Nothing tells whether the columns are the same.
  @Test
  void textOfNoStatedFormatReplacesUnreadableDataOnlyIfTheClientSaysSo() throws Exception {
    byte[] body = "a,b\n1,2\n".getBytes(StandardCharsets.UTF_8);
    for (boolean isLost : new boolean[] {false, true}) {
      String name = isLost ? "replaced-lost" : "replaced-damaged";
      put("/datasets/" + name, Streams.numbers(0, 10));
      Path blob = blobs(name, ".arrow").getFirst();
      if (isLost) {
        Files.delete(blob);
      } else {
        // The schema is at the start, and in the footer.
        flip(blob, 100);
        flip(blob, Files.size(blob) - 100);
      }
      HttpResponse<byte[]> response = put("/datasets/" + name, body);
      assertThat(response.statusCode()).as(text(response)).isEqualTo(409);
      assertThat(json(response).get("detail").asString())
          .isEqualTo(
              "Expected a body with a stated format but found one without for dataset %s, whose columns cannot be read"
                  .formatted(name));
      assertThat(json(response).get("hint").asString())
          .startsWith("To replace the data, send it to /datasets/%s.csv".formatted(name));
      assertThat(put("/datasets/" + name + ".csv", body).statusCode()).isEqualTo(200);
      assertThat(text(get("/datasets/" + name + ".csv"))).startsWith("a,b");
    }
  }

  @Test
  void listsADatasetWhoseManifestIsDamaged() throws Exception {
    put("/datasets/listed", Streams.numbers(0, 10));
    flip(FOLDER.resolve("damaged/manifests/_listed_/9223372036854775806"), 100);
    JsonNode listed = json("/datasets?prefix=listed").at("/datasets/0");
    assertThat(listed.get("name").asString()).isEqualTo("listed");
    assertThat(listed.get("version").intValue()).isEqualTo(1);
    assertThat(listed.get("damaged").asBoolean()).isTrue();
    assertThat(text(get("/datasets.csv?prefix=listed"))).contains("listed,1,damaged,");
    assertThat(text(get("/", "Accept", "text/html"))).contains("listed");
  }
}
