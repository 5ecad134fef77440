package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.ServerSentEvents;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Rows as JSON, JSON Lines, CSV and TSV over HTTP. `arrow.text.TypeTextTest` covers the text of
/// values, [TextRangesTest] its length and ranges, [BodyWriterTest] truncated responses, and
/// [RowsLimitTest] a limit exceeded before the first write.
@TestPropertySource(properties = "quiver.limits.text-response-bytes=400KB")
class RowsTest extends RunningService {

  private static final int LARGE = 50_000;

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/rows").statusCode() == 404) {
      put("/datasets/rows?batches=keep", Streams.numbers(0, 2, 0, 1));
      put("/datasets/many-rows?batches=keep", Streams.numbers(0, LARGE / 2, LARGE / 2));
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        ".json | application/json | [\\n{\"number\":0},\\n{\"number\":1},\\n{\"number\":2}\\n]\\n | inline",
        ".jsonl | application/x-ndjson | {\"number\":0}\\n{\"number\":1}\\n{\"number\":2}\\n | inline",
        ".csv | text/csv;header=present;charset=utf-8 | number\\r\\n0\\r\\n1\\r\\n2\\r\\n | attachment",
        ".tsv | text/tab-separated-values;charset=utf-8 | number\\n0\\n1\\n2\\n | attachment"
      })
  void suffixSelectsATextFormatWithAllHeaders(
      String suffix, String type, String rows, String disposition) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/rows" + suffix);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(text(response)).isEqualTo(rows.translateEscapes());
    assertThat(header(response, "Content-Type").replace(" ", "")).isEqualTo(type);
    assertThat(header(response, "Content-Length")).isEqualTo("" + response.body().length);
    assertThat(header(response, "Accept-Ranges")).isEqualTo("bytes");
    assertThat(header(response, "Arrow-Row-Count")).isEqualTo("3");
    assertThat(header(response, "Arrow-Batch-Count")).isEqualTo("3");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-cache");
    assertThat(header(response, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(header(response, "Content-Disposition"))
        .isEqualTo(
            "%s; filename=\"rows%s\"; filename*=UTF-8''rows%s"
                .formatted(disposition, suffix, suffix));
    assertThat(header(response, "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.%s-2-number\"".formatted(suffix.substring(1)));
    assertThat(header(get("/datasets/rows@1" + suffix), "Cache-Control"))
        .isEqualTo("public, max-age=31536000, immutable");
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, json",
    "application/x-ndjson, jsonl",
    "application/ndjson, jsonl",
    "application/jsonl, jsonl",
    "text/csv, csv",
    "text/tab-separated-values, tsv",
    "text/*, csv",
    "'application/vnd.apache.arrow.file;q=0.5, application/json', json"
  })
  void acceptSelectsATextFormat(String accept, String suffix) throws Exception {
    HttpResponse<byte[]> negotiated = get("/datasets/rows", "Accept", accept);
    HttpResponse<byte[]> named = get("/datasets/rows." + suffix);
    assertThat(negotiated.body()).isEqualTo(named.body());
    assertThat(header(negotiated, "ETag")).isEqualTo(header(named, "ETag"));
    assertThat(header(negotiated, "Vary")).isEqualTo("Accept, Accept-Encoding");
  }

  @ParameterizedTest
  @ValueSource(strings = {".json", ".jsonl", ".csv", ".tsv"})
  void headOfRowsHasTheHeadersOfGet(String suffix) throws Exception {
    HttpResponse<byte[]> head = head("/datasets/rows" + suffix);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    HttpResponse<byte[]> get = get("/datasets/rows" + suffix);
    for (String name :
        new String[] {"Content-Length", "Accept-Ranges", "Arrow-Row-Count", "ETag", "Link"}) {
      assertThat(header(head, name)).as(name).isEqualTo(header(get, name)).isNotEmpty();
    }
  }

  @Test
  void rejectsAHeadOrARangeOfTextOverTheLimit() throws Exception {
    assertThat(head("/datasets/many-rows.json").statusCode()).isEqualTo(413);
    HttpResponse<byte[]> range = get("/datasets/many-rows.json", "Range", "bytes=0-9");
    assertThat(range.statusCode()).isEqualTo(413);
    assertThat(header(range, "Content-Range")).isEmpty();
    assertThat(json(range).get("detail").asString())
        .matches(
            "Expected at most 409600 bytes of rendered text"
                + " \\(quiver.limits.text-response-bytes\\) but found \\d+ at row \\d+");
  }

  /// A coded body has no known length, so that a HEAD of it renders nothing.
  @Test
  void headOfACodedTextRendersNothing() throws Exception {
    HttpResponse<byte[]> head = head("/datasets/many-rows.json", "Accept-Encoding", "gzip");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Length")).isEmpty();
    assertThat(header(head, "Accept-Ranges")).isEqualTo("none");
    assertThat(header(head, "Content-Encoding")).isEqualTo("gzip");
  }

  @Test
  void doesNotRenderRowsWithAMatchingTag() throws Exception {
    String etag = header(head("/datasets/many-rows.csv"), "ETag").replace(".csv-", ".json-");
    HttpResponse<byte[]> response = get("/datasets/many-rows.json", "If-None-Match", etag);
    assertThat(response.statusCode()).isEqualTo(304);
    assertThat(response.body()).isEmpty();
    assertThat(header(response, "ETag")).isEqualTo(etag);
  }

  @Test
  void eachTextFormatHasItsOwnTag() throws Exception {
    assertThat(
            IntStream.range(0, 8)
                .mapToObj(i ->
                    new String[] {".json", ".jsonl", ".csv", ".tsv"}[i / 2]
                        + (i % 2 == 0 ? "" : "?numbers=string"))
                .map(path -> {
                  try {
                    return header(head("/datasets/rows" + path), "ETag");
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                }))
        .doesNotHaveDuplicates();
    assertThat(header(head("/datasets/rows.json?numbers=number"), "ETag"))
        .isEqualTo(header(head("/datasets/rows.json"), "ETag"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "STRING", ""})
  void rejectsUnknownValuesOfTheNumbersParameter(String value) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/rows.json?numbers=" + value);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected number or string but found \"" + value + "\" at parameter numbers");
    assertThat(head("/datasets/rows.json?numbers=" + value).statusCode()).isEqualTo(400);
  }

  @Test
  void sendsTextOfSeveralWritesInChunks() throws Exception {
    put("/datasets/chunked-rows?batches=keep", Streams.numbers(0, LARGE / 2, LARGE / 2));
    HttpResponse<byte[]> response = get("/datasets/chunked-rows.csv");
    assertThat(header(response, "Transfer-Encoding")).isEqualTo("chunked");
    assertThat(text(response))
        .isEqualTo(
            IntStream.range(0, LARGE)
                .mapToObj(i -> i + "\r\n")
                .collect(Collectors.joining("", "number\r\n", "")));
  }

  @Test
  void exceedingTheLimitMidwayClosesTheConnectionWithinTheArray() throws Exception {
    String request = "GET /datasets/many-rows.json HTTP/1.1\nHost: localhost\n\n";
    String response =
        RawHttp.exchange(port, request + "GET /health HTTP/1.1\nHost: localhost\n\n")
            .replace("[reset]", "");
    assertThat(response)
        .startsWith("HTTP/1.1 200 ")
        .contains("[\n{\"number\":0},\n")
        .doesNotContain("]", "\r\n0\r\n", "problem", "HTTP/1.1 5");
    assertThat(response.length()).isBetween(256 << 10, 410 << 10);
  }

  @Test
  void documentsLinkToTheEvents() throws Exception {
    HttpResponse<byte[]> created = put("/datasets/linked?verbose=true", Streams.numbers(0, 3));
    for (JsonNode document : List.of(json(created), json("/datasets/linked/versions"))) {
      String path = document.findValue("links").get("events").asString();
      try (ServerSentEvents events = ServerSentEvents.open("http://localhost:" + port + path)) {
        assertThat(Objects.requireNonNull(events.next()).id()).isEqualTo("1");
      }
    }
  }

  @Test
  void documentsLinkToTheTextFormats() throws Exception {
    for (String path : new String[] {"/datasets/rows/schema", "/datasets/rows/versions"}) {
      var links = json(path).findValue("links");
      for (String name : new String[] {"json", "jsonLines", "csv", "tsv"}) {
        assertThat(get(links.get(name).asString()).statusCode()).as(name).isEqualTo(200);
      }
    }
  }

  @Test
  void rendersEveryTypeOfTheSample() throws Exception {
    assertThat(text(get("/datasets/sample.jsonl")).lines()).hasSize(31);
    assertThat(text(get("/datasets/sample.jsonl")).lines().filter(l -> l.contains("Apollo 11")))
        .singleElement()
        .asString()
        .contains("\"crew\":[\"Neil Armstrong\",\"Michael Collins\",\"Buzz Aldrin\"]")
        .contains("\"launched\":\"1969-07-16T13:32:00Z\"");
  }
}
