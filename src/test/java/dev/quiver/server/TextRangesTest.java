package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.read.TextFiles;
import dev.quiver.server.transfer.ResponseAdmission;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// The length and the ranges of text, which are those of a file that is kept. A single permit lets
/// a test keep the file of a large text from being written.
@TestPropertySource(properties = "quiver.limits.generated-responses=1")
class TextRangesTest extends RunningService {

  private static final int BLOCK_BYTES = 1 << 20;

  /// The batches of a text of several blocks.
  private static final int[] BATCHES = {60_000, 0, 1, 130_000, 9_999};

  /// The rows of a large batch.
  private static final int LARGE = 1 << 20;

  /// A body that waits for the permit of large ones.

  @Autowired private TextFiles files;

  @Autowired private ResponseAdmission admission;

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
  void headsWriteAFileOnce() throws Exception {
    put("/datasets/heads-text?batches=keep", Streams.numbers(0, BATCHES));
    long written = files.writtenCount();
    String length = header(head("/datasets/heads-text.csv"), "Content-Length");
    assertThat(header(head("/datasets/heads-text.csv"), "Content-Length")).isEqualTo(length);
    // The same text by another URL.
    assertThat(header(head("/datasets/heads-text@1", "Accept", "text/csv"), "Content-Length"))
        .isEqualTo(length);
    assertThat(range("/datasets/heads-text.csv", 0, 5)).asString().isEqualTo("number");
    assertThat(files.writtenCount()).isEqualTo(written + 1);
    // Another version is another text.
    put("/datasets/heads-text?batches=keep", Streams.numbers(0, BATCHES));
    head("/datasets/heads-text.csv");
    assertThat(files.writtenCount()).isEqualTo(written + 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void getWritesNoFile(String coding) throws Exception {
    String dataset = "/datasets/streamed-text-" + coding;
    put(dataset + "?batches=keep", Streams.numbers(0, BATCHES));
    long written = files.writtenCount();
    HttpResponse<byte[]> get = get(dataset + ".jsonl", "Accept-Encoding", coding);
    assertThat(header(get, "Content-Length")).isEmpty();
    assertThat(files.writtenCount()).isEqualTo(written);
  }

  /// Begins a HEAD or a range of the text of a large dataset.
  private static void begin(RawHttp client, String method, String name) throws IOException {
    client.send(
        "%s /datasets/%s.csv HTTP/1.1\nHost: localhost\nRange: bytes=0-9\n\n"
            .formatted(method, name));
  }

  private void putLarge(String name) throws Exception {
    put("/datasets/" + name + "?batches=keep", Streams.numbers(0, LARGE));
  }

  /// Waits until this many threads write or await the file of a text.
  private static void awaitRequests(int count) {
    eventually(() ->
        assertThat(Thread.getAllStackTraces().values())
            .filteredOn(stack ->
                Arrays.stream(stack)
                    .anyMatch(frame ->
                        frame.getClassName().endsWith(".TextFiles")
                            && frame.getMethodName().equals("open")))
            .hasSize(count));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestOfAClientThatWentAwayWritesNoLonger(boolean resets) throws Exception {
    putLarge("left-alone");
    long written = files.writtenCount();
    try (var _ = admission.acquireForFile(false);
        RawHttp head = new RawHttp(port);
        RawHttp range = new RawHttp(port)) {
      begin(head, "HEAD", "left-alone");
      begin(range, "GET", "left-alone");
      awaitRequests(2);
      for (RawHttp client : List.of(head, range)) {
        if (resets) {
          client.reset();
        } else {
          client.close();
        }
      }
      awaitRequests(0);
    }
    assertThat(files.writtenCount()).isEqualTo(written);
  }

  /// A client that ended its sending may have gone away. It gets what needs no length.
  @Test
  void clientThatEndedItsSendingDoesNotWait() throws Exception {
    putLarge("ended");
    try (var _ = admission.acquireForFile(false);
        RawHttp head = new RawHttp(port)) {
      begin(head, "HEAD", "ended");
      head.finishSending();
      assertThat(head.readUntil("\r\n\r\n"))
          .startsWith("HTTP/1.1 200 ")
          .doesNotContain("Content-Length: ");
    }
  }

  /// Looking for the client leaves the bytes of its next request.
  @Test
  void requestBehindAWaitingHeadIsServedNext() throws Exception {
    putLarge("followed");
    try (RawHttp waiting = new RawHttp(port);
        RawHttp other = new RawHttp(port)) {
      try (var _ = admission.acquireForFile(false)) {
        begin(waiting, "HEAD", "followed");
        awaitRequests(1);
        begin(other, "HEAD", "followed");
        awaitRequests(2);
        waiting.send("GET /health HTTP/1.1\nHost: localhost\nConnection: close\n\n");
        // The next client to go away is noticed after the bytes of the other one.
        other.reset();
        awaitRequests(1);
      }
      assertThat(waiting.readToEnd())
          .startsWith("HTTP/1.1 200 ")
          .contains("\r\nContent-Length: ", "\r\n\r\nHTTP/1.1 200 ", "\"status\":\"UP\"");
    }
  }
}
