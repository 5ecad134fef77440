package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.codec.Codec;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Import;

/// Large bodies contain the stored bytes, whether or not they bypass Tomcat.
@Import(DirectByteCounter.class)
@Tag("random")
abstract class TransferContract extends RunningService {

  private static final int RANGE_BYTES = 10_000;

  static final int ROWS = 256 << 10;
  static final int BATCH_BYTES = ROWS * Integer.BYTES;

  @Autowired DirectByteCounter directBytes;

  @Value("${quiver.storage.path}")
  private Path store;

  /// Returns whether large bodies bypass Tomcat.
  abstract boolean direct();

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/transfer-file").statusCode() == 404) {
      put("/datasets/transfer-file?batches=keep", Streams.numbers(0, ROWS, ROWS, ROWS, ROWS));
      put("/datasets/transfer-appended?batches=keep", Streams.table(Codec.NONE, ROWS, ROWS));
      post("/datasets/transfer-appended?batches=keep", Streams.table(Codec.NONE, ROWS));
      put("/datasets/transfer-columns?batches=keep", Streams.table(Codec.NONE, ROWS, ROWS, ROWS));
    }
    directBytes.clear();
  }

  /// Returns the only data blob of a dataset, an IPC file.
  Path blob(String dataset) throws IOException {
    try (Stream<Path> files = Files.walk(store.resolve("data/_" + dataset + "_"))) {
      return files.filter(path -> path.toString().endsWith(".arrow")).findFirst().orElseThrow();
    }
  }

  byte[] file() throws IOException {
    return Files.readAllBytes(blob("transfer-file"));
  }

  /// Returns the body of a response. Checks that it bypassed Tomcat, or did not, as expected.
  private byte[] bodyOf(HttpResponse<byte[]> response) throws InterruptedException {
    assertThat(directBytes.next()).isEqualTo(direct() ? response.body().length : 0);
    return response.body();
  }

  /// Reads a representation in ranges that are too small to bypass Tomcat.
  private void assertSmallRanges(String path, byte[] whole) throws Exception {
    for (int start = 0; start < whole.length; start += Trials.stride() * RANGE_BYTES) {
      int end = Math.min(start + RANGE_BYTES, whole.length);
      byte[] range = get(path, "Range", "bytes=%d-%d".formatted(start, end - 1)).body();
      // Comparing the arrays themselves takes far longer.
      assertThat(Arrays.equals(range, Arrays.copyOfRange(whole, start, end)))
          .as("from %d", start)
          .isTrue();
      assertThat(directBytes.next()).isZero();
    }
  }

  @Test
  void fileResponseEqualsTheStoredFile() throws Exception {
    assertThat(bodyOf(get("/datasets/transfer-file.arrow"))).isEqualTo(file());
  }

  @Test
  void streamIsASliceOfTheStoredFile() throws Exception {
    byte[] stream = bodyOf(get("/datasets/transfer-file.arrows"));
    assertThat(stream).isEqualTo(Arrays.copyOfRange(file(), 8, stream.length + 8));
  }

  /// A conversion is sent from a mapped spool, to which sendfile does not apply.
  @Test
  void returnsALargeConversionCompletely() throws Exception {
    int[] rows = new int[16];
    Arrays.fill(rows, ROWS);
    byte[] stream = Streams.numbers(0, rows);
    HttpResponse<byte[]> response =
        post("/convert", stream, "Accept", "application/vnd.apache.arrow.stream");
    assertThat(Arrays.equals(response.body(), stream)).isTrue();
  }

  @Test
  void largeRangeEqualsThatPartOfTheFile() throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/transfer-file.arrow", "Range", "bytes=12345-" + (12344 + BATCH_BYTES));
    assertThat(response.statusCode()).isEqualTo(206);
    assertThat(bodyOf(response)).isEqualTo(Arrays.copyOfRange(file(), 12345, 12345 + BATCH_BYTES));
  }

  @Test
  void smallRangePassesThroughTomcat() throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/transfer-file.arrow", "Range", "bytes=70000-74095");
    assertThat(directBytes.next()).isZero();
    assertThat(response.body()).isEqualTo(Arrays.copyOfRange(file(), 70000, 74096));
  }

  @Test
  void boundariesSeparateSeveralRanges() throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/transfer-file.arrow", "Range", "bytes=0-9,200000-999999,3000000-3000009");
    String parts = new String(bodyOf(response), StandardCharsets.ISO_8859_1);
    String file = new String(file(), StandardCharsets.ISO_8859_1);
    assertThat(parts.split("\r\n--[0-9a-f]{40}(--)?\r\n(?:.*\r\n.*\r\n\r\n)?", -1))
        .containsExactly(
            "",
            file.substring(0, 10),
            file.substring(200_000, 1_000_000),
            file.substring(3_000_000, 3_000_010),
            "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/transfer-appended.arrow",
        "/datasets/transfer-appended.arrows",
        "/datasets/transfer-appended.arrow?columns=number,point.y",
        "/datasets/transfer-columns.arrow?columns=number",
        "/datasets/transfer-columns.arrows?columns=point.x,color",
        "/datasets/transfer-columns.arrows?offset=1000&limit=600000",
        "/datasets/transfer-file/batches/2",
        "/datasets/transfer-appended/batches/1-2",
        "/datasets/transfer-columns/batches/0-1.arrows"
      })
  void assembledBodyEqualsItsConcatenatedRanges(String path) throws Exception {
    byte[] whole = bodyOf(get(path));
    assertSmallRanges(path, whole);
  }

  /// Responses of unknown length always pass through Tomcat if the client speaks HTTP/1.0.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/transfer-file.arrow?codec=zstd",
        "/datasets/transfer-appended.arrows?codec=lz4",
        "/datasets/transfer-columns.arrows?codec=lz4&columns=number,point.y",
        "/datasets/transfer-file/batches/1?codec=lz4",
        "/datasets/transfer-columns.csv?offset=1",
        "/datasets/transfer-file.jsonl?offset=1"
      })
  void generatedBodyIsTheSameWithAndWithoutChunks(String path) throws Exception {
    // The length of a text is unknown only once.
    String old = RawHttp.exchange(port, "GET " + path + " HTTP/1.0\nHost: localhost\n\n");
    assertThat(directBytes.next()).isZero();
    byte[] whole = bodyOf(get(path));
    assertThat(whole.length).isGreaterThan(512 << 10);
    assertThat(old.substring(old.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.ISO_8859_1))
        .isEqualTo(whole);
  }

  @Test
  void smallGeneratedBodyHasALengthAndPassesThroughTomcat() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/transfer-file.csv?limit=10");
    assertThat(response.headers().firstValue("Content-Length"))
        .hasValue(Integer.toString(response.body().length));
    assertThat(directBytes.next()).isZero();
  }
}
