package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Writes that are retried with their `Idempotency-Key`. They are applied once, and each retry gets
/// the first response.
class IdempotencyKeyTest extends RunningService {

  private static final String HEADER = "Idempotency-Key";

  private long rows(String dataset) throws Exception {
    return json(dataset + "/versions").at("/versions/0/rows").longValue();
  }

  private static void assertSame(HttpResponse<byte[]> retry, HttpResponse<byte[]> first) {
    assertThat(retry.statusCode()).isEqualTo(first.statusCode());
    assertThat(header(retry, "Location")).isEqualTo(header(first, "Location"));
    assertThat(text(retry)).isEqualTo(text(first));
  }

  @Test
  void retriedAppendIsAppliedOnce() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    HttpResponse<byte[]> created = post("/datasets/key", stream, HEADER, "first");
    assertThat(created.statusCode()).isEqualTo(201);
    assertSame(post("/datasets/key", stream, HEADER, "first"), created);
    HttpResponse<byte[]> appended = post("/datasets/key", stream, HEADER, "second");
    assertThat(appended.statusCode()).isEqualTo(200);
    assertSame(post("/datasets/key", stream, HEADER, "second"), appended);
    post("/datasets/key", stream);
    assertSame(post("/datasets/key", stream, HEADER, "second"), appended);
    assertSame(post("/datasets/key", stream, HEADER, "first"), created);
    assertThat(rows("/datasets/key")).isEqualTo(9);
  }

  @Test
  void writesToDifferentDatasetsMayUseTheSameKey() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    assertThat(post("/datasets/key-a", stream, HEADER, "same").statusCode()).isEqualTo(201);
    assertThat(post("/datasets/key-b", stream, HEADER, "same").statusCode()).isEqualTo(201);
  }

  @Test
  void withoutAKeyEachWriteIsApplied() throws Exception {
    for (int i = 0; i < 2; i++) {
      post("/datasets/key-less", Streams.numbers(0, 3));
    }
    assertThat(rows("/datasets/key-less")).isEqualTo(6);
  }

  @Test
  void bodyOfARetryIsIgnored() throws Exception {
    HttpResponse<byte[]> first = post("/datasets/key-body", Streams.numbers(0, 3), HEADER, "k");
    assertSame(post("/datasets/key-body", Streams.numbers(0, 5), HEADER, "k"), first);
    assertSame(post("/datasets/key-body", new byte[0], HEADER, "k"), first);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "If-None-Match | * | *",
        "If-Match | %s | %s",
        "If-Unmodified-Since | Fri, 31 Dec 9999 23:59:59 GMT | Sun, 06 Nov 1994 08:49:37 GMT",
      })
  void conditionsOfARetryAreIgnored(String condition, String held, String failing)
      throws Exception {
    String name = "/datasets/key-" + condition;
    byte[] stream = Streams.numbers(0, 3);
    String etag = "";
    if (!held.equals("*")) {
      etag = json(put(name, stream)).get("etag").asString();
    }
    HttpResponse<byte[]> first = post(name, stream, HEADER, "k", condition, held.formatted(etag));
    assertThat(first.statusCode()).isIn(200, 201);
    String late = failing.formatted(etag);
    assertSame(post(name, stream, HEADER, "k", condition, late), first);
    assertThat(post(name, stream, HEADER, "other", condition, late).statusCode()).isEqualTo(412);
  }

  @Test
  void failedWriteCanBeRetried() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    assertThat(post("/datasets/key-failed", new byte[] {1}, HEADER, "k").statusCode())
        .isEqualTo(415);
    assertThat(post("/datasets/key-failed", stream, HEADER, "k").statusCode()).isEqualTo(201);
    assertThat(rows("/datasets/key-failed")).isEqualTo(3);
  }

  @Test
  void retriedUploadCreatesOneDataset() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    HttpResponse<byte[]> first = post("/datasets", stream, HEADER, "new");
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(header(first, "Location")).matches("/datasets/ds-[0-9a-z]+");
    assertSame(post("/datasets", stream, HEADER, "new"), first);
    assertThat(header(post("/datasets", stream, HEADER, "newer"), "Location"))
        .isNotEqualTo(header(first, "Location"));
    assertThat(header(post("/datasets", stream), "Location"))
        .isNotEqualTo(header(post("/datasets", stream), "Location"));
  }

  @Test
  void retriedFormIsStoredOnce() throws Exception {
    for (String metadata : List.of("{}", "{\"name\": \"key-form\"}")) {
      for (boolean dataFirst : new boolean[] {true, false}) {
        String key = "form-" + metadata.length() + dataFirst;
        byte[] form = form(metadata.replace("form", "form-" + dataFirst), dataFirst);
        String type = "multipart/form-data; boundary=4f";
        HttpResponse<byte[]> first = post("/datasets", form, "Content-Type", type, HEADER, key);
        assertThat(first.statusCode()).isEqualTo(201);
        assertSame(post("/datasets", form, "Content-Type", type, HEADER, key), first);
        assertThat(rows(header(first, "Location"))).isEqualTo(3);
      }
    }
  }

  private static byte[] form(String metadata, boolean dataFirst) throws Exception {
    String part = "--4f\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n";
    String data =
        part.formatted("data", new String(Streams.numbers(0, 3), StandardCharsets.ISO_8859_1));
    String description = part.formatted("metadata", metadata);
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    for (String text :
        dataFirst
            ? List.of(data, description, "--4f--\r\n")
            : List.of(description, data, "--4f--\r\n")) {
      form.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return form.toByteArray();
  }

  @Test
  void concurrentRetriesGetTheSameResponse() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    put("/datasets/key-race", stream);
    Set<String> responses = new HashSet<>();
    try (ExecutorService writers = Executors.newFixedThreadPool(8)) {
      Callable<HttpResponse<byte[]>> write =
          () -> post("/datasets/key-race", stream, HEADER, "race");
      List<Callable<HttpResponse<byte[]>>> writes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        writes.add(write);
      }
      for (Future<HttpResponse<byte[]>> response : writers.invokeAll(writes)) {
        responses.add(response.get().statusCode() + text(response.get()));
      }
    }
    assertThat(responses).singleElement().asString().startsWith("200");
    assertThat(rows("/datasets/key-race")).isEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "bare, \"bare\"",
        "8e03978e-40d5-43e8-bc93-6894a57f9324, \"8e03978e-40d5-43e8-bc93-6894a57f9324\"",
        "a\"b\\c, \"a\\\"b\\\\c\"",
        "  space-around  , \"space-around\""
      })
  void quotesAroundAKeyAreOptional(String bare, String string) throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    HttpResponse<byte[]> first = post("/datasets", stream, HEADER, bare);
    assertThat(first.statusCode()).isEqualTo(201);
    assertSame(post("/datasets", stream, HEADER, string), first);
  }

  @Test
  void rejectsEmptyAndTooLongKeys() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    String longest = "k".repeat(255);
    assertThat(post("/datasets", stream, HEADER, longest).statusCode()).isEqualTo(201);
    assertRejected(
        "Expected 1 to 255 visible ASCII characters but found 256 of them at header"
            + " Idempotency-Key",
        longest + "k");
    assertRejected(
        "Expected 1 to 255 visible ASCII characters but found 0 of them at header"
            + " Idempotency-Key",
        "");
    assertRejected(
        "Expected 1 to 255 visible ASCII characters but found 0 of them at header"
            + " Idempotency-Key",
        "\"\"");
  }

  @Test
  void rejectsInvalidKeys() throws Exception {
    String other =
        "Expected 1 to 255 visible ASCII characters but found other characters at header Idempotency-Key";
    assertRejected(other, "a b");
    assertRejected(other, "\"a b\"");
    String open = "Expected a string with a closing quote but found %s at header Idempotency-Key";
    for (String value : List.of("\"a", "\"", "\"a\"b", "\"a\\b\"", "\"a\"; b=1")) {
      assertRejected(open.formatted(value), value);
    }
    assertRejected("Expected one key but found 2 at header Idempotency-Key", "a", "b");
  }

  private void assertRejected(String detail, String... values) throws Exception {
    List<String> headers = new ArrayList<>();
    for (String value : values) {
      headers.addAll(List.of(HEADER, value));
    }
    for (String path : List.of("/datasets", "/datasets/key-rejected")) {
      HttpResponse<byte[]> rejected =
          post(path, Streams.numbers(0, 1), headers.toArray(String[]::new));
      assertThat(json(rejected).get("detail").asString()).isEqualTo(detail);
      assertThat(rejected.statusCode()).isEqualTo(400);
    }
    assertThat(get("/datasets/key-rejected").statusCode()).isEqualTo(404);
  }

  @Test
  void retryIsAnsweredWithoutRequestingItsBody() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    HttpResponse<byte[]> first = post("/datasets/key-expect", stream, HEADER, "k");
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          """
          POST /datasets/key-expect HTTP/1.1
          Host: localhost
          Idempotency-Key: "k"
          Content-Length: 1000000
          Expect: 100-continue

          """);
      assertThat(connection.readUntil("}\n"))
          .startsWith("HTTP/1.1 201 ")
          .contains("\r\nConnection: close\r\n")
          .endsWith(text(first));
      connection.sendExactly("x".repeat(1_000_000));
      assertThat(connection.readToEnd()).isEmpty();
    }
  }

  @Test
  void retryWithALargeBodyGetsTheFirstResponse() throws Exception {
    HttpResponse<byte[]> first = post("/datasets/key-large", Streams.numbers(0, 3), HEADER, "k");
    assertSame(post("/datasets/key-large", new byte[48 << 20], HEADER, "k"), first);
  }
}
