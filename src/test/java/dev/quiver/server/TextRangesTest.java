package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.read.TextLengths;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/// The length and the ranges of text, and how often it is rendered for them. `read.TextLengthsTest`
/// covers requests that share a rendering.
@Import(TextRangesTest.Patient.class)
class TextRangesTest extends RunningService {

  private static final int BLOCK_BYTES = 1 << 20;

  /// The batches of a text of several blocks.
  private static final int[] BATCHES = {60_000, 0, 1, 130_000, 9_999};

  /// The rows of a batch. Four batches exceed the buffers of a connection.
  private static final int LARGE = 1 << 20;

  @Autowired private MeterRegistry metrics;

  /// Makes requests always wait for a response that renders the same text.
  static class Patient {

    @Bean
    @Primary
    TextLengths patient(QuiverProperties properties, MeterRegistry registry) {
      return new TextLengths(
          properties.limits().text(),
          properties.limits().textLength(),
          1 << 20,
          Duration.ofDays(1),
          registry);
    }
  }

  private long renderings(String purpose) {
    return (long) metrics.counter("quiver.text.renderings", "purpose", purpose).count();
  }

  private long renderedBytes(String purpose) {
    return (long) metrics.counter("quiver.text.rendered.bytes", "purpose", purpose).count();
  }

  private byte[] range(String path, long first, long last) throws Exception {
    HttpResponse<byte[]> response = get(path, "Range", "bytes=" + first + "-" + last);
    assertThat(response.statusCode()).isEqualTo(206);
    assertThat(header(response, "Content-Length")).isEqualTo("" + response.body().length);
    assertThat(header(response, "Content-Range"))
        .isEqualTo("bytes " + first + "-" + last + "/" + header(head(path), "Content-Length"));
    return response.body();
  }

  /// The whole text is compared with that of a version whose length is unknown.
  @ParameterizedTest
  @CsvSource({
    ".csv, ''",
    ".tsv, ''",
    ".json, ''",
    ".jsonl, ''",
    ".json, ?offset=59999&limit=3",
    ".json, ?offset=777&limit=120000",
    ".csv, ?columns=number&numbers=string&offset=60001",
    ".json, ?limit=0",
    ".tsv, ?limit=0",
    ".csv, ?limit=1"
  })
  void everyRangeIsPartOfTheWholeText(String suffix, String query) throws Exception {
    byte[] stream = Streams.numbers(0, BATCHES);
    put("/datasets/streamed-text?batches=keep", stream);
    byte[] whole = get("/datasets/streamed-text" + suffix + query).body();
    put("/datasets/ranged-text?batches=keep&codec=lz4", stream);
    String path = "/datasets/ranged-text" + suffix + query;
    HttpResponse<byte[]> head = head(path);
    assertThat(header(head, "Content-Length")).isEqualTo("" + whole.length);
    assertThat(header(head, "Accept-Ranges")).isEqualTo("bytes");
    HttpResponse<byte[]> known = get(path);
    assertThat(known.body()).isEqualTo(whole);
    assertThat(header(known, "Content-Length")).isEqualTo("" + whole.length);
    Random random = new Random(3);
    for (int i = 0; i < 30; i++) {
      int first = random.nextInt(whole.length);
      int length = random.nextInt(i % 2 == 0 ? 10_000 : 3 * BLOCK_BYTES);
      int last = Math.min(first + length, whole.length - 1);
      assertThat(range(path, first, last)).isEqualTo(Arrays.copyOfRange(whole, first, last + 1));
    }
    assertThat(get(path, "Range", "bytes=-1").body()).containsExactly(whole[whole.length - 1]);
    HttpResponse<byte[]> beyond = get(path, "Range", "bytes=" + whole.length + "-");
    assertThat(beyond.statusCode()).isEqualTo(416);
    assertThat(header(beyond, "Content-Range")).isEqualTo("bytes */" + whole.length);
  }

  @Test
  void emptyTextHasALengthAndNoRange() throws Exception {
    put("/datasets/empty-text", Streams.numbers(0, 5));
    String path = "/datasets/empty-text.jsonl?limit=0";
    assertThat(header(head(path), "Content-Length")).isEqualTo("0");
    assertThat(get(path).statusCode()).isEqualTo(200);
    assertThat(get(path).body()).isEmpty();
    assertThat(get(path, "Range", "bytes=0-").statusCode()).isEqualTo(416);
  }

