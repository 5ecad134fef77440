package dev.quiver.arrow.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Tests where text is truncated: only if it is too long, and never within a character.
class ExcerptTest {

  @Test
  void keepsTextWithinTheMaximum() {
    assertThat(Excerpt.of("", 3)).isEmpty();
    assertThat(Excerpt.of("abc", 3)).isEqualTo("abc");
    assertThat(Excerpt.of("a\uD83D\uDE00", 3)).isEqualTo("a\uD83D\uDE00");
  }

  @Test
  void truncatesLongTextWithAnEllipsis() {
    assertThat(Excerpt.of("abcd", 3)).isEqualTo("abc…");
  }

  @Test
  void neverSplitsASurrogatePair() {
    assertThat(Excerpt.of("ab\uD83D\uDE00", 3)).isEqualTo("ab…");
    assertThat(Excerpt.of("a\uD83D\uDE00d", 3)).isEqualTo("a\uD83D\uDE00…");
  }
}
