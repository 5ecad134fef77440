package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where one request ends and the next begins, in requests that another server may divide
/// otherwise: RFC 9112 §6 and §7.
class RequestFramingTest extends RunningService {

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");

  /// A request in the body of another. Its path appears in its response.
  private static final String SMUGGLED = "GET /smuggled HTTP/1.1\nHost: localhost\n\n";

  private static List<String> statuses(String responses) {
    return STATUS
        .matcher(responses)
        .results()
        .map(MatchResult::group)
        .map(text -> text.substring(9))
        .toList();
  }

  /// Sends a request whose framing is invalid or ambiguous, and everything that may follow it.
  private void assertNothingIsSmuggled(String head, String body) throws Exception {
    String request = "POST /inspect HTTP/1.1\nHost: localhost\n" + head + "\n\n" + body + SMUGGLED;
    String responses = RawHttp.exchange(port, request);
    assertThat(statuses(responses)).as(responses).hasSize(1);
    assertThat(responses).doesNotContain("at /smuggled");
  }

  @Test
  void respondsToPipelinedRequestsInOrder() throws Exception {
    String stream = new String(Streams.numbers(0, 10), StandardCharsets.ISO_8859_1);
    String size = Integer.toHexString(stream.length());
    List<String> requests =
        List.of(
            "GET /datasets/sample.csv?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "HEAD /datasets/sample.arrow HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "PUT /datasets/pipelined HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(stream.length(), stream),
            "GET /datasets/sample.arrow HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-7\r\n\r\n",
            "POST /inspect HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n%s\r\n0\r\n\r\n"
                .formatted(size, stream),
            "DELETE /datasets/absent HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "OPTIONS /datasets/sample HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /datasets/sample?codec=none HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: *\r\n\r\n",
            "GET /datasets/sample.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /absent HTTP/1.1\r\nHost: localhost\r\n\r\n");
    List<String> expected =
        List.of("200", "200", "200", "206", "200", "404", "200", "304", "200", "404");
    put("/datasets/pipelined", Streams.numbers(0, 10));
    StringBuilder all = new StringBuilder();
    List<String> allExpected = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      requests.forEach(all::append);
      allExpected.addAll(expected);
    }
    all.append("GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    allExpected.add("404");
    try (RawHttp connection = new RawHttp(port)) {
      connection.sendExactly(all.toString());
      assertThat(statuses(connection.readToEnd())).isEqualTo(allExpected);
    }
  }

  @Test
  void bodiesThatLookLikeRequestsAreBodies() throws Exception {
    String body = SMUGGLED.replace("\n", "\r\n");
    assertNothingIsSmuggled("Content-Length: " + body.length() + "\nConnection: close", SMUGGLED);
  }

  @Test
  void aLengthBesideChunksEndsTheConnection() throws Exception {
    assertNothingIsSmuggled("Content-Length: 6\nTransfer-Encoding: chunked", "0\n\n");
    assertNothingIsSmuggled("Transfer-Encoding: chunked\nContent-Length: 6", "0\n\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xchunked",
        "chunked, identity",
        "chunked, chunked",
        "\"chunked\"",
        "chunked;q=1",
        "gzip, chunked",
        "chunked\u000b",
        "identity\nTransfer-Encoding: chunked"
      })
  void rejectsOtherTransferEncodings(String value) throws Exception {
    assertNothingIsSmuggled("Transfer-Encoding: " + value + "\nContent-Length: 5", "0\n\n");
    assertNothingIsSmuggled("Transfer-Encoding: " + value, "0\n\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding : chunked",
        " Transfer-Encoding: chunked",
        "Transfer-Encoding: chunked\n folded"
      })
  void rejectsMalformedHeaderLines(String line) throws Exception {
    assertNothingIsSmuggled(line, "0\n\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0x5\nhello\n",
        "+5\nhello\n",
        "-5\nhello\n",
        "5 5\nhello\n",
        "FFFFFFFFFFFFFFFF5\nhello\n",
        "5\nhello!\n",
        "\nhello\n",
        "g\nhello\n"
      })
  void rejectsMalformedChunks(String chunk) throws Exception {
    assertNothingIsSmuggled("Transfer-Encoding: chunked", chunk + "0\n\n");
  }
}