  @Test
  void severalRangesAreParts() throws Exception {
    put("/datasets/parts-text?batches=keep", Streams.numbers(0, BATCHES));
    String path = "/datasets/parts-text.csv";
    String whole = text(get(path));
    int middle = whole.length() / 2;
    HttpResponse<byte[]> parts =
        get(path, "Range", "bytes=" + middle + "-" + (middle + 9) + ",0-7,-4");
    assertThat(parts.statusCode()).isEqualTo(206);
    assertThat(header(parts, "Content-Type")).startsWith("multipart/byteranges; boundary=");
    assertThat(text(parts))
        .contains("\r\n\r\n" + whole.substring(middle, middle + 10) + "\r\n--")
        .contains("\r\n\r\nnumber\r\n\r\n--")
        .contains("\r\n\r\n99\r\n\r\n--");
  }

  @Test
  void rangeAppliesOnlyToTheVersionThatIfRangeNames() throws Exception {
    put("/datasets/if-range-text", Streams.numbers(0, 5));
    String path = "/datasets/if-range-text.csv";
    String etag = header(head(path), "ETag");
    assertThat(text(get(path, "Range", "bytes=0-5", "If-Range", etag))).isEqualTo("number");
    put("/datasets/if-range-text", Streams.numbers(5, 5));
    HttpResponse<byte[]> whole = get(path, "Range", "bytes=0-5", "If-Range", etag);
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(text(whole)).isEqualTo("number\r\n5\r\n6\r\n7\r\n8\r\n9\r\n");
  }

