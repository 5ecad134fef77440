package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A JSON document and the Arrow stream in one body, by the Arrow project's convention for
/// multipart responses.
class MultipartMixedTest extends RunningService {

  private static final Pattern BOUNDARY =
      Pattern.compile("multipart/mixed; boundary=([A-Za-z0-9_-]{38})");

  private static final String STREAM = "application/vnd.apache.arrow.stream";

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/mixed").statusCode() == 404) {
      put("/datasets/mixed?batches=keep", Streams.numbers(0, 10, 20, 30));
      put("/datasets/mixed-codecs?batches=keep", Streams.inCodecs(20_000, Codec.NONE, Codec.ZSTD));
    }
  }

  record Part(String header, byte[] content) {}

  private HttpResponse<byte[]> getMixed(String path, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of("Accept", "multipart/mixed"));
    all.addAll(List.of(headers));
    return get(path, all.toArray(String[]::new));
  }

  /// Splits a body at the lines of its boundary: RFC 2046 §5.1.
  static List<Part> parts(HttpResponse<byte[]> response) {
    Matcher matcher = BOUNDARY.matcher(header(response, "Content-Type"));
    assertThat(matcher.matches()).as(header(response, "Content-Type")).isTrue();
    String body = new String(response.body(), StandardCharsets.ISO_8859_1);
    String boundary = "--" + matcher.group(1);
    assertThat(body).startsWith(boundary + "\r\n").endsWith("\r\n" + boundary + "--\r\n");
    String[] texts =
        body.substring(boundary.length(), body.length() - boundary.length() - 6)
            .split(Pattern.quote("\r\n" + boundary), -1);
    List<Part> parts = new ArrayList<>();
    for (String text : texts) {
      int end = text.indexOf("\r\n\r\n");
      parts.add(
          new Part(
              text.substring(2, end),
              text.substring(end + 4).getBytes(StandardCharsets.ISO_8859_1)));
    }
    return parts;
  }

  @Test
  void jsonDocumentPrecedesTheStream() throws Exception {
    HttpResponse<byte[]> response = getMixed("/datasets/mixed");
    assertThat(response.statusCode()).isEqualTo(200);
    List<Part> parts = parts(response);
    assertThat(parts).hasSize(2);
    byte[] document = parts.get(0).content();
    assertThat(parts.get(0).header())
        .isEqualTo("Content-Type: application/json\r\nContent-Length: " + document.length);
    JsonNode array = JsonMapper.builder().build().readTree(document);
    assertThat(array.size()).isEqualTo(1);
    assertThat(array.at("/0/name").asString()).isEqualTo("mixed");
    assertThat(array.at("/0/rows").intValue()).isEqualTo(60);
    byte[] stream = get("/datasets/mixed.arrows").body();
    assertThat(parts.get(1).header())
        .isEqualTo("Content-Type: " + STREAM + "\r\nContent-Length: " + stream.length);
    assertThat(parts.get(1).content()).isEqualTo(stream);
    assertThat(header(response, "Content-Length")).isEqualTo("" + response.body().length);
    assertThat(header(response, "Arrow-Row-Count")).isEqualTo("60");
    assertThat(header(response, "Content-Disposition")).isEmpty();
  }

  @Test
  void appendsFootnotesWhenRequested() throws Exception {
    List<Part> parts = parts(getMixed("/datasets/mixed?include_footnotes"));
    assertThat(parts).hasSize(3);
    assertThat(parts.get(2).header())
        .isEqualTo("Content-Type: text/plain; charset=utf-8\r\nContent-Length: 38");
    assertThat(new String(parts.get(2).content(), StandardCharsets.UTF_8))
        .isEqualTo("mixed@1: 60 rows in 3 record batches.\n");
  }

  @Test
  void rangeContinuesTheSameMultipartBody() throws Exception {
    HttpResponse<byte[]> whole = getMixed("/datasets/mixed@1");
    int middle = whole.body().length / 2;
    String etag = header(whole, "ETag");
    HttpResponse<byte[]> rest =
        getMixed("/datasets/mixed@1", "Range", "bytes=" + middle + "-", "If-Range", etag);
    assertThat(rest.statusCode()).isEqualTo(206);
    assertThat(rest.body())
        .isEqualTo(Arrays.copyOfRange(whole.body(), middle, whole.body().length));
    assertThat(header(rest, "Content-Type")).isEqualTo(header(whole, "Content-Type"));
    assertThat(getMixed("/datasets/mixed@1", "If-None-Match", etag).statusCode()).isEqualTo(304);
  }

  @Test
  void differentMultipartBodiesHaveDifferentTagsAndBoundaries() throws Exception {
    put("/datasets/mixed-twin?batches=keep", Streams.numbers(0, 10, 20, 30));
    List<HttpResponse<byte[]>> responses =
        List.of(
            getMixed("/datasets/mixed"),
            getMixed("/datasets/mixed?include_footnotes"),
            getMixed("/datasets/mixed?codec=zstd"),
            getMixed("/datasets/mixed-twin"),
            get("/datasets/mixed"));
    assertThat(responses).extracting(r -> header(r, "ETag")).doesNotHaveDuplicates();
    assertThat(responses).extracting(r -> header(r, "Content-Type")).doesNotHaveDuplicates();
  }

  @Test
  void omitsTheLengthOfARecompressedStream() throws Exception {
    HttpResponse<byte[]> response = getMixed("/datasets/mixed-codecs?codec=lz4");
    List<Part> parts = parts(response);
    assertThat(parts.get(1).header()).isEqualTo("Content-Type: " + STREAM);
    assertThat(Streams.rowsOfBatches(parts.get(1).content())).containsExactly(20_000L, 20_000L);
    assertThat(header(response, "Accept-Ranges")).isEqualTo("none");
  }

  @Test
  void sendsMultipartOnlyWhenRequested() throws Exception {
    assertThat(header(get("/datasets/mixed"), "Content-Type")).isEqualTo(STREAM);
    assertThat(header(get("/datasets/mixed", "Accept", "*/*"), "Content-Type")).isEqualTo(STREAM);
  }
}
