package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Selections of damaged data, which fail before the response begins or in its middle.
class SelectionFailuresTest extends RunningService {

  /// The rows of a batch that shares no block of checksums with others.
  private static final int ROWS = 200_000;

  @Test
  void failureBeforeTheFirstByteIsAProblem() throws Exception {
    Damage.upload(this, "table-damaged", ROWS, 2);
    HttpResponse<byte[]> response = get("/datasets/table-damaged.arrows?offset=" + (ROWS + 5));
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(response, "ETag")).isEmpty();
    assertThat(get("/datasets/table-damaged.arrows?columns=number").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/table-damaged.arrows?limit=" + ROWS).statusCode()).isEqualTo(200);
  }

  /// Damaged data is not read if a condition decides the response.
  @Test
  void evaluatesConditionsBeforeReadingTheSelection() throws Exception {
    Damage.upload(this, "table-conditions", ROWS, 2);
    String rows = "rows-%d-%d".formatted(ROWS + 5, 2 * ROWS);
    String intact = header(head("/datasets/table-conditions.arrows?limit=9"), "ETag");
    String etag = intact.replace("rows-0-9", rows);
    String url = "/datasets/table-conditions.arrows?offset=" + (ROWS + 5);
    assertThat(get(url, "If-None-Match", etag).statusCode()).isEqualTo(304);
    assertThat(get(url, "If-Match", intact).statusCode()).isEqualTo(412);
    assertThat(head(url).statusCode()).isEqualTo(503);
    String text = "/datasets/table-conditions.csv?offset=" + (ROWS + 5);
    String textEtag = header(head("/datasets/table-conditions.csv?limit=9"), "ETag");
    assertThat(head(text, "If-None-Match", textEtag.replace("rows-0-9", rows)).statusCode())
        .isEqualTo(304);
    assertThat(head(text).statusCode()).isEqualTo(503);
  }

  /// An earlier read has cached the layout, so the failure occurs after the first batches are sent.
  @ParameterizedTest
  @CsvSource({"200000, 3", "10, 3000"})
  void failureMidwayTruncatesWithinAMessageBody(int rows, int batches) throws Exception {
    Codec[] codecs = new Codec[batches];
    Arrays.fill(codecs, Codec.ZSTD);
    String name = "table-midway-" + batches;
    put("/datasets/" + name + "?batches=keep", Streams.inCodecs(rows, codecs));
    String url = "/datasets/" + name + ".arrows?limit=" + (batches * rows - 1);
    int length = get(url).body().length;
    Damage.damageLastBatch(this, name, batches);
    String request = "GET %s HTTP/1.1\nHost: localhost\n\n".formatted(url);
    String response = RawHttp.exchange(port, request + "GET /health HTTP/1.1\nHost: localhost\n\n");
    assertThat(response)
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nContent-Length: " + length + "\r\n")
        .doesNotContain("problem", "HTTP/1.1 5", "[reset]");
    byte[] body =
        response.substring(response.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.ISO_8859_1);
    assertThat(body.length).isLessThan(length);
    MemorySegment received = MemorySegment.ofArray(body);
    try (StreamReader reader = new StreamReader(ByteSource.of(received), Limits.DEFAULT)) {
      assertThat(Objects.requireNonNull(reader.next()).length()).isEqualTo(rows);
      assertThatThrownBy(
              () -> {
                while (reader.next() != null) {
                  // The truncation ends the loop.
                }
              })
          .isInstanceOf(TruncatedInputException.class)
          .hasMessageContaining("body");
    }
  }
}
