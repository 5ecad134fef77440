package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Requests that the example clients of the Arrow project's HTTP conventions send to `/`, and the
/// parts of the response that they read. `InteropTest` tests the values of `quiver.interop`.
class ConventionsTest {

  private static final String STREAM = "application/vnd.apache.arrow.stream";

  /// The headers of Python's urllib, of Python's requests, and of Node's fetch.
  private static final String[] URLLIB = {"Accept-Encoding", "identity"};

  private static final String[] REQUESTS = {"Accept", "*/*", "Accept-Encoding", "gzip, deflate"};

  /// Returns two batches with compressed buffers, which not every client can read.
  private static byte[] compressed() throws Exception {
    return Streams.inCodecs(20_000, Codec.ZSTD, Codec.ZSTD);
  }

  @Nested
  @TestPropertySource(properties = "quiver.interop=simple:simple-data,post-simple:posted")
  class Simple extends RunningService {

    @Test
    void simpleExampleGivesEveryClientAStreamThatItCanRead() throws Exception {
      put("/datasets/simple-data?batches=keep", compressed());
      byte[] plain = get("/datasets/simple-data.arrows?codec=none").body();
      for (String[] client : List.of(URLLIB, REQUESTS, new String[] {"Accept", STREAM})) {
        HttpResponse<byte[]> response = get("/", client);
        assertThat(response.statusCode()).isEqualTo(200);
        // The example clients compare the whole value with ==.
        assertThat(header(response, "Content-Type")).isEqualTo(STREAM);
        assertThat(header(response, "Content-Encoding")).isEmpty();
        assertThat(response.body()).isEqualTo(plain);
        assertThat(get(header(response, "Content-Location")).body()).isEqualTo(plain);
        assertThat(Streams.rowsOfBatches(response.body())).containsExactly(20_000L, 20_000L);
      }
    }

    @Test
    void http10ClientGetsTheStreamWithoutChunks() throws Exception {
      put("/datasets/simple-data?batches=keep", compressed());
      String received =
          RawHttp.exchange(port, "GET / HTTP/1.0\nHost: localhost:%d\n\n".formatted(port));
      assertThat(received).startsWith("HTTP/1.1 200 ").doesNotContain("chunked");
      byte[] body =
          received
              .substring(received.indexOf("\r\n\r\n") + 4)
              .getBytes(StandardCharsets.ISO_8859_1);
      assertThat(Streams.rowsOfBatches(body)).containsExactly(20_000L, 20_000L);
    }

    @Test
    void postedStreamCreatesAndThenReplacesADataset() throws Exception {
      HttpResponse<byte[]> created = post("/", Streams.numbers(0, 3, 4), "Content-Type", STREAM);
      assertThat(created.statusCode()).isEqualTo(201);
      assertThat(header(created, "Location")).isEqualTo("/datasets/posted");
      HttpResponse<byte[]> again = post("/", Streams.numbers(0, 5), "Content-Type", STREAM);
      assertThat(again.statusCode()).isEqualTo(200);
      assertThat(json("/datasets/posted/schema")).isNotNull();
      assertThat(header(get("/datasets/posted.arrow"), "Arrow-Row-Count")).isEqualTo("5");
    }

    @Test
    void simpleExampleLeavesOtherPathsUnchanged() throws Exception {
      assertThat(json("/datasets").has("datasets")).isTrue();
      assertThat(get("/random.arrows").statusCode()).isEqualTo(404);
    }

    @Test
    void optionsAdvertisesPostedStreams() throws Exception {
      String received =
          RawHttp.exchange(port, "OPTIONS / HTTP/1.1\nHost: localhost\nConnection: close\n\n");
      assertThat(received)
          .contains("\r\nAllow: GET, HEAD, OPTIONS, POST\r\n")
          .contains("\r\nAccept-Post: " + STREAM + ", ")
          .doesNotContain("multipart/form-data");
      assertThat(header(delete("/"), "Allow")).isEqualTo("GET, HEAD, OPTIONS, POST");
    }

    @Test
    void rejectsPostsFromPagesOfOtherSites() throws Exception {
      HttpResponse<byte[]> response =
          post("/", Streams.numbers(0, 3), "Content-Type", STREAM, "Sec-Fetch-Site", "cross-site");
      assertThat(response.statusCode()).isEqualTo(403);
    }
  }

  @Nested
  @TestPropertySource(properties = "quiver.interop=compressed:compressed-data")
  class Compressed extends RunningService {