  @Test
  void rangeOfCodedTextIsUncoded() throws Exception {
    put("/datasets/coded-text", Streams.numbers(0, 5));
    HttpResponse<byte[]> coded = get("/datasets/coded-text.csv", "Accept-Encoding", "gzip");
    assertThat(header(coded, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(coded, "Accept-Ranges")).isEqualTo("none");
    HttpResponse<byte[]> range =
        get("/datasets/coded-text.csv", "Accept-Encoding", "gzip", "Range", "bytes=0-5");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(text(range)).isEqualTo("number");
    assertThat(header(range, "Content-Encoding")).isEmpty();
  }

  @Test
  void headsRenderATextOnce() throws Exception {
    put("/datasets/heads-text?batches=keep", Streams.numbers(0, BATCHES));
    long renderings = renderings("length");
    long bytes = renderedBytes("length");
    String length = header(head("/datasets/heads-text.csv"), "Content-Length");
    assertThat(header(head("/datasets/heads-text.csv"), "Content-Length")).isEqualTo(length);
    // The same text by another URL.
    assertThat(header(head("/datasets/heads-text@1", "Accept", "text/csv"), "Content-Length"))
        .isEqualTo(length);
    assertThat(renderings("length")).isEqualTo(renderings + 1);
    assertThat(renderedBytes("length")).isEqualTo(bytes + Long.parseLong(length));
    // Another version is another text.
    put("/datasets/heads-text?batches=keep", Streams.numbers(0, BATCHES));
    head("/datasets/heads-text.csv");
    assertThat(renderings("length")).isEqualTo(renderings + 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void getLeavesTheLength(String coding) throws Exception {
    String dataset = "/datasets/left-text-" + coding;
    put(dataset + "?batches=keep", Streams.numbers(0, BATCHES));
    long renderings = renderings("length");
    assertThat(header(get(dataset + ".jsonl", "Accept-Encoding", coding), "Content-Length"))
        .isEmpty();
    assertThat(header(head(dataset + ".jsonl"), "Content-Length")).isNotEmpty();
    assertThat(range(dataset + ".jsonl", 0, 9)).asString().isEqualTo("{\"number\":");
    assertThat(renderings("length")).isEqualTo(renderings);
  }

  @Test
  void smallRangeRendersOneBlock() throws Exception {
    put("/datasets/block-text?batches=keep", Streams.numbers(0, LARGE, LARGE));
    String path = "/datasets/block-text.csv";
    long length = Long.parseLong(header(head(path), "Content-Length"));
    assertThat(length).isGreaterThan(10 * BLOCK_BYTES);
    long renderings = renderings("range");
    long bytes = renderedBytes("range");
    assertThat(range(path, length / 2, length / 2 + 4095)).hasSize(4096);
    assertThat(renderings("range")).isEqualTo(renderings + 1);
    // The range may touch two blocks.
    assertThat(renderedBytes("range") - bytes).isBetween(4096L, 2L * BLOCK_BYTES + 100);
  }

  /// Puts a large dataset, and begins to read its rows as text.
  ///
  /// @param header a line, or none
  private void begin(RawHttp get, String name, String header) throws Exception {
    put("/datasets/" + name + "?batches=keep", Streams.numbers(0, LARGE, LARGE, LARGE, LARGE));
    get.send("GET /datasets/%s.csv HTTP/1.1\nHost: localhost\n%s\n".formatted(name, header));
    assertThat(get.readUntil("number\r\n")).startsWith("HTTP/1.1 200 ");
  }

  /// Two HEADs and a GET at once: the GET begins at once, and the HEADs wait for what it renders.
  @Test
  void headsBesideAGetRenderNothing() throws Exception {
    long lengths = renderings("length");
    long responses = renderings("response");
    try (RawHttp get = new RawHttp(port);
        ExecutorService clients = Executors.newCachedThreadPool()) {
      begin(get, "shared-text", "Connection: close\n");
      List<Future<HttpResponse<byte[]>>> heads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        heads.add(clients.submit(() -> head("/datasets/shared-text.csv")));
      }
      awaitWaitingHeads(2);
      int received = get.readToEnd().length();
      for (Future<HttpResponse<byte[]>> head : heads) {
        long length = Long.parseLong(header(head.get(), "Content-Length"));
        assertThat(length).isBetween(20L * BLOCK_BYTES, (long) received);
      }
    }
    assertThat(renderings("length")).isEqualTo(lengths);
    assertThat(renderings("response")).isEqualTo(responses + 1);
  }

  /// Waits until this many requests wait for the length of a text.
  private static void awaitWaitingHeads(int count) {
    eventually(() ->
        assertThat(Thread.getAllStackTraces().values())
            .filteredOn(stack ->
                Arrays.stream(stack)
                    .anyMatch(frame -> frame.getClassName().endsWith(".TextMeasurement")))
            .hasSize(count));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestOfAClientThatWentAwayWaitsNoLonger(boolean resets) throws Exception {
    String request = " /datasets/left-alone.csv HTTP/1.1\nHost: localhost\nRange: bytes=0-9\n\n";
    try (RawHttp get = new RawHttp(port);
        RawHttp head = new RawHttp(port);
        RawHttp range = new RawHttp(port)) {
      begin(get, "left-alone", "");
      head.send("HEAD" + request);
      range.send("GET" + request);
      awaitWaitingHeads(2);
      for (RawHttp client : List.of(head, range)) {
        if (resets) {
          client.reset();
        } else {
          client.close();
        }
      }
      awaitWaitingHeads(0);
    }
  }

  /// A client that ended its sending may have gone away. It gets what needs no length.
  @Test
  void clientThatEndedItsSendingDoesNotWait() throws Exception {
    try (RawHttp get = new RawHttp(port);
        RawHttp head = new RawHttp(port);
        RawHttp range = new RawHttp(port)) {
      begin(get, "ended", "");
      head.send("HEAD /datasets/ended.csv HTTP/1.1\nHost: localhost\n\n");
      head.finishSending();
      assertThat(head.readUntil("\r\n\r\n"))
          .startsWith("HTTP/1.1 200 ")
          .doesNotContain("Content-Length: ");
      range.send("GET /datasets/ended.csv HTTP/1.1\nHost: localhost\nRange: bytes=0-9\n\n");
      range.finishSending();
      assertThat(range.readUntil("number\r\n0\r\n")).startsWith("HTTP/1.1 200 ");
    }
  }

  /// Looking for the client leaves the bytes of its next request.
  @Test
  void requestBehindAWaitingHeadIsServedNext() throws Exception {
    try (RawHttp get = new RawHttp(port);
        RawHttp waiting = new RawHttp(port);
        RawHttp other = new RawHttp(port)) {
      begin(get, "followed", "Connection: close\n");
      for (RawHttp client : List.of(waiting, other)) {
        client.send("HEAD /datasets/followed.csv HTTP/1.1\nHost: localhost\n\n");
      }
      awaitWaitingHeads(2);
      waiting.send("GET /health HTTP/1.1\nHost: localhost\nConnection: close\n\n");
      // The next client to go away is noticed after the bytes of the other one.
      other.reset();
      awaitWaitingHeads(1);
      get.readToEnd();
      assertThat(waiting.readToEnd())
          .startsWith("HTTP/1.1 200 ")
          .contains("\r\nContent-Length: ", "\r\n\r\nHTTP/1.1 200 ", "\"status\":\"UP\"");
    }
  }
}
