package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.arrow.parallel.InFlightBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;

/// Clients that disconnect during a request: the service releases all files and memory of the
/// request.
class DisconnectTest extends RunningService {

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");
  private static final Path MAPPED_FILES = Path.of("/proc/self/maps");

  /// The rows of a batch. Four such batches exceed the buffers of a connection.
  private static final int ROWS = 1 << 20;

  @Autowired private InFlightBytes inFlight;

  @Value("${quiver.storage.path}")
  private Path store;

  @BeforeEach
  void upload() throws Exception {
    assumeTrue(Files.exists(OPEN_FILES), "the system does not list the open files of a process");
    if (get("/datasets/long").statusCode() == 404) {
      assertThat(put("/datasets/long", Streams.numbers(0, ROWS, ROWS, ROWS, ROWS)).statusCode())
          .isEqualTo(201);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".json", ".jsonl", ".csv", ".arrow", ".arrows", "/batches/0-3"})
  void abandonedResponseReleasesEverything(String path) throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("GET /datasets/long" + path + " HTTP/1.1\nHost: localhost\n\n");
      assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      // The response holds its files while it waits for the client.
      eventually(() -> assertThat(heldFiles()).isNotEmpty());
      connection.reset();
    }
    assertNothingIsHeld();
    assertThat(get("/datasets/long" + path).statusCode()).isEqualTo(200);
  }

  @Test
  void abandonedUploadReleasesEverything() throws Exception {
    byte[] stream = Streams.numbers(0, ROWS, ROWS);
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          """
          PUT /datasets/stopped HTTP/1.1
          Host: localhost
          Content-Type: application/vnd.apache.arrow.stream
          Content-Length: %d

          """
              .formatted(stream.length));
      connection.sendExactly(new String(stream, 0, stream.length / 2, StandardCharsets.ISO_8859_1));
      eventually(() -> assertThat(heldFiles()).anyMatch(inStore("tmp")));
      connection.reset();
    }
    assertNothingIsHeld();
    assertThat(get("/datasets/stopped").statusCode()).isEqualTo(404);
  }

  /// A few bytes request a window of 8 MiB, which counts as in flight until more bytes arrive.
  @Test
  void abandonedCodedUploadReleasesItsWindow() throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          """
          PUT /datasets/stopped HTTP/1.1
          Host: localhost
          Content-Encoding: zstd
          Content-Length: 1000

          """);
      connection.sendExactly("\u0028\u00B5\u002F\u00FD\0\u0068");
      eventually(() -> assertThat(inFlight.taken()).isGreaterThanOrEqualTo(8 << 20));
      connection.reset();
    }
    assertNothingIsHeld();
  }

  private void assertNothingIsHeld() {
    eventually(() -> {
      assertThat(heldFiles()).isEmpty();
      assertThat(inFlight.taken()).isZero();
      assertThat(temporaryFiles()).isEmpty();
    });
  }

  private List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("tmp"))) {
      return files.toList();
    }
  }

  private Predicate<String> inStore(String folder) {
    return file -> file.startsWith(store.resolve(folder).toString());
  }

  /// Returns the files of the store that this process has open or mapped.
  private List<String> heldFiles() throws IOException {
    try (Stream<Path> open = Files.list(OPEN_FILES);
        Stream<String> mapped = Files.lines(MAPPED_FILES)) {
      return Stream.concat(
              open.map(DisconnectTest::target),
              mapped
                  .filter(line -> line.contains("/"))
                  .map(line -> line.substring(line.indexOf('/'))))
          .filter(file -> file.startsWith(store + "/"))
          .toList();
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }
}