    private HttpResponse<byte[]> fetch(String... headers) throws Exception {
      put("/datasets/compressed-data?batches=keep", compressed());
      HttpResponse<byte[]> response = get("/", headers);
      assertThat(response.statusCode()).as(List.of(headers).toString()).isEqualTo(200);
      return response;
    }

    private byte[] plain() throws Exception {
      return get("/datasets/compressed-data.arrows?codec=none").body();
    }

    @Test
    void compressedExampleUsesTheOnlyPermittedCoding() throws Exception {
      for (String coding : List.of("identity", "zstd", "gzip")) {
        HttpResponse<byte[]> response = fetch("Accept-Encoding", coding + ", *;q=0");
        // The example clients compare the whole value with ==.
        assertThat(header(response, "Content-Type")).isEqualTo(STREAM);
        assertThat(header(response, "Content-Encoding"))
            .isEqualTo(coding.equals("identity") ? "" : coding);
      }
      HttpResponse<byte[]> gzip = fetch("Accept-Encoding", "gzip, *;q=0");
      assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes())
          .isEqualTo(plain());
      assertThat(fetch("Accept-Encoding", "identity, *;q=0").body()).isEqualTo(plain());
    }

    @Test
    void compressedExampleUsesAListedCoding() throws Exception {
      for (String coding : List.of("zstd", "gzip")) {
        HttpResponse<byte[]> response = fetch("Accept-Encoding", coding);
        assertThat(header(response, "Content-Encoding")).isEqualTo(coding);
      }
    }

    @Test
    void compressedExampleUsesGzipIfAnHttp11ClientListsNoCoding() throws Exception {
      assertThat(header(fetch(), "Content-Encoding")).isEqualTo("gzip");
      String old = RawHttp.exchange(port, "GET / HTTP/1.0\nHost: localhost:%d\n\n".formatted(port));
      assertThat(old).startsWith("HTTP/1.1 200 ").doesNotContain("Content-Encoding");
    }

