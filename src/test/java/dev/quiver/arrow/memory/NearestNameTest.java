package dev.quiver.arrow.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The names that a misspelt one most likely means.
class NearestNameTest {

  private static final List<String> NAMES =
      List.of("trips-2026", "trips-2025", "flights", "trip", "flight-delays", "airports");

  @Test
  void findsTheNearestOfMany() {
    assertThat(NearestName.of("fligths", NAMES)).isEqualTo("flights");
    assertThat(NearestName.of("delays", NAMES)).isEqualTo("flight-delays");
    assertThat(NearestName.of("trips-202", NAMES)).isEqualTo("trips-2026");
  }

  @Test
  void findsNothingBeyondHalfOfTheLetters() {
    assertThat(NearestName.near("fligths", NAMES)).isEqualTo("flights");
    assertThat(NearestName.near("TRIP", NAMES)).isEqualTo("trip");
    assertThat(NearestName.near("nope", List.of("bom"))).isNull();
    assertThat(NearestName.near("nothing-like-it", List.of("sample"))).isNull();
    assertThat(NearestName.near("drama", List.of("Title", "mx"))).isNull();
    assertThat(NearestName.near("delays", NAMES)).isEqualTo("flight-delays");
    assertThat(NearestName.near("x", List.of("y"))).isNull();
    assertThat(NearestName.near("", List.of("y"))).isNull();
    assertThat(NearestName.near("x", List.of())).isNull();
  }

  /// A word that many names have tells little.
  @Test
  void wordsThatBothHaveAreHalfOfTheShorterName() {
    assertThat(NearestName.near("2024-report", List.of("2024-salaries"))).isNull();
    assertThat(NearestName.near("salaries", List.of("2024-salaries"))).isEqualTo("2024-salaries");
    assertThat(NearestName.near("2024-salaries-of-all", List.of("salaries"))).isEqualTo("salaries");
    assertThat(NearestName.near("monthly-sales-report", List.of("monthly-sales-table")))
        .isEqualTo("monthly-sales-table");
    // Six of twelve letters, and six of thirteen.
    assertThat(NearestName.near("report-abcde", List.of("report-vwxyz-end")))
        .isEqualTo("report-vwxyz-end");
    assertThat(NearestName.near("report-abcdef", List.of("report-uvwxyz-end"))).isNull();
  }

  @Test
  void findsSeveralTheNearestFirst() {
    NearestName nearest = new NearestName("trips-2025", 3);
    NAMES.forEach(nearest::add);
    assertThat(nearest.names()).containsExactly("trips-2025", "trips-2026", "trip");
    assertThat(new NearestName("trips", 3).names()).isEmpty();
  }
}
