package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.ServerSentEvents;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.TestPropertySource;

/// A service whose folder disappears, or whose files are replaced by others.
@TestPropertySource(properties = "quiver.storage.path=${test.folder}/lost")
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class LostStoreTest extends RunningService {

  private static final Path STORE = FOLDER.resolve("lost");
  private static final Path ELSEWHERE = FOLDER.resolve("elsewhere");

  /// A text of the length of a link, for which the service needs its key in the store.
  private static final String LINK = "A".repeat(108);

  @Autowired private MeterRegistry registry;

  private void assertUnavailable(HttpResponse<byte[]> response, String request) {
    assertThat(response.statusCode()).as(request + text(response)).isEqualTo(503);
    assertThat(text(response))
        .as(request)
        .contains("urn:quiver:problem:store-unavailable", "quiver.storage.path")
        .doesNotContain(FOLDER.toString());
  }

  private void assertLost() throws Exception {
    for (String path :
        List.of(
            "/",
            "/datasets",
            "/datasets/",
            "/datasets.arrows",
            "/datasets/kept",
            "/datasets/kept.csv",
            "/datasets/kept@1.arrow",
            "/datasets/kept/versions",
            "/datasets/kept/statistics",
            "/datasets/kept/events",
            "/datasets/never",
            "/jobs",
            "/datasets/kept.csv?link=" + LINK,
            "/sql.csv?q=SELECT%20count(*)%20FROM%20kept")) {
      assertUnavailable(get(path), path);
      // Lists and pages are not made for a HEAD.
      if (path.startsWith("/datasets/kept")) {
        assertThat(head(path).statusCode()).as("HEAD " + path).isEqualTo(503);
      }
    }
    byte[] body = Streams.numbers(0, 3);
    assertUnavailable(put("/datasets/kept", body), "PUT");
    assertUnavailable(put("/datasets/new", body), "PUT new");
    assertUnavailable(post("/datasets/kept", body), "POST");
    assertUnavailable(post("/datasets/kept/verify", new byte[0]), "verify");
    assertUnavailable(post("/datasets/kept/compact", new byte[0]), "compact");
    assertUnavailable(post("/datasets/kept/links", new byte[0]), "link");
    assertUnavailable(delete("/datasets/kept"), "DELETE");
    HttpResponse<byte[]> health = get("/health/readiness");
    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(text(get("/health"))).contains("quiver.storage.path");
    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);
  }

  @Test
  void aFolderThatIsGoneOrUnmountedIsNotAnEmptyStore(CapturedOutput log) throws Exception {
    put("/datasets/kept", Streams.numbers(0, 3));
    Files.move(STORE, ELSEWHERE);
    try {
      assertLost();
      // An unmounted file system leaves the empty folder below it.
      Files.createDirectory(STORE);
      assertLost();
      Files.delete(STORE);
      Files.createFile(STORE);
      assertLost();
    } finally {
      Files.deleteIfExists(STORE);
      Files.move(ELSEWHERE, STORE);
    }
    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/kept.csv").statusCode()).isEqualTo(200);
    assertThat(post("/datasets/kept", Streams.numbers(3, 3)).statusCode()).isEqualTo(200);
    assertThat(get("/datasets/never").statusCode()).isEqualTo(404);
    assertThat(log.getAll()).contains("Expected a folder of the store").doesNotContain("\tat ");
  }

  @Test
  void listenersOutliveALostFolder(CapturedOutput log) throws Exception {
    put("/datasets/watched", Streams.numbers(0, 3));
    String url = "http://localhost:" + port + "/datasets/watched/events";
    try (HttpClient client = HttpClient.newHttpClient();
        ServerSentEvents events = ServerSentEvents.open(url)) {
      assertThat(events.next())
          .extracting(event -> event == null ? null : event.id())
          .isEqualTo("1");
      // Another client waits for two seconds, in which the store is asked for versions.
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create("http://localhost:" + port + "/datasets/watched.csv?since=1"))
              .header("Prefer", "wait=2")
              .build();
      CompletableFuture<HttpResponse<byte[]>> waiting =
          client.sendAsync(request, BodyHandlers.ofByteArray());
      eventually(
          () -> assertThat(registry.get("quiver.waiting.requests").gauge().value()).isEqualTo(2));
      Files.move(STORE, ELSEWHERE);
      try {
        assertUnavailable(waiting.get(), "wait");
      } finally {
        Files.move(ELSEWHERE, STORE);
      }
      post("/datasets/watched", Streams.numbers(3, 3));
      assertThat(events.next())
          .extracting(event -> event == null ? null : event.id())
          .isEqualTo("2");
    }
    assertThat(log.getAll()).doesNotContain("\tat ");
  }

  @Test
  void aReadOnlyFolderIsUnavailableForWritesAlone() throws Exception {
    put("/datasets/read", Streams.numbers(0, 3));
    Mounts.require("--bind", STORE.toString(), STORE.toString());
    try {
      Mounts.require("-o", "remount,bind,ro", STORE.toString());
      byte[] body = Streams.numbers(0, 3);
      assertUnavailable(put("/datasets/read", body), "PUT");
      assertUnavailable(post("/datasets/read", body), "POST");
      assertUnavailable(delete("/datasets/read"), "DELETE");
      assertThat(get("/health/readiness").statusCode()).isEqualTo(503);
      assertThat(get("/datasets/read.csv").statusCode()).isEqualTo(200);
    } finally {
      Mounts.run("umount", STORE.toString());
    }
    assertThat(put("/datasets/read", Streams.numbers(0, 3)).statusCode()).isEqualTo(200);
  }

  private enum Replacement {
    LINK,
    FOLDER,
    PIPE,
    SHORTER,
    EMPTY
  }

  @ParameterizedTest
  @EnumSource
  void anotherFileInPlaceOfABlobIsDamage(Replacement replacement) throws Exception {
    String name = "replaced-" + replacement.name().toLowerCase(Locale.ROOT);
    put("/datasets/" + name, Streams.numbers(0, 200_000));
    Path blob;
    try (Stream<Path> files = Files.list(STORE.resolve("data/_" + name + "_"))) {
      blob = files.filter(file -> file.toString().endsWith(".arrow")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(blob);
    Files.delete(blob);
    replace(blob, replacement, bytes);
    for (String suffix : List.of(".csv", ".json?offset=-1", ".arrow", ".arrows")) {
      HttpResponse<byte[]> read = get("/datasets/" + name + suffix);
      assertThat(read.statusCode()).as(suffix + text(read)).isEqualTo(503);
      assertThat(text(read)).contains("urn:quiver:problem:damaged", name + "@1");
    }
    HttpResponse<byte[]> verified = post("/datasets/" + name + "/verify", new byte[0]);
    assertThat(verified.statusCode()).isEqualTo(503);
    assertThat(text(verified)).contains("urn:quiver:problem:damaged");
    Files.delete(blob);
    Files.write(blob, bytes);
    assertThat(get("/datasets/" + name + ".csv").statusCode()).isEqualTo(200);
  }

  private static void replace(Path blob, Replacement replacement, byte[] bytes)
      throws IOException, InterruptedException {
    switch (replacement) {
      case LINK -> Files.createSymbolicLink(blob, Path.of("/etc/passwd"));
      case FOLDER -> Files.createDirectory(blob);
      case PIPE -> assertThat(Mounts.run("mkfifo", blob.toString())).isZero();
      case SHORTER -> Files.write(blob, Arrays.copyOf(bytes, bytes.length / 2));
      case EMPTY -> Files.createFile(blob);
    }
  }
}