    @Test
    void compressedExampleCompressesBuffersInAListedCodec() throws Exception {
      for (String codecs : List.of("codecs=\"zstd, lz4\"", "codecs=lz4")) {
        HttpResponse<byte[]> response = fetch("Accept", STREAM + "; " + codecs);
        assertThat(header(response, "Content-Encoding")).isEmpty();
        assertThat(header(response, "Content-Type")).startsWith(STREAM + "; codecs=");
        assertThat(Streams.rowsOfBatches(response.body())).containsExactly(20_000L, 20_000L);
      }
    }
  }

  @Nested
  @TestPropertySource(properties = "quiver.interop=range:range-data")
  class Range extends RunningService {

    @Test
    void twoRangesFormTheWholeStream() throws Exception {
      put("/datasets/range-data?batches=keep", compressed());
      HttpResponse<byte[]> head = head("/random.arrows");
      assertThat(header(head, "Content-Type")).isEqualTo(STREAM);
      int length = Integer.parseInt(header(head, "Content-Length"));
      int half = length / 2;
      HttpResponse<byte[]> first = get("/random.arrows", "Range", "bytes=0-" + half);
      // The example client requests one byte beyond the end.
      HttpResponse<byte[]> second =
          get("/random.arrows", "Range", "bytes=" + (half + 1) + "-" + length);
      assertThat(first.statusCode()).isEqualTo(206);
      assertThat(second.statusCode()).isEqualTo(206);
      ByteArrayOutputStream joined = new ByteArrayOutputStream();
      joined.write(first.body());
      joined.write(second.body());
      assertThat(Streams.rowsOfBatches(joined.toByteArray())).containsExactly(20_000L, 20_000L);
    }

    @Test
    void resumesADownload() throws Exception {
      put("/datasets/range-data?batches=keep", compressed());
      byte[] whole = get("/random.arrows").body();
      HttpResponse<byte[]> rest = get("/random.arrows", "Range", "bytes=100-");
      assertThat(rest.statusCode()).isEqualTo(206);
      assertThat(header(rest, "Content-Range"))
          .isEqualTo("bytes 100-%d/%d".formatted(whole.length - 1, whole.length));
      assertThat(get("/").body()).isEqualTo(whole);
    }
  }

  @Nested
  @TestPropertySource(properties = "quiver.interop=indirect:indirect-data")
  class Indirect extends RunningService {

    @Test
    void indirectExampleLinksToOneStreamPerBatch() throws Exception {
      put("/datasets/indirect-data?batches=keep", Streams.numbers(0, 10, 20, 30));
      HttpResponse<byte[]> list = get("/", REQUESTS);
      assertThat(header(list, "Content-Type")).startsWith("application/json");
      List<Long> rows = new ArrayList<>();
      for (JsonNode file : json("/").get("arrow_stream_files")) {
        URI uri = URI.create(file.get("uri").asString());
        assertThat(uri.getAuthority()).isEqualTo("localhost:" + port);
        assertThat(uri.getPath()).endsWith(".arrows");
        // The first example client appends the file name to its URL.
        HttpResponse<byte[]> stream = get("/" + file.get("filename").asString(), REQUESTS);
        assertThat(stream.body()).isEqualTo(get(uri.getPath(), REQUESTS).body());
        assertThat(header(stream, "Content-Type")).startsWith(STREAM);
        assertThat(header(stream, "Content-Encoding")).isEmpty();
        rows.addAll(Streams.rowsOfBatches(stream.body()));
      }
      assertThat(rows).containsExactly(10L, 20L, 30L);
    }
  }

  @Nested
  @TestPropertySource(
      properties = "quiver.interop=multipart:multipart-data,post-multipart:posted-form")
  class Multipart extends RunningService {

    @Test
    void multipartExampleHasFootnotesAsItsThirdPart() throws Exception {
      put("/datasets/multipart-data?batches=keep", Streams.numbers(0, 10, 20));
      HttpResponse<byte[]> response = get("/?include_footnotes", URLLIB);
      List<MultipartMixedTest.Part> parts = MultipartMixedTest.parts(response);
      assertThat(parts)
          .extracting(part -> part.header().lines().findFirst().orElseThrow())
          .containsExactly(
              "Content-Type: application/json",
              "Content-Type: " + STREAM,
              "Content-Type: text/plain; charset=utf-8");
      // The example client expects an array.
      assertThat(new String(parts.get(0).content(), StandardCharsets.UTF_8))
          .startsWith("[{\"name\":\"multipart-data\"");
      assertThat(Streams.rowsOfBatches(parts.get(1).content())).containsExactly(10L, 20L);
      assertThat(MultipartMixedTest.parts(get("/", URLLIB))).hasSize(2);
    }

    @Test
    void optionsAdvertisesPostedForms() throws Exception {
      assertThat(
              RawHttp.exchange(port, "OPTIONS / HTTP/1.1\nHost: localhost\nConnection: close\n\n"))
          .contains("\r\nAllow: GET, HEAD, OPTIONS, POST\r\n", ", multipart/form-data\r\n");
    }

    @Test
    void postedFormCreatesAndThenReplacesADataset() throws Exception {
      for (int status : new int[] {201, 200}) {
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        form.writeBytes(
            """
            --b\r
            Content-Disposition: form-data; name="metadata"\r
            Content-Type: application/json\r
            \r
            {}\r
            --b\r
            Content-Disposition: form-data; name="data"; filename="x.arrows"\r
            Content-Type: application/vnd.apache.arrow.stream\r
            \r
            """
                .getBytes(StandardCharsets.US_ASCII));
        form.writeBytes(Streams.numbers(0, 3, 4));
        form.writeBytes("\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII));
        HttpResponse<byte[]> response =
            post("/", form.toByteArray(), "Content-Type", "multipart/form-data; boundary=b");
        assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
        assertThat(header(response, "Location")).isEqualTo("/datasets/posted-form");
      }
      assertThat(header(get("/datasets/posted-form.arrow"), "Arrow-Row-Count")).isEqualTo("7");
    }

    /// The sender of the form does what the hint says, and succeeds.
    @Test
    void postedTableReplacesOtherColumnsIfItsNameTellsItsFormat() throws Exception {
      put("/datasets/posted-form", Streams.numbers(0, 3));
      String form =
          "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n"
              + "city,degrees\nBern,12\n\r\n--b--\r\n";
      HttpResponse<byte[]> unnamed = postForm(form.formatted("weather"));
      assertThat(unnamed.statusCode()).isEqualTo(409);
      assertThat(json(unnamed).get("hint").asString())
          .isEqualTo("To replace the data, give the file in the form a name that ends with .csv.");
      assertThat(postForm(form.formatted("weather.csv")).statusCode()).isEqualTo(200);
      assertThat(text(get("/datasets/posted-form.csv"))).startsWith("city,degrees");
      delete("/datasets/posted-form");
    }

    private HttpResponse<byte[]> postForm(String form) throws Exception {
      return post(
          "/",
          form.getBytes(StandardCharsets.UTF_8),
          "Content-Type",
          "multipart/form-data; boundary=b");
    }
  }
}
