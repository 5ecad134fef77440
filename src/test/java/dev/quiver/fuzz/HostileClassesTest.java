package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests one input of each known kind of attack on a service with little memory. No request takes a
/// second of CPU time or allocates 64 MiB, whether the input is inspected, rejected, or stored and
/// read back in any form.
@Tag("long")
class HostileClassesTest {

  private static final String RENDERED_BYTES = "quiver.limits.text-response-bytes";
  private static final List<String> ARROW =
      List.of(
          "",
          ".arrow",
          ".arrows",
          "/schema",
          "/batches",
          "/batches/0",
          ".arrow?codec=none",
          ".arrow?codec=lz4",
          ".arrows?codec=zstd",
          "/batches/0?codec=none");
  private static final List<String> ROWS = List.of(".json", ".jsonl", ".csv");

  @TempDir private static Path folder;
  private static MeteredService service;

  @BeforeAll
  static void start() throws Exception {
    service = new MeteredService(folder, "--" + RENDERED_BYTES + "=4MB");
  }

  @AfterAll
  static void stop() throws Exception {
    System.out.println("No hostile input took more than " + service.peaks());
    service.close();
  }

  static Stream<Hostile> all() {
    return Stream.of(
            ForgedLengths.all(),
            Bombs.all(),
            DecompressionRatios.all(),
            Graphs.all(),
            OddBlocks.all())
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("all")
  void hostileInputIsRejectedOrServed(Hostile hostile) throws Exception {
    String type = "application/vnd.apache.arrow." + hostile.format();
    HttpResponse<byte[]> report =
        service.send("POST", "/inspect", hostile.body(), "Content-Type", type);
    assertThat(report.statusCode()).isEqualTo(200);
    boolean accepted = hostile.status() == 201;
    assertThat(text(report)).contains("\"acceptable\":" + accepted);
    HttpResponse<byte[]> response =
        service.send("PUT", "/datasets/hostile", hostile.body(), "Content-Type", type);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(hostile.status());
    if (accepted) {
      for (String suffix : ARROW) {
        assertThat(get(suffix).statusCode()).isEqualTo(200);
      }
      for (String suffix : ROWS) {
        readRows(suffix);
      }
      service.send("DELETE", "/datasets/hostile", new byte[0]);
    } else {
      assertThat(text(response)).contains(hostile.detail());
    }
  }

  private static void readRows(String suffix) throws Exception {
    try {
      HttpResponse<byte[]> response = get(suffix);
      assertThat(response.statusCode()).isIn(200, 413);
      if (response.statusCode() == 413) {
        assertThat(text(response)).contains(RENDERED_BYTES);
      }
    } catch (IOException e) {
      // The response is truncated. The log must show that the limit was the cause, or the test
      // fails at the end.
      assertThat(e).hasMessageContaining("chunked transfer encoding");
    }
  }

  private static HttpResponse<byte[]> get(String suffix) throws Exception {
    return service.send("GET", "/datasets/hostile" + suffix, new byte[0]);
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }
}
