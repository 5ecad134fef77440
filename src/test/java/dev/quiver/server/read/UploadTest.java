package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.validate.Rule;
import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Writes: their responses, their conditions, and failures, which leave nothing behind. The tests
/// of the package `store` cover how datasets are stored.
class UploadTest extends RunningService {

  private static final String STREAM_TYPE = "application/vnd.apache.arrow.stream";

  private static String problem(HttpResponse<byte[]> response) {
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    return json(response).get("type").asString().replace("urn:quiver:problem:", "");
  }

  private void assertAbsent(String name) throws Exception {
    assertThat(get("/datasets/" + name).statusCode()).isEqualTo(404);
  }

  @Test
  void putCreatesAndThenReplacesADataset() throws Exception {
    HttpResponse<byte[]> created =
        put("/datasets/put?batches=keep&verbose=true", Streams.numbers(0, 3, 4));
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(header(created, "Location")).isEqualTo("/datasets/put");
    assertThat(header(created, "ETag")).isEmpty();
    JsonNode document = json(created);
    assertThat(document.get("name").asString()).isEqualTo("put");
    assertThat(document.get("version").intValue()).isEqualTo(1);
    assertThat(document.get("kind").asString()).isEqualTo("upload");
    assertThat(document.get("rows").intValue()).isEqualTo(7);
    assertThat(document.get("batches").intValue()).isEqualTo(2);
    assertThat(document.get("warnings").size()).isZero();
    assertThat(document.get("etag").asString())
        .isEqualTo(header(get("/datasets/put.arrow"), "ETag"));

    HttpResponse<byte[]> replaced = put("/datasets/put", Streams.numbers(0, 1));
    assertThat(replaced.statusCode()).isEqualTo(200);
    assertThat(json(replaced).get("version").intValue()).isEqualTo(2);
    assertThat(Streams.rowsOfBatches(get("/datasets/put").body())).containsExactly(1L);
  }

  @Test
  void coalescesSmallBatchesUnlessTheyAreKept() throws Exception {
    put("/datasets/coalesced", Streams.numbers(0, 3, 4));
    assertThat(Streams.rowsOfBatches(get("/datasets/coalesced.arrows").body())).containsExactly(7L);
    put("/datasets/coalesced?batches=keep", Streams.numbers(0, 3, 4));
    assertThat(Streams.rowsOfBatches(get("/datasets/coalesced.arrows").body()))
        .containsExactly(3L, 4L);
  }

  @Test
  void storesTheRequestedCodec() throws Exception {
    for (String codec : List.of("zstd", "lz4", "none")) {
      put("/datasets/codec?codec=" + codec, Streams.numbers(0, 100));
      String stored = codec.equals("none") ? "null" : "\"" + codec + "\"";
      assertThat(json(get("/datasets/codec/batches")).at("/batches/0/codec").toString())
          .isEqualTo(stored);
      assertThat(Streams.rowsOfBatches(get("/datasets/codec.arrows").body())).containsExactly(100L);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "codec=gzip, 'Expected none, lz4 or zstd but found \"gzip\" at parameter codec'",
    "batches=all, 'Expected keep but found \"all\" at parameter batches'"
  })
  void rejectsInvalidUploadParameters(String query, String detail) throws Exception {
    HttpResponse<byte[]> rejected = put("/datasets/rejected?" + query, Streams.numbers(0, 1));
    assertThat(rejected.statusCode()).isEqualTo(400);
    assertThat(json(rejected).get("detail").asString()).isEqualTo(detail);
  }

  @Test
  void returnsTheUploadedBytes() throws Exception {
    byte[] stream = Streams.numbers(7, 100);
    put("/datasets/round-trip", stream, "Content-Type", STREAM_TYPE);
    assertThat(get("/datasets/round-trip.arrows").body()).isEqualTo(stream);
    byte[] file = get("/datasets/round-trip.arrow").body();
    put("/datasets/round-trip-2", file, "Content-Type", "application/vnd.apache.arrow.file");
    assertThat(get("/datasets/round-trip-2.arrow").body()).isEqualTo(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {".arrow", ".arrows"})
  void datasetNameExcludesTheSuffix(String suffix) throws Exception {
    String name = "suffix" + suffix.length();
    HttpResponse<byte[]> response = put("/datasets/" + name + suffix, Streams.numbers(0, 1));
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(json(response).get("name").asString()).isEqualTo(name);
  }

  @Test
  void postCreatesADatasetWithAGeneratedName() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    HttpResponse<byte[]> response = post("/datasets", stream, "Content-Type", STREAM_TYPE);
    assertThat(response.statusCode()).isEqualTo(201);
    String location = header(response, "Location");
    assertThat(location).isEqualTo("/datasets/" + json(response).get("name").asString());
    assertThat(get(location + ".arrows").body()).isEqualTo(stream);
  }

