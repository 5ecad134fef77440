package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

class PreferredWaitTest {

  private static long seconds(String... lines) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    for (String line : lines) {
      request.addHeader("Prefer", line);
    }
    return PreferredWait.of(request, 60).seconds();
  }

  /// The grammar of RFC 7240 §2.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "wait=30 | 30",
        "Wait = 30 | 30",
        "wait=\"30\" | 30",
        "respond-async, wait=30 | 30",
        "wait=30; foo=bar, handling=lenient | 30",
        "wait=5, wait=30 | 5",
        "wait=60 | 60",
        "wait=61 | 60",
        "wait=999999999 | 60",
        "wait=0 | 0",
        "wait | 0",
        "wait=-1 | 0",
        "wait=1.5 | 0",
        "wait=30s | 0",
        "wait=\"30 | 0",
        "await=30 | 0",
        "foo; wait=30 | 0",
        "foo=\"a\" | 0",
      })
  void readsTheFirstValidPreference(String line, long expected) {
    assertThat(seconds(line)).isEqualTo(expected);
  }

  @Test
  void readsAllLines() {
    assertThat(seconds()).isZero();
    assertThat(seconds("return=minimal", "wait=7")).isEqualTo(7);
  }
}
