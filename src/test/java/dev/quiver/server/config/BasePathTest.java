package dev.quiver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.server.access.Route;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BasePathTest {

  /// Otherwise `/datasets/x` would have two meanings.
  @Test
  void rejectsThePathsOfAllResources() {
    Set<String> first = new TreeSet<>();
    for (Route route : Route.TABLE) {
      String segment = route.pattern().getPatternString().substring(1).replaceFirst("[/.].*", "");
      if (!segment.isEmpty() && !segment.contains("*")) {
        first.add(segment);
      }
    }
    assertThat(first).hasSizeGreaterThan(10).contains("datasets", "swagger-ui");
    for (String segment : first) {
      for (String path : List.of("/" + segment, "/" + segment + "/a", "/" + segment + ".a/")) {
        assertThatThrownBy(() -> BasePath.requireValid(path, "key"))
            .isInstanceOf(ConfigurationException.class)
            .hasMessage("Expected a path other than those of resources but found %s at key", path);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/a", "/a/b.c", "/...", "/.a", "/a../b", "/A~_-9"})
  void acceptsSegments(String path) {
    assertThat(BasePath.isValid(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "a", "/a/", "//a", "/a//b", "/..", "/../a", "/a/./b", "/%61", "/a?b"})
  void rejectsOtherTexts(String path) {
    assertThat(BasePath.isValid(path)).isFalse();
  }

  @Test
  void lengthIsLimited() {
    assertThat(BasePath.isValid("/" + "a".repeat(199))).isTrue();
    assertThat(BasePath.isValid("/" + "a".repeat(200))).isFalse();
  }

  @Test
  void longerPathsComeFirst() {
    List<URI> urls =
        List.of(
            URI.create("https://a.test"),
            URI.create("https://a.test/q/b/"),
            URI.create("https://b.test/q"));
    assertThat(BasePath.all("/q", urls)).containsExactly("/q/b", "/q");
    assertThat(BasePath.all(null, List.of())).isEmpty();
  }
}
