package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Rules of the documents: their sizes, and the names of code in them. Readers find their part of a
/// divided document.
class DocumentRulesTest {

  private static final Path README = Path.of("README.md");
  private static final Path CONTRIBUTING = Path.of(".github/CONTRIBUTING.md");

  private static final Path SECURITY = Path.of(".github/SECURITY.md");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

  private static final int BYTES_MAXIMUM = 40_000;
  private static final int README_LINES_MAXIMUM = 200;
  private static final int CONTRIBUTING_LINES_MAXIMUM = 120;

  @Test
  void documentsAreShort() throws IOException {
    Map<Path, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.list(Path.of("src/docs"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        sizes.put(file, Files.size(file));
      }
    }
    assertThat(sizes)
        .isNotEmpty()
        .allSatisfy((file, size) ->
            assertThat(size).as("bytes of %s", file).isLessThanOrEqualTo(BYTES_MAXIMUM));
  }

  @Test
  void readmeIsForAnAnalystAnEngineerAndAnArchitect() throws IOException {
    List<String> lines = Files.readAllLines(README);
    assertThat(lines).hasSizeLessThanOrEqualTo(README_LINES_MAXIMUM);
    assertThat(lines)
        .containsSubsequence("## For analysts", "## For engineers", "## For architects");
  }

  @Test
  void contributingIsShort() throws IOException {
    assumeThat(CONTRIBUTING).exists();
    assertThat(Files.readAllLines(CONTRIBUTING))
        .hasSizeLessThanOrEqualTo(CONTRIBUTING_LINES_MAXIMUM);
  }

  @Test
  void everyClaimAboutSecurityNamesItsTests() throws IOException {
    assumeThat(SECURITY).exists();
    assertThat(rows(SECURITY, "| the service | held by |"))
        .hasSizeGreaterThan(5)
        .allSatisfy(row -> assertThat(row).containsPattern(TEST));
    assertThat(rows(Path.of("src/docs/security.md"), "| section | held by |"))
        .hasSizeGreaterThan(5)
        .allSatisfy(row -> assertThat(row).containsPattern(TEST));
  }

  @Test
  void namedTestsExist() throws IOException {
    Set<String> tests;
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      tests =
          files
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toSet());
    }
    Set<String> named = new TreeSet<>();
    for (Path file :
        List.of(
            SECURITY,
            CONTRIBUTING,
            Path.of("src/docs/security.md"),
            Path.of("src/docs/architecture.md"))) {
      if (Files.exists(file)) {
        TEST.matcher(Files.readString(file))
            .results()
            .map(name -> name.group(1))
            .forEach(named::add);
      }
    }
    assertThat(tests).containsAll(named);
  }

  private static List<String> rows(Path document, String head) throws IOException {
    List<String> lines = Files.readAllLines(document);
    assertThat(lines).contains(head);
    return lines.stream()
        .skip(lines.indexOf(head) + 2)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }
}
