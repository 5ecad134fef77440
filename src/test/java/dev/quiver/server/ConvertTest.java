package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamCodecs;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Conversion of request bodies without storing them.
class ConvertTest extends RunningService {

  private static final String FILE = "application/vnd.apache.arrow.file";
  private static final String STREAM = "application/vnd.apache.arrow.stream";

  @ParameterizedTest
  @CsvSource({
    "application/vnd.apache.arrow.file, .arrow",
    "application/vnd.apache.arrow.stream, .arrows",
    "application/json, .json",
    "application/x-ndjson, .jsonl",
    "text/csv, .csv",
    "text/tab-separated-values, .tsv"
  })
  void convertedBodyEqualsTheStoredDatasetInTheSameFormat(String type, String suffix)
      throws Exception {
    byte[] body = Streams.numbers(0, 10, 20);
    put("/datasets/not-converted?batches=keep", body);
    HttpResponse<byte[]> stored = get("/datasets/not-converted" + suffix);
    HttpResponse<byte[]> converted = post("/convert", body, "Accept", type);
    assertThat(converted.statusCode()).isEqualTo(200);
    assertThat(converted.body()).isEqualTo(stored.body());
    assertThat(header(converted, "Content-Type")).isEqualTo(header(stored, "Content-Type"));
    assertThat(header(converted, "Arrow-Row-Count")).isEqualTo("30");
    assertThat(header(converted, "Content-Disposition"))
        .contains("filename=\"converted" + suffix + "\"");
    assertThat(header(converted, "Cache-Control")).isEqualTo("no-store");
    for (String name : new String[] {"ETag", "Last-Modified", "Link", "Accept-Ranges"}) {
      assertThat(header(converted, name)).as(name).isEmpty();
    }
  }

  /// The sentence is that of a body that is checked as it arrives, not of a file that is read.
  @Test
  void csvEndsAtALineThatNoRecordMayHave() throws Exception {
    byte[] line = new byte[5_000_000];
    Arrays.fill(line, (byte) 'x');
    String sentence = "Expected records of at most 2,000,000 bytes but found a longer one";
    for (HttpResponse<byte[]> rejected :
        List.of(
            post("/convert", line, "Content-Type", "text/csv"),
            put("/datasets/long-line.csv", line),
            put("/datasets/long-line.csv", line, "Prefer", "respond-async"))) {
      assertThat(rejected.statusCode()).isEqualTo(422);
      assertThat(json(rejected).get("detail").asString()).isEqualTo(sentence);
    }
  }

  @Test
  void conversionStoresNothing() throws Exception {
    byte[] before = get("/datasets").body();
    byte[] stream = Streams.numbers(0, 10);
    byte[] file = post("/convert", stream, "Accept", FILE).body();
    // Without an Accept header, the response is a stream.
    assertThat(post("/convert", file).body()).isEqualTo(stream);
    assertThat(get("/datasets").body()).isEqualTo(before);
    assertThat(get("/datasets/converted").statusCode()).isEqualTo(404);
  }

  @Test
  void convertsToTheRequestedCodec() throws Exception {
    byte[] body = Streams.inCodecs(20_000, Codec.ZSTD, Codec.ZSTD);
    byte[] plain = post("/convert?codec=none", body, "Accept", STREAM).body();
    assertThat(Streams.rowsOfBatches(plain)).containsExactly(20_000L, 20_000L);
    assertThat(plain).hasSizeGreaterThan(160_000);
    byte[] again = post("/convert?codec=zstd", plain, "Accept", STREAM).body();
    assertThat(again).hasSizeLessThan(body.length + 1000);
  }

