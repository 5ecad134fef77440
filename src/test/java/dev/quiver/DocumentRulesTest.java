package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
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
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src/main/java/dev/quiver"),
          Path.of("src/test/java/dev/quiver"),
          Path.of("src/arrow/test/dev/quiver"));
  private static final Path ARCHITECTURE = Path.of("src/docs/architecture.md");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

  /// A class with its package below `dev.quiver`, or a name of several words. Headers have one.
  private static final Pattern CLASS =
      Pattern.compile("`((?:[a-z][a-z0-9]*[./])+[A-Z]\\w+|(?:[A-Z][a-z0-9]+){2,})`");

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
  void namedClassesExist() throws IOException {
    Set<String> classes = classes();
    for (Path file :
        List.of(SECURITY, CONTRIBUTING, Path.of("src/docs/security.md"), ARCHITECTURE)) {
      if (Files.exists(file)) {
        Set<String> named = namedClasses(Files.readString(file));
        assertThat(named).as("%s", file).hasSizeGreaterThan(5);
        assertThat(classes).as("%s", file).containsAll(named);
      }
    }
  }

  @Test
  void findsNamedClasses() {
    String text =
        "`WalkTest`, `store.read.Snapshot` and `formats/Format`, by `Accept` or `If-Range`";
    assertThat(namedClasses(text))
        .containsExactly("WalkTest", "formats.Format", "store.read.Snapshot");
    assertThat(namedClasses("`dataset/dataset-page.js`, `pom.xml`, `@TempDir`")).isEmpty();
  }

  private static Set<String> namedClasses(String text) {
    return CLASS
        .matcher(text)
        .results()
        .map(name -> name.group(1).replace('/', '.'))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Returns the names of all classes, with and without their packages below `dev.quiver`.
  private static Set<String> classes() throws IOException {
    Set<String> classes = new TreeSet<>();
    for (Path root : SOURCES) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .map(file -> root.relativize(file).toString().replace(".java", ""))
            .forEach(name -> {
              classes.add(name.replace(File.separatorChar, '.'));
              classes.add(Path.of(name).getFileName().toString());
            });
      }
    }
    return classes;
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
