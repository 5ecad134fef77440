package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

class AcceptEncodingTest {

  private static AcceptEncoding header(String... lines) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    for (String line : lines) {
      request.addHeader("Accept-Encoding", line);
    }
    return AcceptEncoding.of(request);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | IDENTITY | IDENTITY",
        "identity | IDENTITY | IDENTITY",
        "* | IDENTITY | IDENTITY",
        "gzip, deflate | GZIP | IDENTITY",
        "gzip, deflate, br, zstd | ZSTD | ZSTD",
        "GZIP | GZIP | IDENTITY",
        "x-gzip | GZIP | IDENTITY",
        "gzip;q=1.0, zstd;q=0.9 | GZIP | ZSTD",
        "gzip;q=0.5, identity | IDENTITY | IDENTITY",
        "zstd ; q=0.5 , identity;q=0.5 | ZSTD | ZSTD",
        "zstd;q=0.4, identity;q=0.5 | IDENTITY | IDENTITY",
        "zstd;q=0, gzip;q=0 | IDENTITY | IDENTITY",
        "br, zstd;q=1.1, gzip;q=x | IDENTITY | IDENTITY",
        "gzip, identity;q=0 | GZIP | GZIP",
        "gzip, *;q=0 | GZIP | GZIP",
        "*, identity;q=0 | ZSTD | ZSTD",
        "*;q=0.2, gzip;q=0.1, identity;q=0 | GZIP | ZSTD",
        "gzip, zstd;q=0, identity;q=0 | GZIP | GZIP",
        "*;q=0, identity | IDENTITY | IDENTITY",
        "br | IDENTITY | IDENTITY",
        "br, identity;q=0 | BROTLI | BROTLI",
        "BR;q=0.1, *;q=0 | BROTLI | BROTLI",
        "deflate, br, identity;q=0 | BROTLI | BROTLI",
        "br, gzip;q=0.1, *;q=0 | GZIP | GZIP",
        "br, *;q=0.1, identity;q=0 | ZSTD | ZSTD",
      })
  void choosesTheCodingThatTheClientPrefers(
      String header, ResponseCoding text, ResponseCoding arrow) {
    assertThat(header(header).choose(CodingPolicy.TEXT, false)).isEqualTo(text);
    assertThat(header(header).choose(CodingPolicy.ARROW, false)).isEqualTo(arrow);
  }

  @Test
  void choosesIdentityWithoutAcceptEncoding() {
    assertThat(header().choose(CodingPolicy.TEXT, false)).isEqualTo(ResponseCoding.IDENTITY);
  }

  @Test
  void joinsLinesOfAcceptEncoding() {
    assertThat(header("br", "gzip").choose(CodingPolicy.TEXT, false))
        .isEqualTo(ResponseCoding.GZIP);
  }

  @Test
  void choosesIdentityForRangesUnlessTheClientRejectsIt() {
    assertThat(header("zstd, gzip").choose(CodingPolicy.TEXT, true))
        .isEqualTo(ResponseCoding.IDENTITY);
    assertThat(header("zstd, gzip, identity;q=0").choose(CodingPolicy.TEXT, true))
        .isEqualTo(ResponseCoding.ZSTD);
  }

  @Test
  void rejectsRequestsThatAcceptNoAvailableCoding() {
    assertThatThrownBy(() -> header("br;q=0, deflate, *;q=0").choose(CodingPolicy.TEXT, false))
        .isInstanceOf(ProblemException.class)
        .hasMessage(
            "Expected identity or zstd or gzip or br but found br;q=0, deflate, *;q=0 at header"
                + " Accept-Encoding");
    assertThatThrownBy(() -> header("br, identity;q=0").choose(CodingPolicy.NEVER, false))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> header("zstd, identity;q=0").choose(CodingPolicy.NEVER, false))
        .isInstanceOf(ProblemException.class)
        .hasMessage("Expected identity but found zstd, identity;q=0 at header Accept-Encoding");
  }
}