  /// A dataset that is read without a suffix behaves the same.
  @Test
  void withoutACodecParameterConvertsToACodecThatTheClientLists() throws Exception {
    byte[] body = Streams.inCodecs(20_000, Codec.LZ4);
    HttpResponse<byte[]> plain = post("/convert", body);
    assertThat(StreamCodecs.of(MemorySegment.ofArray(plain.body()))).containsOnly(Codec.NONE);
    assertThat(header(plain, "Content-Type")).isEqualTo(STREAM);
    assertThat(header(plain, "Vary")).isEqualTo("Accept, Accept-Encoding");
    HttpResponse<byte[]> listed = post("/convert", body, "Accept", STREAM + "; codecs=lz4");
    assertThat(StreamCodecs.of(MemorySegment.ofArray(listed.body()))).containsOnly(Codec.LZ4);
    assertThat(header(listed, "Content-Type")).isEqualTo(STREAM + "; codecs=lz4");
    HttpResponse<byte[]> coded = post("/convert", body, "Accept-Encoding", "zstd");
    assertThat(header(coded, "Content-Encoding")).isEqualTo("zstd");
  }

  @Test
  void conversionReturnsOnlyTheRequestedColumnsAndRows() throws Exception {
    byte[] body = Streams.numbers(0, 10, 20);
    HttpResponse<byte[]> response =
        post("/convert?columns=number&offset=8&limit=3", body, "Accept", "text/csv");
    assertThat(text(response)).isEqualTo("number\r\n8\r\n9\r\n10\r\n");
    HttpResponse<byte[]> last = post("/convert?offset=-2", body, "Accept", "text/csv");
    assertThat(text(last)).isEqualTo("number\r\n28\r\n29\r\n");
    HttpResponse<byte[]> sample = post("/convert?sample=3", body, "Accept", "text/csv");
    assertThat(text(sample)).isEqualTo("number\r\n0\r\n10\r\n20\r\n");
    assertThat(text(post("/convert?max-value-bytes=1&limit=1", body, "Accept", "text/csv")))
        .isEqualTo("number\r\n0\r\n");
    assertThat(post("/convert?max-value-bytes=1", body).statusCode()).isEqualTo(400);
    byte[] colors = Streams.table(Codec.NONE, 30);
    String window = "/convert?offset=3&limit=2&columns=color";
    assertThat(text(post(window, colors))).contains("redgreenblue");
    assertThat(text(post(window + "&dictionaries=used", colors)))
        .contains("redgreen")
        .doesNotContain("blue");
    assertThat(post(window + "&dictionaries=used", colors, "Accept", "text/csv").statusCode())
        .isEqualTo(400);
    HttpResponse<byte[]> nothing = post("/convert?columns=nothing", body);
    assertThat(nothing.statusCode()).isEqualTo(400);
  }

  @Test
  void rejectsAnImpossibleConversionBeforeRequestingTheBody() throws Exception {
    for (String head :
        new String[] {
          "POST /convert?numbers=few HTTP/1.1\n",
          "POST /convert HTTP/1.1\nAccept: image/png\n",
          "POST /convert HTTP/1.1\nAccept-Encoding: deflate, identity;q=0\n",
          "POST /convert?codec=lz4 HTTP/1.1\nAccept-Encoding: gzip, identity;q=0\n",
          "POST /convert?codec=zstd HTTP/1.1\nAccept: text/csv\n",
          "POST /convert HTTP/1.1\nContent-Type: image/png\n",
          "POST /convert?csv.skip=x HTTP/1.1\nContent-Type: text/csv\n"
        }) {
      String received =
          RawHttp.exchange(
              port,
              head
                  + "Host: localhost\nExpect: 100-continue\nContent-Length: 1000\nConnection: close\n\n");
      assertThat(received).startsWith("HTTP/1.1 4").doesNotContain("100 Continue");
    }
  }

  @Test
  void conversionRejectsATruncatedBodyWithAProblem() throws Exception {
    byte[] body = Streams.numbers(0, 10);
    HttpResponse<byte[]> response = post("/convert", Arrays.copyOf(body, body.length - 30));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
  }

  @Test
  void rejectsConversionsFromPagesOfOtherSites() throws Exception {
    HttpResponse<byte[]> response =
        post("/convert", Streams.numbers(0, 3), "Sec-Fetch-Site", "cross-site");
    assertThat(response.statusCode()).isEqualTo(403);
  }
}
