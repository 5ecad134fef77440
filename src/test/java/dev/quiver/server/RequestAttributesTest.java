package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Attributes of requests, by which no two classes speak: each has a private name, and one class
/// that sets and reads it. Attributes of the container and of Spring are theirs.
class RequestAttributesTest {

  private static final Path SOURCES = Path.of("src/main/java/dev/quiver/server");

  private static final Pattern USE =
      Pattern.compile("\\b(?:get|set|remove)Attribute\\(\\s*([^,)]+?)\\s*[,)]");

  private static final Pattern FOREIGN =
      Pattern.compile("(?:Globals|HandlerMapping|RequestDispatcher)\\.[A-Z_]+");

  @Test
  void haveAPrivateName() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(sources).hasSizeGreaterThan(100);
      for (Path source : sources) {
        assertThat(shared(Files.readString(source))).as("%s", source).isEmpty();
      }
    }
  }

  @Test
  void findsSharedNames() {
    String own = "private static final String OWN = \"own\"; request.setAttribute(OWN, 1);";
    assertThat(shared(own)).isEmpty();
    assertThat(shared(own.replace("private ", ""))).containsExactly("OWN");
    assertThat(shared("request.getAttribute(Other.NAME)")).containsExactly("Other.NAME");
    assertThat(shared("request.removeAttribute(\"name\")")).containsExactly("\"name\"");
    assertThat(shared("request.getAttribute(HandlerMapping.BEST_MATCH)")).isEmpty();
  }

  /// Returns the names of attributes in a source that another class may use.
  private static List<String> shared(String source) {
    return USE.matcher(source)
        .results()
        .map((MatchResult use) -> use.group(1))
        .filter(name -> !FOREIGN.matcher(name).matches())
        .filter(name -> !source.contains("private static final String " + name + " ="))
        .toList();
  }
}
