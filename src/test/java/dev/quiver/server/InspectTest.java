package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Inspection over HTTP: statuses and headers. Inspection stores nothing and is allowed even where
/// writes are not: here the service listens on all addresses. The package `inspect` tests the
/// reports.
@TestPropertySource(
    properties = {
      "server.address=0.0.0.0",
      "quiver.limits.request-bytes=100000",
      "quiver.limits.report-bytes=30000"
    })
class InspectTest extends RunningService {

  @Test
  void inspectionReturnsAReportAndStoresNothing() throws Exception {
    byte[] stream = Streams.numbers(0, 3, 4);
    List<Path> before = files();
    HttpResponse<byte[]> response = post("/inspect", stream);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type")).isEqualTo("application/json");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(response, "Content-Length"))
        .isEqualTo(Integer.toString(response.body().length));
    JsonNode summary = json(response).get("summary");
    assertThat(summary.get("rows").intValue()).isEqualTo(7);
    assertThat(summary.get("bytes").intValue()).isEqualTo(stream.length);
    assertThat(files()).isEqualTo(before);
    assertThat(put("/datasets/no-write", stream).statusCode()).isEqualTo(403);
  }

  @Test
  void reportIsSentInAnAcceptedCoding() throws Exception {
    byte[] stream = Streams.numbers(0, 3, 4);
    HttpResponse<byte[]> response =
        post("/inspect", stream, "Accept-Encoding", "gzip", "Range", "bytes=0-1");
    assertThat(header(response, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(response, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes())
        .isEqualTo(post("/inspect", stream).body());
  }

  @Test
  void reportsATruncatedStream() throws Exception {
    byte[] stream = Streams.numbers(0, 3, 4);
    List<Path> before = files();
    HttpResponse<byte[]> response = post("/inspect", Arrays.copyOf(stream, stream.length - 20));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json(response).get("findings").get(0).get("kind").asString()).isEqualTo("truncated");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void inspectionRejectsWhatCannotBeUploaded() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    HttpResponse<byte[]> image = post("/inspect", stream, "Content-Type", "image/png");
    assertThat(image.statusCode()).isEqualTo(415);
    assertThat(header(image, "Accept-Post"))
        .contains("application/vnd.apache.arrow.stream")
        .contains("text/csv");
    byte[] text = "x".getBytes(StandardCharsets.UTF_8);
    assertThat(post("/inspect", text).statusCode()).isEqualTo(415);
    assertThat(post("/inspect", new byte[0]).statusCode()).isEqualTo(400);
  }

  @Test
  void inspectionRejectsABodyOverTheRequestLimit() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    assertThat(post("/inspect", Arrays.copyOf(stream, 100_000)).statusCode()).isEqualTo(200);
    HttpResponse<byte[]> response = post("/inspect", Arrays.copyOf(stream, 100_001));
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).get("limit").get("key").asString())
        .isEqualTo("quiver.limits.request-bytes");
  }

  @Test
  void truncatesALongReport() throws Exception {
    int[] rows = new int[300];
    Arrays.fill(rows, 1);
    HttpResponse<byte[]> response = post("/inspect", Streams.numbers(0, rows));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body().length).isLessThanOrEqualTo(30_000);
    JsonNode summary = json(response).get("summary");
    assertThat(summary.get("rows").intValue()).isEqualTo(300);
    assertThat(summary.get("truncated").get("maximum").intValue()).isEqualTo(30_000);
  }

  @Test
  void rejectsInspectionsFromPagesOfOtherSites() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    assertThat(post("/inspect", stream, "Sec-Fetch-Site", "cross-site").statusCode())
        .isEqualTo(403);
    assertThat(post("/inspect", stream, "Origin", "https://example.org").statusCode())
        .isEqualTo(403);
    assertThat(post("/inspect", stream, "Sec-Fetch-Site", "same-origin").statusCode())
        .isEqualTo(200);
  }

  private static List<Path> files() throws Exception {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.sorted().toList();
    }
  }
}
