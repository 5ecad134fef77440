package dev.quiver.server.http;

import static dev.quiver.server.http.Preconditions.Outcome.FAILED;
import static dev.quiver.server.http.Preconditions.Outcome.NOT_MODIFIED;
import static dev.quiver.server.http.Preconditions.Outcome.PROCEED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.http.Preconditions.Outcome;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

/// Conditions of reads, alone and combined, in the order of RFC 9110 §13.2.2.
class PreconditionsTest {

  private static final EntityTag CURRENT = new EntityTag(false, "c.1");
  private static final Instant MODIFIED = Instant.parse("2026-11-20T07:34:20.900Z");
  private static final String AT = "Fri, 20 Nov 2026 07:34:20 GMT";
  private static final String BEFORE = "Fri, 20 Nov 2026 07:34:19 GMT";

  private static Preconditions given(Map<String, String> headers) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    headers.forEach(request::addHeader);
    return Preconditions.of(request);
  }

  private static Outcome outcome(String... namesAndValues) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      request.addHeader(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Preconditions.of(request).evaluate(CURRENT, MODIFIED);
  }

  @Test
  void requestWithoutConditionsProceeds() {
    assertThat(outcome()).isEqualTo(PROCEED);
  }

  @Test
  void ifMatchComparesStrongly() {
    assertThat(outcome("If-Match", "\"x\", \"c.1\"")).isEqualTo(PROCEED);
    assertThat(outcome("If-Match", "*")).isEqualTo(PROCEED);
    assertThat(outcome("If-Match", "\"x\"")).isEqualTo(FAILED);
    assertThat(outcome("If-Match", "W/\"c.1\"")).isEqualTo(FAILED);
    assertThat(outcome("If-Match", "c.1")).isEqualTo(FAILED);
  }

  @Test
  void ifNoneMatchComparesWeakly() {
    assertThat(outcome("If-None-Match", "\"x\"")).isEqualTo(PROCEED);
    assertThat(outcome("If-None-Match", "\"x\", W/\"c.1\"")).isEqualTo(NOT_MODIFIED);
    assertThat(outcome("If-None-Match", "*")).isEqualTo(NOT_MODIFIED);
  }

  @Test
  void joinsLinesOfIfNoneMatch() {
    assertThat(outcome("If-None-Match", "\"x\"", "If-None-Match", "\"c.1\""))
        .isEqualTo(NOT_MODIFIED);
  }

  @Test
  void comparesModificationDatesInSeconds() {
    assertThat(outcome("If-Modified-Since", AT)).isEqualTo(NOT_MODIFIED);
    assertThat(outcome("If-Modified-Since", BEFORE)).isEqualTo(PROCEED);
    assertThat(outcome("If-Unmodified-Since", AT)).isEqualTo(PROCEED);
    assertThat(outcome("If-Unmodified-Since", BEFORE)).isEqualTo(FAILED);
  }

  @Test
  void ignoresConditionsWithInvalidDates() {
    assertThat(outcome("If-Modified-Since", "now", "If-Unmodified-Since", "never"))
        .isEqualTo(PROCEED);
  }

  @Test
  void tagsTakePrecedenceOverDates() {
    assertThat(outcome("If-Match", "\"c.1\"", "If-Unmodified-Since", BEFORE)).isEqualTo(PROCEED);
    assertThat(outcome("If-None-Match", "\"x\"", "If-Modified-Since", AT)).isEqualTo(PROCEED);
  }

  @Test
  void evaluatesIfMatchAndIfUnmodifiedSinceFirst() {
    assertThat(outcome("If-Match", "\"x\"", "If-None-Match", "\"c.1\"")).isEqualTo(FAILED);
    assertThat(outcome("If-Unmodified-Since", BEFORE, "If-None-Match", "\"c.1\""))
        .isEqualTo(FAILED);
  }

  @Test
  void ifRangeRequiresTheSameStrongTag() {
    assertThat(given(Map.of()).rangeApplies(CURRENT)).isTrue();
    assertThat(given(Map.of("If-Range", "\"c.1\"")).rangeApplies(CURRENT)).isTrue();
    assertThat(given(Map.of("If-Range", "W/\"c.1\"")).rangeApplies(CURRENT)).isFalse();
    assertThat(given(Map.of("If-Range", "\"c.0\"")).rangeApplies(CURRENT)).isFalse();
    assertThat(given(Map.of("If-Range", AT)).rangeApplies(CURRENT)).isFalse();
  }
}