  @Test
  void deletedDatasetIsGone() throws Exception {
    put("/datasets/deleted", Streams.numbers(0, 1));
    HttpResponse<byte[]> response = delete("/datasets/deleted");
    assertThat(response.statusCode()).isEqualTo(204);
    assertThat(response.body()).isEmpty();
    HttpResponse<byte[]> gone = get("/datasets/deleted");
    assertThat(gone.statusCode()).isEqualTo(410);
    assertThat(problem(gone)).isEqualTo("gone");
    assertThat(delete("/datasets/deleted").statusCode()).isEqualTo(410);
    assertThat(delete("/datasets/never-there").statusCode()).isEqualTo(404);
    assertThat(put("/datasets/deleted", Streams.numbers(0, 1)).statusCode()).isEqualTo(201);
  }

  @Test
  void ifNoneMatchOnlyCreates() throws Exception {
    byte[] stream = Streams.numbers(0, 1);
    assertThat(put("/datasets/once", stream, "If-None-Match", "*").statusCode()).isEqualTo(201);
    HttpResponse<byte[]> again = put("/datasets/once", stream, "If-None-Match", "*");
    assertThat(again.statusCode()).isEqualTo(412);
    assertThat(problem(again)).isEqualTo("precondition-failed");
  }

  @Test
  void ifMatchOnlyReplacesThatVersion() throws Exception {
    byte[] stream = Streams.numbers(0, 1);
    assertThat(put("/datasets/match", stream, "If-Match", "*").statusCode()).isEqualTo(412);
    String first = json(put("/datasets/match", stream)).get("etag").asString();
    String ofStream = header(get("/datasets/match.arrows"), "ETag");
    assertThat(put("/datasets/match", stream, "If-Match", "\"other\"").statusCode()).isEqualTo(412);
    assertThat(put("/datasets/match", stream, "If-Match", "W/" + first).statusCode())
        .isEqualTo(412);
    assertThat(put("/datasets/match", stream, "If-Match", "\"other\", " + first).statusCode())
        .isEqualTo(200);
    assertThat(put("/datasets/match", stream, "If-Match", first).statusCode()).isEqualTo(412);
    assertThat(put("/datasets/match", stream, "If-Match", ofStream).statusCode()).isEqualTo(412);
    assertThat(put("/datasets/match", stream, "If-Match", "*").statusCode()).isEqualTo(200);
    String any = header(get("/datasets/match.arrows"), "ETag");
    assertThat(put("/datasets/match", stream, "If-Match", any).statusCode()).isEqualTo(200);
  }

  @Test
  void writesEvaluateConditionsOnDatesAndOtherTags() throws Exception {
    byte[] stream = Streams.numbers(0, 1);
    String past = "Sun, 06 Nov 1994 08:49:37 GMT";
    assertThat(put("/datasets/other", stream, "If-Unmodified-Since", past).statusCode())
        .isEqualTo(201);
    assertThat(put("/datasets/other", stream, "If-Unmodified-Since", past).statusCode())
        .isEqualTo(412);
    String modified = header(get("/datasets/other"), "Last-Modified");
    assertThat(put("/datasets/other", stream, "If-Unmodified-Since", modified).statusCode())
        .isEqualTo(200);
    String etag = header(get("/datasets/other.arrow"), "ETag");
    assertThat(put("/datasets/other", stream, "If-None-Match", etag).statusCode()).isEqualTo(412);
    assertThat(put("/datasets/other", stream, "If-None-Match", "\"x\"").statusCode())
        .isEqualTo(200);
    assertThat(delete("/datasets/other", "If-Match", etag).statusCode()).isEqualTo(412);
    assertThat(get("/datasets/other").statusCode()).isEqualTo(200);
  }

  @Test
  void rejectsAFailedConditionBeforeRequestingTheBody() throws Exception {
    put("/datasets/expect", Streams.numbers(0, 1));
    String response =
        RawHttp.exchange(
            port,
            """
            PUT /datasets/expect HTTP/1.1
            Host: localhost
            If-None-Match: *
            Content-Length: 1000000
            Expect: 100-continue

            """);
    assertThat(response).startsWith("HTTP/1.1 412 ").contains("\r\nConnection: close\r\n");
  }

