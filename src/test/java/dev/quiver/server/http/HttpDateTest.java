package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Dates are formatted in one form and parsed in three: RFC 9110 §5.6.7.
class HttpDateTest {

  private static final Instant EXAMPLE = Instant.parse("1994-11-06T08:49:37Z");

  @Test
  void formatsTheDayOfTheMonthWithTwoDigits() {
    assertThat(HttpDate.format(EXAMPLE)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
      })
  void parsesAllThreeFormsOfDates(String text) {
    assertThat(HttpDate.parse(text)).isEqualTo(EXAMPLE);
  }

  @Test
  void parsesTwoDigitYearsUpToFiftyYearsAhead() {
    assertThat(HttpDate.parse("Friday, 20-Nov-26 07:34:20 GMT")).isEqualTo("2026-11-20T07:34:20Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "1994-11-06T08:49:37Z", "Mon, 06 Nov 1994 08:49:37 GMT"})
  void ignoresInvalidHttpDates(String text) {
    assertThat(HttpDate.parse(text)).isNull();
  }
}
