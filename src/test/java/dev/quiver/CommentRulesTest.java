package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of English in `CONTRIBUTING.md`, as far as a pattern finds a violation in comments.
class CommentRulesTest {

  /// A line begins with a noun or a verb, a process is a reader or a writer, and null is absent.
  private static final Pattern ODD =
      Pattern.compile(
          "^\\s*(?://+|/\\*+|\\*|#+|\"{3})\\s*(?:(?:What|Who|Whoever|Of those that)\\b"
              + "|(?-i:How|(?:That|Those) (?:of|that))\\b"
              + "|.*\\b(?:whoever|nobody|somebody|there (?:is|are) none)\\b)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern CODE = Pattern.compile("\\.(?:java|js|mjs|py)$");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/main/java",
        "src/main/resources/dev/quiver/server/pages/page",
        "src/arrow",
        "src/test",
        "src/benchmarks"
      })
  void commentsOfTheCodeAreNaturalEnglish(String folder) throws IOException {
    assertThat(odd(Path.of(folder))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/// What a page shows.",
        "  // Whoever reads it.",
        "/* Of those that wait, one goes on. */",
        "/// A lock, or null if there is none.",
        " * A file that nobody reads.",
        "/// How often a thread looks for its client.",
        "// Those that a header may have.",
        "    \"\"\"What a scenario saw.\"\"\"",
        "# What a store has.",
      })
  void findsOddComments(String line) {
    assertThat(ODD.matcher(line).find()).isTrue();
  }

  private static boolean isCode(Path file) {
    String path = file.toString();
    return CODE.matcher(path).find() && !path.contains("vendor") && !path.contains("target");
  }

  private static List<String> odd(Path folder) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(CommentRulesTest::isCode).toList()) {
        for (String line : Files.readAllLines(file)) {
          if (ODD.matcher(line).find()) {
            found.add(file + ": " + line.strip());
          }
        }
      }
    }
    return found;
  }
}
