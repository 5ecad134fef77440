package dev.quiver;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.version.Ulid;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The log as JSON lines and the access log, of a service in a process of its own, since the format
/// of a log is that of a whole process.
@Tag("long")
class LogsTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String SECRET = "hunter2";

  @TempDir private Path folder;

  @Test
  void linesHaveTheFieldsOfTheirRequest() throws Exception {
    Path store = folder.resolve("store");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Quiver.class.getName(),
                "--server.port=0",
                "--quiver.storage.path=" + store,
                "--quiver.spool.path=" + folder.resolve("spool"),
                "--logging.structured.format.console=logstash",
                "--server.tomcat.accesslog.enabled=true",
                "--server.tomcat.accesslog.buffered=false",
                "--server.tomcat.accesslog.directory=" + folder.resolve("access"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (HttpClient client = HttpClient.newHttpClient();
        BufferedReader output = process.inputReader()) {
      List<JsonNode> lines = new ArrayList<>();
      String started = await(output, lines, " serves http").get("message").asString();
      String origin = started.replaceAll(".* (http\\S+)/ .*", "$1");
      HttpResponse<byte[]> sample =
          send(client, origin + "/datasets/sample.arrow?limit=30", "read-1");
      send(client, origin + "/datasets/sample.arrow", "read-2");
      lose(store);
      send(client, origin + "/datasets/sample.csv?secret=" + SECRET, "read-3");
      HttpResponse<byte[]> lost = send(client, origin + "/datasets/sample.csv", "read-4");
      assertThat(lost.statusCode()).isEqualTo(503);
      JsonNode damage = await(output, lines, "sample@1");
      assertThat(damage.path("requestId").asString("")).isEqualTo("read-4");
      assertThat(damage.path("dataset").asString("")).isEqualTo("sample.csv");
      String job = breakJob(store);
      HttpResponse<byte[]> failed = send(client, origin + "/jobs/" + job, "read-5");
      assertThat(failed.statusCode()).isEqualTo(500);
      JsonNode line = await(output, lines, "failed as request read-5");
      assertThat(line.path("requestId").asString("")).isEqualTo("read-5");
      assertThat(line.path("problem").asString("")).isEqualTo("urn:quiver:problem:internal");
      // Tomcat logs by another library, and before this line.
      assertThat(lines)
          .filteredOn(other -> other.path("requestId").asString("").equals("read-5"))
          .hasSizeGreaterThan(1);
      assertAccessLog(sample.body().length);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private void assertAccessLog(int byteCount) {
    eventually(() -> {
      List<String> lines = accessLog();
      assertThat(lines)
          .hasSize(5)
          .allSatisfy(line ->
              assertThat(line)
                  .matches("\\S+T\\S+ \\S+ - GET /\\w+/[\\w.]+ \\d+ \\d+ \\d+ read-\\d")
                  .doesNotContain(SECRET, "?"));
      assertThat(lines.getFirst()).contains(" /datasets/sample.arrow 200 " + byteCount + " ");
      // These bytes bypass Tomcat.
      assertThat(lines.get(1)).contains(" /datasets/sample.arrow 200 ").doesNotContain(" 200 0 ");
      assertThat(lines.get(2)).contains(" /datasets/sample.csv 400 ");
      assertThat(lines.get(3)).contains(" /datasets/sample.csv 503 ");
      assertThat(lines.get(4)).contains(" /jobs/").contains(" 500 ").endsWith(" read-5");
    });
  }

  private List<String> accessLog() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("access"))) {
      return Files.readAllLines(files.findFirst().orElseThrow());
    }
  }

  /// Deletes all stored data, but neither manifests nor checksums.
  private static void lose(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.toString().endsWith(".arrow")) {
          Files.delete(file);
        }
      }
    }
  }

  /// Writes a job that cannot be read, and returns its id.
  private static String breakJob(Path store) throws IOException {
    String id = Ulid.next(Instant.now());
    Files.createDirectories(store.resolve("jobs"));
    Files.writeString(store.resolve("jobs/" + id + "." + Long.MAX_VALUE), "no job");
    return id;
  }

  private static HttpResponse<byte[]> send(HttpClient client, String url, String id)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(url))
            .header("X-Request-Id", id)
            .method("GET", BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofByteArray());
  }

  /// Returns the next line whose message contains `part`.
  private static JsonNode await(BufferedReader output, List<JsonNode> lines, String part)
      throws IOException {
    for (String text = output.readLine(); text != null; text = output.readLine()) {
      if (text.startsWith("{")) {
        JsonNode line = JSON.readTree(text);
        lines.add(line);
        if (line.path("message").asString("").contains(part)) {
          return line;
        }
      }
    }
    throw new AssertionError("Expected a line with %s but found %s".formatted(part, lines));
  }
}
