package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Formatting, parsing and comparison of entity tags: RFC 9110 §8.8.3.
class EntityTagTest {

  @Test
  void appendsTheVariantToTheTagOfTheFile() {
    assertThat(EntityTag.of("3f2a.7")).hasToString("\"3f2a.7\"");
    assertThat(EntityTag.of("3f2a.7").with(TagVariant.of("arrows")))
        .hasToString("\"3f2a.7.arrows\"");
  }

  @Test
  void tagStartsWithTheCommitId() {
    assertThat(EntityTag.of("3f2a.7").commitId()).isEqualTo("3f2a");
    assertThat(EntityTag.of("3f2a.7").with(TagVariant.of("arrows")).commitId()).isEqualTo("3f2a");
    assertThat(new EntityTag(false, "other").commitId()).isEqualTo("other");
  }

  @Test
  void parsesTagListsWithWeakTagsAndCommas() {
    assertThat(EntityTag.parseList("\"a\", W/\"b\" ,\"c,d\",\"\""))
        .containsExactly(
            new EntityTag(false, "a"),
            new EntityTag(true, "b"),
            new EntityTag(false, "c,d"),
            new EntityTag(false, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "\"a", "w/\"a\"", "\"a\"b\"", "Fri, 20 Nov 2026 07:34:20 GMT"})
  void rejectsInvalidEntityTags(String text) {
    assertThat(EntityTag.parse(text)).isNull();
  }

  @Test
  void comparesTagsLikeTheTableOfRfc9110() {
    EntityTag weak1 = new EntityTag(true, "1");
    EntityTag weak2 = new EntityTag(true, "2");
    EntityTag strong1 = new EntityTag(false, "1");
    assertThat(weak1.matchesStrongly(weak1)).isFalse();
    assertThat(weak1.matchesWeakly(weak1)).isTrue();
    assertThat(weak1.matchesStrongly(weak2)).isFalse();
    assertThat(weak1.matchesWeakly(weak2)).isFalse();
    assertThat(weak1.matchesStrongly(strong1)).isFalse();
    assertThat(weak1.matchesWeakly(strong1)).isTrue();
    assertThat(strong1.matchesStrongly(strong1)).isTrue();
    assertThat(strong1.matchesWeakly(strong1)).isTrue();
  }
}
