package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import dev.quiver.server.http.HttpDate;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads of the file and of the stream: whole, by range, conditional and negotiated.
/// `RangeHeaderTest` covers the forms of `Range`, and [BatchesTest] covers batches.
class ReadTest extends RunningService {

  private static final String FILE = "/datasets/read.arrow";
  private static final String STREAM = "/datasets/read.arrows";

  private byte[] file;
  private int size;
  private String etag;

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/read").statusCode() == 404) {
      put("/datasets/read?batches=keep", Streams.numbers(0, 100, 200));
    }
    HttpResponse<byte[]> response = get(FILE);
    file = response.body();
    size = file.length;
    etag = header(response, "ETag");
  }

  private static String ascii(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String links(String... links) {
    return String.join(", ", links).replace('\'', '"');
  }

  @Test
  void returnsTheFileWithAllHeaders() throws Exception {
    HttpResponse<byte[]> response = get(FILE);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(ascii(file)).startsWith("ARROW1\0\0").endsWith("ARROW1");
    assertThat(header(response, "Content-Type")).isEqualTo("application/vnd.apache.arrow.file");
    assertThat(header(response, "Content-Length")).isEqualTo("" + size);
    assertThat(header(response, "Accept-Ranges")).isEqualTo("bytes");
    assertThat(header(response, "ETag")).matches("\"[0-9a-z]+\\.\\d+\"");
    assertThat(HttpDate.parse(header(response, "Last-Modified"))).isNotNull();
    assertThat(header(response, "Cache-Control")).isEqualTo("no-cache");
    assertThat(header(response, "Arrow-Row-Count")).isEqualTo("300");
    assertThat(header(response, "Arrow-Batch-Count")).isEqualTo("2");
    CRC32C checksum = new CRC32C();
    checksum.update(file);
    byte[] digest = ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array();
    assertThat(header(response, "Repr-Digest"))
        .isEqualTo("crc32c=:" + Base64.getEncoder().encodeToString(digest) + ":");
    assertThat(header(response, "Content-Disposition"))
        .isEqualTo("attachment; filename=\"read.arrow\"; filename*=UTF-8''read.arrow");
    assertThat(header(response, "Link"))
        .isEqualTo(
            links(
                "</datasets/read@1/schema>; rel='describedby'",
                "</datasets/read@1/batches>; rel='index'",
                "</datasets/read@1.arrows>; rel='alternate';"
                    + " type='application/vnd.apache.arrow.stream'",
                "</datasets/read@1.json>; rel='alternate'; type='application/json'",
                "</datasets/read@1.jsonl>; rel='alternate'; type='application/x-ndjson'",
                "</datasets/read@1.csv>; rel='alternate'; type='text/csv'",
                "</datasets/read@1.tsv>; rel='alternate'; type='text/tab-separated-values'",
                "</datasets/read@1.xlsx>; rel='alternate';"
                    + " type='application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'",
                "</datasets/read@1.parquet>; rel='alternate'; type='application/vnd.apache.parquet'",
                "</datasets/read@1.txt>; rel='alternate'; type='text/plain'",
                "</datasets/read@1>; rel='alternate'; type='text/html'",
                "</datasets/read@1>; rel='alternate'; type='multipart/mixed'",
                "</datasets/read@1.arrow>; rel='latest-version'"));
    assertThat(header(get("/datasets/read@1.arrows"), "Link"))
        .contains("</datasets/read@1.arrow>; rel=\"alternate\"")
        .endsWith(", </datasets/read.arrows>; rel=\"latest-version\"");
    assertThat(header(response, "Vary")).isEmpty();
    assertThat(header(response, "Content-Range")).isEmpty();
  }

  @Test
  void streamIsTheFileFromByteEightToTheFooter() throws Exception {
    HttpResponse<byte[]> stream = get(STREAM);
    int footer = json("/datasets/read/batches").at("/footer/offset").intValue();
    assertThat(stream.body()).isEqualTo(Arrays.copyOfRange(file, 8, footer));
    assertThat(Streams.rowsOfBatches(stream.body())).containsExactly(100L, 200L);
    assertThat(header(stream, "Content-Type")).isEqualTo("application/vnd.apache.arrow.stream");
    assertThat(header(stream, "ETag")).isEqualTo(etag.replaceFirst("\"$", ".arrows\""));
    assertThat(header(stream, "Arrow-Row-Count")).isEqualTo("300");
  }

  @ParameterizedTest
  @ValueSource(strings = {FILE, STREAM, "/datasets/read", "/datasets/read/batches/0"})
  void headHasTheHeadersOfGet(String path) throws Exception {
    HttpResponse<byte[]> head = assertSameHeaders(path);
    assertThat(header(head, "Content-Length")).isEqualTo("" + get(path).body().length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/read/schema",
        "/datasets/read/batches",
        "/datasets/read/versions",
        "/datasets",
        "/",
      })
  void headOfAGeneratedDocumentOmitsTheLength(String path) throws Exception {
    HttpResponse<byte[]> head = assertSameHeaders(path);
    assertThat(header(head, "Content-Length")).isEmpty();
  }

  private HttpResponse<byte[]> assertSameHeaders(String path) throws Exception {
    HttpResponse<byte[]> get = get(path);
    HttpResponse<byte[]> head = head(path);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    Set<String> differ = Set.of("date", "content-length", "x-request-id");
    for (String name : get.headers().map().keySet()) {
      if (!differ.contains(name.toLowerCase(Locale.ROOT))) {
        assertThat(header(head, name)).as(name).isEqualTo(header(get, name));
      }
    }
    return head;
  }

  @Test
  void headIgnoresRange() throws Exception {
    HttpResponse<byte[]> head = head(FILE, "Range", "bytes=0-9");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Length")).isEqualTo("" + size);
    assertThat(header(head, "Content-Range")).isEmpty();
  }

  @Test
  void neverAppliesAContentCodingToStoredBytes() throws Exception {
    HttpResponse<byte[]> response = get(FILE, "Accept-Encoding", "gzip, zstd, identity;q=0");
    assertThat(header(response, "Content-Encoding")).isEmpty();
    assertThat(response.body()).isEqualTo(file);
  }

  @ParameterizedTest
  @CsvSource({"0-9, 0, 10", "8-, 8, -1", "-10, -10, -1", "5-999999999, 5, -1", "-999999999, 0, -1"})
  void returnsExactlyTheRequestedRange(String range, int first, int end) throws Exception {
    int from = first < 0 ? size + first : first;
    int to = end < 0 ? size : end;
    HttpResponse<byte[]> response = get(FILE, "Range", "bytes=" + range);
    assertThat(response.statusCode()).isEqualTo(206);
    assertThat(response.body()).isEqualTo(Arrays.copyOfRange(file, from, to));
    assertThat(header(response, "Content-Range"))
        .isEqualTo("bytes " + from + "-" + (to - 1) + "/" + size);
    assertThat(header(response, "Content-Length")).isEqualTo("" + (to - from));
    assertThat(header(response, "ETag")).isEqualTo(etag);
  }

  @Test
  void returnsARangeOfTheStream() throws Exception {
    byte[] stream = get(STREAM).body();
    HttpResponse<byte[]> response = get(STREAM, "Range", "bytes=100-");
    assertThat(response.statusCode()).isEqualTo(206);
    assertThat(response.body()).isEqualTo(Arrays.copyOfRange(stream, 100, stream.length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=-0", "bytes=999999999-"})
  void unsatisfiableRangeIsAProblemWithTheSize(String range) throws Exception {
    HttpResponse<byte[]> response = get(FILE, "Range", range);
    assertThat(response.statusCode()).isEqualTo(416);
    assertThat(header(response, "Content-Range")).isEqualTo("bytes */" + size);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(response, "ETag")).isEmpty();
    assertThat(json(response).at("/size").intValue()).isEqualTo(size);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rows=0-4", "bytes=5-1", "bytes=a-b", "bytes", "bytes=0-0,x"})
  void ignoresInvalidRanges(String range) throws Exception {
    HttpResponse<byte[]> response = get(FILE, "Range", range);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(file);
  }

  @Test
  void ignoresTwoRangeHeaders() throws Exception {
    String response =
        RawHttp.exchange(
            port,
            "GET %s HTTP/1.1\nHost: localhost\nRange: bytes=0-1\nRange: bytes=2-3\nConnection: close\n\n"
                .formatted(FILE));
    assertThat(response).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void severalRangesAreSentAsMultipart() throws Exception {
    HttpResponse<byte[]> response = get(FILE, "Range", "bytes=0-5,-6,500-501");
    assertThat(response.statusCode()).isEqualTo(206);
    String type = header(response, "Content-Type");
    assertThat(type).matches("multipart/byteranges; boundary=[0-9a-f]{40}");
    String boundary = type.substring(type.indexOf('=') + 1);
    String part =
        "\r\n--%s\r\nContent-Type: application/vnd.apache.arrow.file\r\nContent-Range: bytes %s/%d"
            + "\r\n\r\n";
    assertThat(ascii(response.body()))
        .isEqualTo(
            part.formatted(boundary, "0-5", size)
                + "ARROW1"
                + part.formatted(boundary, (size - 6) + "-" + (size - 1), size)
                + "ARROW1"
                + part.formatted(boundary, "500-501", size)
                + ascii(Arrays.copyOfRange(file, 500, 502))
                + "\r\n--"
                + boundary
                + "--\r\n");
    assertThat(header(response, "Content-Length")).isEqualTo("" + response.body().length);
    assertThat(header(response, "Content-Range")).isEmpty();
  }

  @Test
  void ifRangeRequiresTheStrongTag() throws Exception {
    String modified = header(get(FILE), "Last-Modified");
    assertThat(get(FILE, "Range", "bytes=0-9", "If-Range", etag).statusCode()).isEqualTo(206);
    for (String other : new String[] {"\"other\"", "W/" + etag, modified}) {
      HttpResponse<byte[]> response = get(FILE, "Range", "bytes=0-9", "If-Range", other);
      assertThat(response.statusCode()).as(other).isEqualTo(200);
      assertThat(response.body()).isEqualTo(file);
    }
  }

  @Test
  void returnsNotModifiedToAClientThatIsUpToDate() throws Exception {
    String modified = header(get(FILE), "Last-Modified");
    for (String[] headers :
        new String[][] {
          {"If-None-Match", etag},
          {"If-None-Match", "W/" + etag},
          {"If-None-Match", "\"other\", " + etag},
          {"If-None-Match", "*"},
          {"If-Modified-Since", modified},
          {"If-None-Match", etag, "Range", "bytes=0-9"},
        }) {
      HttpResponse<byte[]> response = get(FILE, headers);
      assertThat(response.statusCode()).as(Arrays.toString(headers)).isEqualTo(304);
      assertThat(response.body()).isEmpty();
      assertThat(header(response, "ETag")).isEqualTo(etag);
      assertThat(header(response, "Cache-Control")).isEqualTo("no-cache");
    }
    assertThat(get(FILE, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    assertThat(get(STREAM, "If-None-Match", etag).statusCode()).isEqualTo(200);
    assertThat(head(FILE, "If-None-Match", etag).statusCode()).isEqualTo(304);
  }

  @Test
  void failedPreconditionIsAProblem() throws Exception {
    HttpResponse<byte[]> response = get(FILE, "If-Match", "\"other\"");
    assertThat(response.statusCode()).isEqualTo(412);
    assertThat(json(response).at("/type").asString())
        .isEqualTo("urn:quiver:problem:precondition-failed");
    assertThat(get(FILE, "If-Match", etag).statusCode()).isEqualTo(200);
    assertThat(get(FILE, "If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT").statusCode())
        .isEqualTo(412);
  }

  @Test
  void versionIsImmutableAndCachedForever() throws Exception {
    put("/datasets/pinned", Streams.numbers(0, 5));
    HttpResponse<byte[]> first = get("/datasets/pinned@1.arrow");
    put("/datasets/pinned", Streams.numbers(100, 6));
    HttpResponse<byte[]> again = get("/datasets/pinned@1.arrow");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(header(again, "ETag")).isEqualTo(header(first, "ETag"));
    assertThat(header(again, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
    assertThat(get("/datasets/pinned@2.arrow").body())
        .isEqualTo(get("/datasets/pinned.arrow").body())
        .isNotEqualTo(first.body());
    assertThat(header(get("/datasets/pinned.arrow"), "ETag")).isNotEqualTo(header(first, "ETag"));
    assertThat(get("/datasets/pinned%402.arrow").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/* | application/vnd.apache.arrow.stream",
        "application/* | application/vnd.apache.arrow.stream",
        "application/vnd.apache.arrow.file | application/vnd.apache.arrow.file",
        "application/vnd.apache.arrow.stream;q=0.5, application/vnd.apache.arrow.file"
            + " | application/vnd.apache.arrow.file",
        "application/vnd.apache.arrow.stream;q=0, */* | application/vnd.apache.arrow.file",
        "application/json;q=0.3, text/csv;q=0.31 | text/csv;header=present;charset=utf-8",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
            + " | text/html;charset=UTF-8",
        "nonsense, application/vnd.apache.arrow.file | application/vnd.apache.arrow.file",
        "nonsense | application/vnd.apache.arrow.stream",
      })
  void acceptChoosesTheFormatWithoutASuffix(String accept, String type) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/read", "Accept", accept);
    assertThat(header(response, "Content-Type").replace(" ", "")).isEqualTo(type.replace(" ", ""));
    assertThat(header(response, "Vary")).isEqualTo("Accept, Accept-Encoding");
    HttpResponse<byte[]> known =
        get("/datasets/read", "Accept", accept, "If-None-Match", header(response, "ETag"));
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(header(known, "Vary")).isEqualTo("Accept, Accept-Encoding");
  }

  @Test
  void notAcceptableListsTheAvailableTypes() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/read", "Accept", "image/png, text/csv;q=0");
    assertThat(response.statusCode()).isEqualTo(406);
    assertThat(header(response, "Vary")).isEqualTo("Accept");
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected application/vnd.apache.arrow.stream or application/vnd.apache.arrow.file or"
                + " application/json or application/x-ndjson or text/csv; charset=utf-8;"
                + " header=present or text/tab-separated-values; charset=utf-8 or"
                + " application/vnd.openxmlformats-officedocument.spreadsheetml.sheet or"
                + " application/vnd.apache.parquet or"
                + " text/plain; charset=utf-8 or text/html;charset=UTF-8 or multipart/mixed but found image/png,"
                + " text/csv;q=0 at header Accept");
    assertThat(json(response).at("/available").toString())
        .isEqualTo(
            "[\"application/vnd.apache.arrow.stream\",\"application/vnd.apache.arrow.file\","
                + "\"application/json\",\"application/x-ndjson\","
                + "\"text/csv; charset=utf-8; header=present\","
                + "\"text/tab-separated-values; charset=utf-8\","
                + "\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet\","
                + "\"application/vnd.apache.parquet\","
                + "\"text/plain; charset=utf-8\",\"text/html;charset=UTF-8\",\"multipart/mixed\"]");
  }

  @Test
  void suffixTakesPrecedenceOverAccept() throws Exception {
    HttpResponse<byte[]> response = get(FILE, "Accept", "application/vnd.apache.arrow.stream");
    assertThat(header(response, "Content-Type")).isEqualTo("application/vnd.apache.arrow.file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing.arrow | Expected a dataset but found none at nothing",
        "read@99 | Expected a dataset but found none at read@99",
        "read@0 | Expected a version number from 1 but found \"0\" after @",
        "read@01 | Expected a version number from 1 but found \"01\" after @",
        "read.html | Expected a dataset but found none at read.html",
      })
  void missingDatasetsAndVersionsAreNotFound(String name, String detail) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/" + name);
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(json(response).at("/detail").asString()).isEqualTo(detail);
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void servesAnHttp10ClientWithoutHost() throws Exception {
    String response = RawHttp.exchange(port, "GET " + FILE + " HTTP/1.0\n\n");
    assertThat(response).startsWith("HTTP/1.1 200 ").endsWith("ARROW1");
  }
}
