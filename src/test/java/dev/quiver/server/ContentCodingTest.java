package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamCodecs;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.brotli.dec.BrotliInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Content codings of responses, and buffer codecs that a client lists. `AcceptEncodingTest` and
/// `MediaRangesTest` test the parsing of the headers.
class ContentCodingTest extends RunningService {

  private static final int LARGE = 100_000;
  private static final String STREAM = "application/vnd.apache.arrow.stream";
  private static final String BROWSER = "gzip, deflate, br, zstd";
  private static final String REQUESTS = "gzip, deflate";

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/coded-plain").statusCode() == 404) {
      put("/datasets/coded-plain?batches=keep", Streams.numbers(0, 100, 200));
      put("/datasets/coded-zstd?batches=keep", Streams.inCodecs(100, Codec.ZSTD));
      put("/datasets/coded-lz4?batches=keep", Streams.inCodecs(100, Codec.LZ4));
      put(
          "/datasets/coded-mixed?batches=keep",
          Streams.inCodecs(100, Codec.NONE, Codec.ZSTD, Codec.LZ4));
      put("/datasets/coded-large?batches=keep", Streams.numbers(0, LARGE, LARGE));
    }
  }

  private static InputStream decoder(String coding, byte[] body) throws IOException {
    InputStream input = new ByteArrayInputStream(body);
    return switch (coding) {
      case "gzip" -> new GZIPInputStream(input);
      case "zstd" -> new ZstdInputStreamNoFinalizer(input);
      case "br" -> new BrotliInputStream(input);
      default -> input;
    };
  }

  private static byte[] decoded(HttpResponse<byte[]> response) throws IOException {
    return decoder(header(response, "Content-Encoding"), response.body()).readAllBytes();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/coded-plain.json",
        "/datasets/coded-plain.jsonl",
        "/datasets/coded-large.csv",
        "/datasets/coded-plain/schema",
        "/datasets/coded-plain/batches",
        "/datasets/coded-plain/versions",
        "/datasets",
        "/"
      })
  void textIsSentInAnAcceptedCoding(String path) throws Exception {
    HttpResponse<byte[]> plain = get(path);
    assertThat(header(plain, "Content-Encoding")).isEmpty();
    assertThat(header(plain, "Vary")).contains("Accept-Encoding");
    for (String coding : new String[] {"gzip", "zstd"}) {
      HttpResponse<byte[]> coded = get(path, "Accept-Encoding", coding);
      assertThat(coded.statusCode()).isEqualTo(200);
      assertThat(header(coded, "Content-Encoding")).isEqualTo(coding);
      assertThat(header(coded, "Vary")).isEqualTo(header(plain, "Vary"));
      assertThat(decoded(coded)).isEqualTo(plain.body());
      assertThat(coded.body()).hasSizeLessThan(plain.body().length);
      HttpResponse<byte[]> head = head(path, "Accept-Encoding", coding);
      assertThat(header(head, "Content-Encoding")).isEqualTo(coding);
      assertThat(header(head, "ETag")).isEqualTo(header(coded, "ETag"));
      assertThat(header(head, "Content-Length")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".arrow", ".arrows", "/batches/0", "/batches/0-1.arrows"})
  void resourcesWithByteRangesAreNeverCoded(String part) throws Exception {
    HttpResponse<byte[]> plain = get("/datasets/coded-plain" + part);
    for (String codings : new String[] {BROWSER, REQUESTS, "zstd, identity;q=0"}) {
      HttpResponse<byte[]> response =
          get("/datasets/coded-plain" + part, "Accept-Encoding", codings);
      assertThat(header(response, "Content-Encoding")).isEmpty();
      assertThat(header(response, "Vary")).isEmpty();
      assertThat(response.body()).isEqualTo(plain.body());
      assertThat(header(response, "ETag")).isEqualTo(header(plain, "ETag"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "identity | ''",
        "gzip, deflate | ''",
        "gzip, deflate, br, zstd | zstd",
        "gzip, identity;q=0 | gzip",
        "br | ''",
        "br, *;q=0 | br"
      })
  void arrowDataIsCodedInZstandardAndInGzipOnlyIfIdentityIsForbidden(String header, String coding)
      throws Exception {
    for (String name : new String[] {"coded-plain", "coded-zstd", "coded-mixed", "coded-large"}) {
      HttpResponse<byte[]> response = get("/datasets/" + name, "Accept-Encoding", header);
      assertThat(header(response, "Content-Encoding")).isEqualTo(coding);
      assertThat(header(response, "Content-Type")).isEqualTo(STREAM);
      assertThat(header(response, "Vary")).isEqualTo("Accept, Accept-Encoding");
      assertThat(header(response, "Arrow-Row-Count")).isNotEmpty();
      byte[] stream = decoded(response);
      assertThat(stream).isEqualTo(get("/datasets/" + name + ".arrows?codec=none").body());
      assertThat(StreamCodecs.of(MemorySegment.ofArray(stream))).containsOnly(Codec.NONE);
    }
  }

  @Test
  void negotiatedFileIsCodedLikeTheStream() throws Exception {
    HttpResponse<byte[]> response =
        get(
            "/datasets/coded-plain",
            "Accept",
            "application/vnd.apache.arrow.file",
            "Accept-Encoding",
            "zstd");
    assertThat(header(response, "Content-Encoding")).isEqualTo("zstd");
    assertThat(decoded(response)).isEqualTo(get("/datasets/coded-plain.arrow").body());
  }

  @Test
  void eachCodingHasItsOwnEntityTagAndNoRanges() throws Exception {
    HttpResponse<byte[]> plain = get("/datasets/coded-plain");
    assertThat(header(plain, "ETag")).matches("\"[0-9a-z]+\\.1\\.arrows\"");
    assertThat(header(plain, "Accept-Ranges")).isEqualTo("bytes");
    HttpResponse<byte[]> zstd = get("/datasets/coded-plain", "Accept-Encoding", "zstd");
    assertThat(header(zstd, "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.arrows\\.zstd-2-\\d+\\.\\d+\\.\\d+-\\d+\"");
    assertThat(header(zstd, "Accept-Ranges")).isEqualTo("none");
    assertThat(header(get("/datasets/coded-plain.csv", "Accept-Encoding", "gzip"), "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.csv-2-number\\.gzip-2-25[^\"]*\"");
    String tag = header(zstd, "ETag");
    HttpResponse<byte[]> known =
        get("/datasets/coded-plain", "Accept-Encoding", "zstd", "If-None-Match", tag);
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(header(known, "Vary")).isEqualTo("Accept, Accept-Encoding");
    assertThat(header(known, "Content-Encoding")).isEmpty();
    assertThat(get("/datasets/coded-plain", "If-None-Match", tag).statusCode()).isEqualTo(200);
  }

  @Test
  void rangeRequestSelectsUncodedBytes() throws Exception {
    byte[] stream = get("/datasets/coded-plain").body();
    HttpResponse<byte[]> range =
        get("/datasets/coded-plain", "Accept-Encoding", BROWSER, "Range", "bytes=8-17");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(header(range, "Content-Encoding")).isEmpty();
    assertThat(range.body()).isEqualTo(Arrays.copyOfRange(stream, 8, 18));
    String coded = header(head("/datasets/coded-plain", "Accept-Encoding", "zstd"), "ETag");
    HttpResponse<byte[]> other =
        get(
            "/datasets/coded-plain",
            "Accept-Encoding",
            BROWSER,
            "Range",
            "bytes=8-17",
            "If-Range",
            coded);
    assertThat(other.statusCode()).isEqualTo(200);
    assertThat(other.body()).isEqualTo(stream);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "coded-plain | zstd, lz4 | zstd | ZSTD",
        "coded-plain | lz4 | lz4 | LZ4",
        "coded-lz4 | zstd, lz4 | lz4 | LZ4",
        "coded-lz4 | zstd | zstd | ZSTD",
        "coded-zstd | lz4, zstd | zstd | ZSTD",
        "coded-zstd | snappy | '' | NONE",
        "coded-zstd | '' | '' | NONE",
      })
  void buffersAreSentInACodecThatTheClientLists(
      String name, String listed, String declared, Codec codec) throws Exception {
    HttpResponse<byte[]> response =
        get(
            "/datasets/" + name,
            "Accept",
            STREAM + "; codecs=\"" + listed + "\"",
            "Accept-Encoding",
            REQUESTS);
    assertThat(header(response, "Content-Type"))
        .isEqualTo(declared.isEmpty() ? STREAM : STREAM + "; codecs=" + declared);
    assertThat(header(response, "Content-Encoding")).isEmpty();
    assertThat(StreamCodecs.of(MemorySegment.ofArray(response.body()))).containsOnly(codec);
  }

  @Test
  void storedBuffersInAListedCodecAreSentWithoutAContentCoding() throws Exception {
    HttpResponse<byte[]> stored = get("/datasets/coded-zstd.arrows");
    HttpResponse<byte[]> response =
        get("/datasets/coded-zstd", "Accept", STREAM + ";codecs=zstd", "Accept-Encoding", BROWSER);
    assertThat(header(response, "Content-Encoding")).isEmpty();
    assertThat(response.body()).isEqualTo(stored.body());
    assertThat(header(response, "ETag")).isEqualTo(header(stored, "ETag"));
    assertThat(header(response, "Accept-Ranges")).isEqualTo("bytes");
    HttpResponse<byte[]> mixed =
        get("/datasets/coded-mixed", "Accept", STREAM + ";codecs=\"lz4,zstd\"");
    assertThat(header(mixed, "Content-Type")).isEqualTo(STREAM + "; codecs=\"zstd, lz4\"");
    assertThat(mixed.body()).isEqualTo(get("/datasets/coded-mixed.arrows").body());
  }

  @Test
  void contentCodingReplacesTheCodecIfIdentityIsForbidden() throws Exception {
    HttpResponse<byte[]> response =
        get(
            "/datasets/coded-zstd",
            "Accept",
            STREAM + ";codecs=zstd",
            "Accept-Encoding",
            "gzip, identity;q=0");
    assertThat(header(response, "Content-Encoding")).isEqualTo("gzip");
    assertThat(StreamCodecs.of(MemorySegment.ofArray(decoded(response)))).containsOnly(Codec.NONE);
    HttpResponse<byte[]> requested =
        get("/datasets/coded-zstd?codec=zstd", "Accept-Encoding", "gzip, identity;q=0");
    assertThat(requested.statusCode()).isEqualTo(406);
    HttpResponse<byte[]> nothing =
        get("/datasets/coded-zstd", "Accept-Encoding", "deflate, identity;q=0");
    assertThat(nothing.statusCode()).isEqualTo(406);
    assertThat(header(nothing, "Vary")).isEqualTo("Accept, Accept-Encoding");
    assertThat(json(nothing).get("available").toString())
        .isEqualTo("[\"identity\",\"zstd\",\"gzip\",\"br\"]");
  }

  @Test
  void brotliIsTheLastResortForTextToo() throws Exception {
    String rows = text(get("/datasets/coded-large.csv"));
    HttpResponse<byte[]> brotli = get("/datasets/coded-large.csv", "Accept-Encoding", "br, *;q=0");
    assertThat(header(brotli, "Content-Encoding")).isEqualTo("br");
    assertThat(header(brotli, "ETag")).matches("\"[0-9a-z]+\\.1\\.csv-2-number\\.br-2\"");
    assertThat(new String(decoded(brotli), StandardCharsets.UTF_8)).isEqualTo(rows);
    for (String codings : List.of("br", "br, gzip;q=0.001, identity;q=0.5", BROWSER)) {
      assertThat(
              header(
                  get("/datasets/coded-large.csv", "Accept-Encoding", codings), "Content-Encoding"))
          .isNotEqualTo("br");
    }
    assertThat(
            header(
                get("/datasets/coded-plain.arrow", "Accept-Encoding", "br, *;q=0"),
                "Content-Encoding"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void codedResponseThatFailsMidwayDecodesToATruncatedMessage(String coding) throws Exception {
    String name = "coded-damaged-" + coding;
    Damage.upload(this, name, LARGE, 3);
    String request =
        "GET /datasets/%s HTTP/1.1\nHost: localhost\nAccept-Encoding: %s, identity;q=0\n\n"
            .formatted(name, coding);
    String response = RawHttp.exchange(port, request + "GET /health HTTP/1.1\nHost: localhost\n\n");
    assertThat(response)
        .startsWith("HTTP/1.1 200 ")
        .contains("\r\nContent-Encoding: " + coding + "\r\n")
        .contains("\r\nTransfer-Encoding: chunked\r\n")
        .doesNotContain("problem", "HTTP/1.1 5", "[reset]");
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    InputStream decoder = decoder(coding, RawHttp.unfinishedChunks(response));
    assertThatThrownBy(
            () -> {
              for (int next = decoder.read(); next >= 0; next = decoder.read()) {
                stream.write(next);
              }
            })
        .as("the coded data is truncated")
        .isInstanceOf(IOException.class);
    MemorySegment received = MemorySegment.ofArray(stream.toByteArray());
    try (StreamReader reader = new StreamReader(ByteSource.of(received), Limits.DEFAULT)) {
      for (int i = 0; i < 2; i++) {
        RecordBatch batch = Objects.requireNonNull(reader.next());
        assertThat(batch.length()).isEqualTo(LARGE);
      }
      assertThatThrownBy(reader::next)
          .isInstanceOf(TruncatedInputException.class)
          .hasMessageContaining("body");
    }
  }

  @Test
  void failureBeforeTheFirstByteIsAnUncodedProblem() throws Exception {
    Damage.upload(this, "coded-damaged", 10, 2);
    for (String path : List.of("/datasets/coded-damaged", "/datasets/coded-damaged.csv")) {
      HttpResponse<byte[]> response = get(path, "Accept-Encoding", "zstd");
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(header(response, "Content-Encoding")).isEmpty();
      assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:damaged");
    }
  }
}