  @Test
  void requestsTheBodyOfAClientThatExpectsContinue() throws Exception {
    byte[] stream = Streams.numbers(0, 1);
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          """
          PUT /datasets/continue HTTP/1.1
          Host: localhost
          Content-Length: %d
          Expect: 100-continue
          Connection: close

          """
              .formatted(stream.length));
      assertThat(connection.readUntil("\r\n\r\n")).isEqualTo("HTTP/1.1 100 \r\n\r\n");
      connection.sendExactly(new String(stream, StandardCharsets.ISO_8859_1));
      assertThat(connection.readToEnd()).startsWith("HTTP/1.1 201 ");
    }
  }

  @Test
  void rejectsAnUnsupportedMediaTypeWithTheAcceptedOnes() throws Exception {
    String accepted =
        "application/vnd.apache.arrow.stream, application/vnd.apache.arrow.file,"
            + " application/octet-stream, text/csv, text/tab-separated-values, application/json,"
            + " application/x-ndjson, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/vnd.apache.parquet, application/sql";
    byte[] stream = Streams.numbers(0, 1);
    HttpResponse<byte[]> put = put("/datasets/media", stream, "Content-Type", "image/png");
    assertThat(header(put, "Accept-Post")).isEqualTo(accepted);
    HttpResponse<byte[]> post = post("/datasets", stream, "Content-Type", "image/png");
    assertThat(header(post, "Accept-Post")).isEqualTo(accepted + ", multipart/form-data");
    for (HttpResponse<byte[]> response : List.of(put, post)) {
      assertThat(response.statusCode()).isEqualTo(415);
      assertThat(problem(response)).isEqualTo("unsupported-media-type");
      assertThat(json(response).get("detail").asString())
          .isEqualTo("Expected " + accepted + " but found image/png at header Content-Type");
    }
    assertAbsent("media");
  }

  @Test
  void rejectsAPartialBody() throws Exception {
    HttpResponse<byte[]> response =
        put("/datasets/partial", Streams.numbers(0, 1), "Content-Range", "bytes 0-9/100");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected a complete body but found a partial one at header Content-Range");
    assertAbsent("partial");
  }

  @ParameterizedTest
  @CsvSource({
    "PAR1 and more than sixteen bytes, 422, invalid-file",
    "<!doctype html><html>, 415, unsupported-media-type",
    "FEA1 and more than sixteen bytes, 415, unsupported-media-type",
    "'', 400, truncated",
  })
  void rejectsBodiesThatAreNotArrowData(String body, int status, String type) throws Exception {
    HttpResponse<byte[]> response =
        put("/datasets/format", body.getBytes(StandardCharsets.US_ASCII));
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(problem(response)).isEqualTo(type);
    assertAbsent("format");
  }

  @Test
  void reportsTheLocationOfAMalformedMessage() throws Exception {
    byte[] stream = Streams.numbers(0, 10, 10);
    Arrays.fill(stream, 8, 40, (byte) 0xEE);
    HttpResponse<byte[]> response = put("/datasets/malformed", stream);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(problem(response)).isEqualTo("malformed");
    assertThat(json(response).get("messageIndex").intValue()).isZero();
    assertThat(json(response).get("detail").asString()).startsWith("Expected ");
    assertAbsent("malformed");
  }

  @Test
  void reportsTheRuleThatDataViolates() throws Exception {
    double before = findings(Rule.UTF8);
    HttpResponse<byte[]> response =
        put("/datasets/rule", Streams.slot(new ArrowType.Utf8(), new byte[] {'a', (byte) 0xFF}));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(problem(response)).isEqualTo("malformed#utf8");
    JsonNode document = json(response);
    assertThat(document.get("rule").asString()).isEqualTo("UTF8");
    assertThat(document.get("specification").asString())
        .isEqualTo("https://arrow.apache.org/docs/format/Columnar.html#data-types");
    assertThat(document.get("field").asString()).isEqualTo("slot");
    assertThat(findings(Rule.UTF8)).isEqualTo(before + 1);
    assertAbsent("rule");
  }

  @Test
  void acceptsValuesOutsideTheDomainWithAWarning() throws Exception {
    double before = findings(Rule.DATE_WHOLE_DAYS);
    ArrowType date = new ArrowType.Date(DateUnit.MILLISECOND);
    for (HttpResponse<byte[]> response :
        List.of(
            put("/datasets/domain", Streams.slot(date, new byte[] {5, 0, 0, 0, 0, 0, 0, 0})),
            post("/datasets", Streams.slot(date, new byte[] {5, 0, 0, 0, 0, 0, 0, 0})))) {
      assertThat(response.statusCode()).isEqualTo(201);
      assertThat(json(response).get("warnings").values())
          .singleElement()
          .extracting(JsonNode::asString)
          .asString()
          .startsWith(
              "Expected whole days, a multiple of 86400000, but found 5 at slots[0], message 1,")
          .endsWith("field slot, record batch 0");
    }
    assertThat(findings(Rule.DATE_WHOLE_DAYS)).isEqualTo(before + 2);
  }

  private double findings(Rule rule) throws Exception {
    String labels = "{level=\"%s\",rule=\"%s\"} ".formatted(rule.level(), rule);
    return text(get("/metrics"))
        .lines()
        .filter(line -> line.startsWith("quiver_validation_findings_total" + labels))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  void truncatedStreamLeavesNothingBehind() throws Exception {
    byte[] stream = Streams.numbers(0, 1000, 1000);
    HttpResponse<byte[]> response =
        put("/datasets/short", Arrays.copyOf(stream, stream.length - 2000));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(problem(response)).isEqualTo("truncated");
    assertAbsent("short");
  }

  private String interrupted(String name, String framing, String body) throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send("PUT /datasets/" + name + " HTTP/1.1\nHost: localhost\n" + framing + "\n\n");
      connection.sendExactly(body);
      connection.finishSending();
      return connection.readToEnd();
    }
  }

  @Test
  void clientThatDisconnectsMidwayLeavesNothingBehind() throws Exception {
    byte[] stream = Streams.numbers(0, 1000, 1000);
    String half = new String(stream, 0, stream.length / 2, StandardCharsets.ISO_8859_1);
    assertThat(interrupted("cut", "Content-Length: " + stream.length, half))
        .startsWith("HTTP/1.1 400 ")
        .contains("\r\nContent-Type: application/problem+json\r\n")
        .contains("\"type\":\"urn:quiver:problem:truncated\"");
    String chunk = Integer.toHexString(half.length()) + "\r\n" + half + "\r\n";
    assertThat(interrupted("cut", "Transfer-Encoding: chunked", chunk))
        .startsWith("HTTP/1.1 400 ")
        .contains("\"type\":\"urn:quiver:problem:truncated\"");
    assertAbsent("cut");
  }

  @Test
  void malformedChunksLeaveNothingBehind() throws Exception {
    assertThat(interrupted("chunks", "Transfer-Encoding: chunked", "not a chunk\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains("\r\nContent-Type: application/problem+json\r\n");
    byte[] stream = Streams.numbers(0, 10);
    String whole = new String(stream, StandardCharsets.ISO_8859_1);
    String chunk = Integer.toHexString(stream.length) + "\r\n" + whole + "\r\n";
    assertThat(interrupted("chunks", "Transfer-Encoding: chunked", chunk + "zz\r\n"))
        .startsWith("HTTP/1.1 400 ");
    assertAbsent("chunks");
  }

  @Test
  void acceptsAChunkedBody() throws Exception {
    byte[] stream = Streams.numbers(0, 10);
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < stream.length; i++) {
      body.append("1\r\n").append((char) (stream[i] & 0xFF)).append("\r\n");
    }
    assertThat(
            interrupted(
                "chunked", "Transfer-Encoding: chunked\nConnection: close", body + "0\r\n\r\n"))
        .startsWith("HTTP/1.1 201 ");
  }

  @Test
  void rejectsAnInvalidLargeUploadWithoutReadingItAll() throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          "PUT /datasets/large HTTP/1.1\nHost: localhost\nContent-Length: 60000000000\n\n");
      // Text is recognized by its first 64 KiB.
      connection.sendExactly("this is not Arrow data at all".repeat(3_000));
      assertThat(connection.readUntil("}\n"))
          .startsWith("HTTP/1.1 415 ")
          .contains("\r\nConnection: close\r\n")
          .contains("application/problem+json");
    }
    assertAbsent("large");
  }

  @Test
  void rejectsALengthOverTheLimitBeforeReadingTheBody() throws Exception {
    String response =
        RawHttp.exchange(
            port,
            """
            PUT /datasets/huge HTTP/1.1
            Host: localhost
            Content-Length: 68719476737
            Expect: 100-continue

            """);
    assertThat(response)
        .startsWith("HTTP/1.1 413 ")
        .contains(
            "\"detail\":\"Expected at most 68719476736 bytes of a request"
                + " (quiver.limits.request-bytes) but found 68719476737\"")
        .contains("\"key\":\"quiver.limits.request-bytes\"")
        .contains("\"maximum\":68719476736");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-x", "a%20b", "a.html", "A.AVRO", "a.html.gz", "x@y", "%C3%A9"})
  void rejectsInvalidDatasetNames(String name) throws Exception {
    HttpResponse<byte[]> response = put("/datasets/" + name, Streams.numbers(0, 1));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(problem(response)).isEqualTo("bad-request");
    assertThat(json(response).get("detail").asString().toLowerCase(Locale.ROOT))
        .contains("expected ", " but found ");
  }

  @Test
  void rejectsWritesToVersions() throws Exception {
    put("/datasets/fixed", Streams.numbers(0, 1));
    HttpResponse<byte[]> response = put("/datasets/fixed@1", Streams.numbers(0, 1));
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(header(response, "Allow")).isEqualTo("GET, HEAD, OPTIONS");
    assertThat(delete("/datasets/fixed@1").statusCode()).isEqualTo(405);
  }
}
