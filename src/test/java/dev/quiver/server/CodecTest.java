package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.StreamCodecs;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads with the parameter `codec`. `golden.ServedGoldenFilesTest` uses it on every type.
class CodecTest extends RunningService {

  private static final int LARGE = 100_000;
  private static final String FILE = "application/vnd.apache.arrow.file";

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/plain").statusCode() == 404) {
      put("/datasets/plain?batches=keep", Streams.numbers(0, 100, 0, 200));
      put("/datasets/zstd?batches=keep", Streams.inCodecs(100, Codec.ZSTD, Codec.ZSTD));
      put("/datasets/lz4?batches=keep", Streams.inCodecs(100, Codec.LZ4));
      put(
          "/datasets/codec-mixed?batches=keep",
          Streams.inCodecs(100, Codec.NONE, Codec.ZSTD, Codec.LZ4));
      put("/datasets/codec-large?batches=keep", Streams.numbers(0, LARGE, LARGE));
    }
  }

  private static List<@Nullable Object> numbers(byte[] body, boolean file) throws IOException {
    List<@Nullable Object> numbers = new ArrayList<>();
    MemorySegment bytes = MemorySegment.ofArray(body);
    if (file) {
      try (Arena arena = Arena.ofConfined()) {
        FileReader reader = new FileReader(bytes, Limits.DEFAULT, arena);
        for (int i = 0; i < reader.batchCount(); i++) {
          numbers.addAll(Values.of(reader.batch(i).columns().getFirst()));
        }
      }
      return numbers;
    }
    try (StreamReader reader = new StreamReader(ByteSource.of(bytes), Limits.DEFAULT)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        numbers.addAll(Values.of(batch.columns().getFirst()));
      }
    }
    return numbers;
  }

  private static void assertHolds(HttpResponse<byte[]> response, int from, int to, Codec codec)
      throws IOException {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    boolean file = header(response, "Content-Type").equals(FILE);
    assertThat(numbers(response.body(), file).equals(LongStream.range(from, to).boxed().toList()))
        .as("%s holds %d to %d", response.uri(), from, to)
        .isTrue();
    MemorySegment bytes = MemorySegment.ofArray(response.body());
    assertThat(file ? StreamCodecs.ofFile(bytes) : StreamCodecs.of(bytes)).containsOnly(codec);
  }

  @ParameterizedTest
  @CsvSource({
    "/datasets/plain, 0, 300",
    "/datasets/plain.arrow, 0, 300",
    "/datasets/plain.arrows, 0, 300",
    "/datasets/plain/batches/2, 100, 300",
    "/datasets/plain/batches/0-1, 0, 100",
    "/datasets/plain/batches/0-2.arrows, 0, 300",
    "/datasets/zstd.arrow, 0, 200",
    "/datasets/zstd.arrows, 0, 200",
    "/datasets/lz4.arrow, 0, 100",
    "/datasets/lz4/batches/0, 0, 100",
    "/datasets/codec-mixed.arrow, 0, 300",
    "/datasets/codec-mixed.arrows, 0, 300",
    "/datasets/codec-mixed/batches/1, 100, 200",
    "/datasets/codec-large.arrow, 0, 200000",
    "/datasets/codec-large.arrows, 0, 200000",
    "/datasets/codec-large/batches/1, 100000, 200000"
  })
  void arrowDataIsSentInTheRequestedCodec(String path, int from, int to) throws Exception {
    assertHolds(get(path + "?codec=none"), from, to, Codec.NONE);
    assertHolds(get(path + "?codec=lz4"), from, to, Codec.LZ4);
    assertHolds(get(path + "?codec=zstd"), from, to, Codec.ZSTD);
  }

  @Test
  void negotiatedArrowDataIsSentInTheRequestedCodec() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/plain?codec=lz4", "Accept", FILE);
    assertHolds(response, 0, 300, Codec.LZ4);
    assertThat(header(response, "Content-Type")).isEqualTo(FILE);
    assertThat(header(response, "Vary")).isEqualTo("Accept, Accept-Encoding");
    assertThat(header(response, "ETag"))
        .isEqualTo(header(head("/datasets/plain.arrow?codec=lz4"), "ETag"));
  }

  @ParameterizedTest
  @CsvSource({"plain, none", "zstd, zstd", "lz4, lz4"})
  void requestForTheStoredCodecReturnsTheStoredBytes(String name, String codec) throws Exception {
    for (String part : new String[] {".arrow", ".arrows", "/batches/0"}) {
      String path = "/datasets/" + name + part;
      HttpResponse<byte[]> stored = get(path);
      HttpResponse<byte[]> requested = get(path + "?codec=" + codec);
      assertThat(requested.body()).isEqualTo(stored.body());
      assertThat(header(requested, "ETag")).isEqualTo(header(stored, "ETag"));
      assertThat(header(requested, "Accept-Ranges")).isEqualTo("bytes");
      HttpResponse<byte[]> range = get(path + "?codec=" + codec, "Range", "bytes=0-9");
      assertThat(range.statusCode()).isEqualTo(206);
      assertThat(range.body()).hasSize(10);
    }
  }

  @Test
  void mixedStoredCodecsAreRecompressedForEveryRequestedCodec() throws Exception {
    Set<String> tags = new HashSet<>();
    for (String query : new String[] {"", "?codec=none", "?codec=lz4", "?codec=zstd"}) {
      tags.add(header(head("/datasets/codec-mixed.arrow" + query), "ETag"));
    }
    assertThat(tags).hasSize(4);
  }

  @Test
  void recompressedResponseHasItsOwnEntityTag() throws Exception {
    assertThat(header(head("/datasets/plain.arrow?codec=none"), "ETag"))
        .matches("\"[0-9a-z]+\\.1\"");
    assertThat(header(head("/datasets/zstd.arrow?codec=none"), "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.arrow-none-2\"");
    assertThat(header(head("/datasets/plain.arrows?codec=lz4"), "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.arrows-lz4-2-\\d+\\.\\d+\\.\\d+\"");
    assertThat(header(head("/datasets/plain/batches/0-1?codec=zstd"), "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.batches-0-1-zstd-2-\\d+\\.\\d+\\.\\d+-\\d+\"");
  }

  @Test
  void recompressedResponseHasCountsButNeitherRangesNorALength() throws Exception {
    HttpResponse<byte[]> stored = get("/datasets/codec-large.arrow");
    HttpResponse<byte[]> response =
        get("/datasets/codec-large.arrow?codec=lz4", "Range", "bytes=0-9", "If-Range", "\"x\"");
    assertHolds(response, 0, 2 * LARGE, Codec.LZ4);
    assertThat(header(response, "Content-Length")).isEmpty();
    assertThat(header(response, "Accept-Ranges")).isEqualTo("none");
    for (String name :
        new String[] {
          "Arrow-Row-Count",
          "Arrow-Batch-Count",
          "Content-Type",
          "Content-Disposition",
          "Link",
          "Last-Modified",
          "Cache-Control"
        }) {
      assertThat(header(response, name)).as(name).isEqualTo(header(stored, name)).isNotEmpty();
    }
    assertThat(header(response, "Arrow-Batch-Count")).isEqualTo("2");
    HttpResponse<byte[]> batch =
        get("/datasets/codec-large/batches/1?codec=zstd", "Range", "bytes=0-9");
    assertThat(batch.statusCode()).isEqualTo(200);
    assertThat(header(batch, "Arrow-Row-Count")).isEqualTo("" + LARGE);
    assertThat(header(batch, "Content-Disposition")).contains("codec-large.batches-1.arrows");
  }

  @Test
  void recompressedResponseSupportsIfNoneMatch() throws Exception {
    HttpResponse<byte[]> head = head("/datasets/codec-large.arrow?codec=lz4");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Length")).isEmpty();
    assertThat(header(head, "Accept-Ranges")).isEqualTo("none");
    assertThat(header(head, "Arrow-Row-Count")).isEqualTo("" + 2 * LARGE);
    String etag = header(head, "ETag");
    HttpResponse<byte[]> known =
        get("/datasets/codec-large.arrow?codec=lz4", "If-None-Match", etag);
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(get("/datasets/codec-large.arrow?codec=none", "If-None-Match", etag).statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {".arrow", ".arrows", "/batches/0", ""})
  void rejectsUnknownCodecs(String part) throws Exception {
    for (String codec : new String[] {"snappy", "ZSTD", ""}) {
      HttpResponse<byte[]> response = get("/datasets/plain" + part + "?codec=" + codec);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("detail").asString())
          .isEqualTo("Expected none, lz4 or zstd but found \"" + codec + "\" at parameter codec");
      assertThat(head("/datasets/plain" + part + "?codec=" + codec).statusCode()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".json", ".jsonl", ".csv", ""})
  void rejectsACodecForTextFormats(String suffix) throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/plain" + suffix + "?codec=zstd", "Accept", "application/json, text/csv");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected no codec, which only Arrow data has, but found \"zstd\" at parameter codec");
  }

  @Test
  void recompressionFailureBeforeTheFirstByteIsAProblem() throws Exception {
    Damage.upload(this, "damaged", 10, 2);
    HttpResponse<byte[]> response = get("/datasets/damaged.arrows?codec=none");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(response, "ETag")).isEmpty();
    assertThat(header(response, "Accept-Ranges")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {".arrows", ".arrow"})
  void laterRecompressionFailureEndsTheResponseWithinAMessageBody(String suffix) throws Exception {
    String name = "damaged-later-" + suffix.length();
    Damage.upload(this, name, LARGE, 3);
    String request =
        "GET /datasets/%s%s?codec=none HTTP/1.1\nHost: localhost\n\n".formatted(name, suffix);
    String response = RawHttp.exchange(port, request + "GET /health HTTP/1.1\nHost: localhost\n\n");
    assertThat(response)
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nTransfer-Encoding: chunked\r\n")
        .doesNotContain("problem", "HTTP/1.1 5", "[reset]");
    byte[] body = RawHttp.unfinishedChunks(response);
    MemorySegment received = MemorySegment.ofArray(body);
    MemorySegment stream = suffix.equals(".arrow") ? received.asSlice(8) : received;
    try (StreamReader reader = new StreamReader(ByteSource.of(stream), Limits.DEFAULT)) {
      for (int i = 0; i < 2; i++) {
        RecordBatch batch = Objects.requireNonNull(reader.next());
        assertThat(batch.length()).isEqualTo(LARGE);
      }
      assertThatThrownBy(reader::next)
          .isInstanceOf(TruncatedInputException.class)
          .hasMessageContaining("body");
    }
  }
}
