package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The table of rules quotes existing lines of code and names existing tests.
/// `src/test/http/planted` changes each line and runs its test.
class HttpRulesTest {

  private static final Pattern ROW =
      Pattern.compile(
          "^\\| (\\d+ [^|]+) \\| `(\\w+)` \\| `([\\w/]+)` \\| `(.+)` \\| `(.+)` \\|$",
          Pattern.MULTILINE);

  private static String table() throws IOException {
    return Files.readString(Path.of("src/test/http/rules.md"));
  }

  private static List<MatchResult> rows() throws IOException {
    return ROW.matcher(table()).results().toList();
  }

  @Test
  void everyRowOfTheRulesTableIsParsed() throws IOException {
    assertThat(table().lines().filter(line -> line.matches("\\| \\d.*")).count())
        .isEqualTo(rows().size())
        .isGreaterThan(60);
  }

  @TestFactory
  List<DynamicTest> everyRuleQuotesALineOfCodeAndNamesATest() throws IOException {
    return rows().stream()
        .map(row -> DynamicTest.dynamicTest(row.group(1), () -> check(row)))
        .toList();
  }

  private static void check(MatchResult row) throws IOException {
    try (Stream<Path> tests = Files.walk(Path.of("src/test/java/dev/quiver/web"))) {
      assertThat(tests).anyMatch(test -> test.endsWith(row.group(2) + ".java"));
    }
    Path file = Path.of("src/main/java/dev/quiver", row.group(3) + ".java");
    assertThat(Files.readString(file)).contains(row.group(4)).isNotEqualTo(row.group(5));
  }
}
