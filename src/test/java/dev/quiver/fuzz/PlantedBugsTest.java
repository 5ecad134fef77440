package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that the bugs in `src/test/resources/fuzz/planted`, which the fuzzer must find, can still
/// be planted: the code that each patch changes occurs exactly once in the sources.
class PlantedBugsTest {

  private static final Path PATCHES = Path.of("src/test/resources/fuzz/planted");
  private static final String TARGET = "target: ";
  private static final String FILE = "+++ b/";

  static Stream<Path> patches() throws IOException {
    try (Stream<Path> files = Files.list(PATCHES)) {
      List<Path> patches = files.sorted().toList();
      assertThat(patches).hasSizeGreaterThanOrEqualTo(5);
      return patches.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("patches")
  void patchAppliesToTheSources(Path patch) throws IOException {
    List<String> lines = Files.readAllLines(patch);
    assertThat(List.of(FuzzTarget.values())).contains(FuzzTarget.of(after(TARGET, lines)));
    String source = Files.readString(Path.of(after(FILE, lines)));
    List<String> hunk = lines.subList(indexOf("@@ ", lines) + 1, lines.size());
    String before = side('-', hunk);
    assertThat(before).isNotEqualTo(side('+', hunk));
    int at = source.indexOf(before);
    assertThat(at).as("%s in the source:%n%s", patch.getFileName(), before).isNotNegative();
    assertThat(source.indexOf(before, at + 1)).as("second occurrence for %s", patch).isNegative();
  }

  /// Returns the lines before or after the change.
  private static String side(char sign, List<String> hunk) {
    StringBuilder text = new StringBuilder();
    for (String line : hunk) {
      if (line.charAt(0) == ' ' || line.charAt(0) == sign) {
        text.append(line, 1, line.length()).append('\n');
      }
    }
    return text.toString();
  }

  private static String after(String prefix, List<String> lines) {
    return lines.get(indexOf(prefix, lines)).substring(prefix.length());
  }

  private static int indexOf(String prefix, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(prefix)) {
        return i;
      }
    }
    throw new AssertionError("Expected a line that starts with " + prefix);
  }
}
