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
  void findsSeveralTheNearestFirst() {
    NearestName nearest = new NearestName("trips-2025", 3);
    NAMES.forEach(nearest::add);
    assertThat(nearest.names()).containsExactly("trips-2025", "trips-2026", "trip");
    assertThat(new NearestName("trips", 3).names()).isEmpty();
  }
}
