package dev.quiver.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Proves that text is cut where it is too long, between characters.
class ExcerptTest {

  @Test
  void textThatIsShortEnoughIsKept() {
    assertThat(Excerpt.of("", 3)).isEmpty();
    assertThat(Excerpt.of("abc", 3)).isEqualTo("abc");
    assertThat(Excerpt.of("a\uD83D\uDE00", 3)).isEqualTo("a\uD83D\uDE00");
  }

  @Test
  void longTextIsCut() {
    assertThat(Excerpt.of("abcd", 3)).isEqualTo("abc…");
  }

  @Test
  void noCharacterIsHalved() {
    assertThat(Excerpt.of("ab\uD83D\uDE00", 3)).isEqualTo("ab…");
    assertThat(Excerpt.of("a\uD83D\uDE00d", 3)).isEqualTo("a\uD83D\uDE00…");
  }
}
