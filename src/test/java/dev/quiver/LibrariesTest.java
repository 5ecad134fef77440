package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The libraries of the jar, each of which is listed by hand with its version and license, so that
/// none comes or changes unseen. `NoticeTest` covers the notice.
class LibrariesTest {

  private static final Path LIST = Path.of("src/main/resources/META-INF/LIBRARIES");
  private static final Path BILL_OF_MATERIALS =
      Path.of("target/classes/META-INF/sbom/application.cdx.json");
  private static final Path VULNERABLE = Path.of("src/test/resources/vulnerable-libraries.txt");

  /// The runtime class path, which Maven writes before the tests.
  private static final Path RUNTIME_CLASS_PATH = Path.of("target/runtime-classpath.txt");

  private static final Pattern ROW = Pattern.compile("(\\S+ \\S+ \\S+)  (\\S.*)");
  private static final Pattern JAR =
      Pattern.compile(".*?/([^/]+)/([^/]+)/\\1-\\2(?:-[^/]+)?\\.jar");

  /// Returns artifact and version of each library.
  private static Set<String> ofTheJar() throws IOException {
    Set<String> libraries = new TreeSet<>();
    for (String jar : Files.readString(RUNTIME_CLASS_PATH).strip().split(File.pathSeparator)) {
      Matcher path = JAR.matcher(jar.replace(File.separatorChar, '/'));
      assertThat(path.matches()).as(jar).isTrue();
      libraries.add(path.group(1) + " " + path.group(2));
    }
    return libraries;
  }

  /// Returns group, artifact and version of each listed library.
  private static List<String> listed() throws IOException {
    return Files.readAllLines(LIST).stream()
        .map(line -> {
          Matcher row = ROW.matcher(line);
          assertThat(row.matches()).as(line).isTrue();
          return row.group(1);
        })
        .toList();
  }

  private static String withoutGroup(String library) {
    return library.substring(library.indexOf(' ') + 1);
  }

  @Test
  void listNamesExactlyTheLibrariesOfTheJarWithTheirVersions() throws IOException {
    List<String> listed = listed();
    assertThat(listed).isSorted().hasSizeGreaterThan(50);
    assertThat(listed.stream().map(LibrariesTest::withoutGroup).collect(Collectors.toSet()))
        .isEqualTo(ofTheJar());
  }

  @Test
  void billOfMaterialsNamesTheSameLibraries() throws IOException {
    if (!"all".equals(System.getenv("QUIVER_REQUIRE"))) {
      // Maven writes none while it is offline.
      assumeThat(BILL_OF_MATERIALS).as("skipped: no bill of materials").exists();
    }
    JsonNode bill = JsonMapper.shared().readTree(Files.readAllBytes(BILL_OF_MATERIALS));
    assertThat(bill.get("bomFormat").asString()).isEqualTo("CycloneDX");
    assertThat(
            bill.get("components")
                .valueStream()
                .map(library ->
                    String.join(
                        " ",
                        library.get("group").asString(),
                        library.get("name").asString(),
                        library.get("version").asString())))
        .containsExactlyInAnyOrderElementsOf(listed());
  }

  @Test
  void noLibraryIsKnownToBeVulnerable() throws IOException {
    List<String> listed = listed();
    List<String> rows = Files.readAllLines(VULNERABLE).stream().skip(1).toList();
    assertThat(rows).isNotEmpty();
    for (String row : rows) {
      String[] fields = row.split(" ", 4);
      String library = fields[0] + " " + fields[1] + " ";
      for (String present : listed) {
        if (present.startsWith(library)) {
          int[] version = numbers(present.substring(library.length()));
          assertThat(Arrays.compare(version, numbers(fields[2]))).as(row).isNotNegative();
        }
      }
    }
  }

  private static int[] numbers(String version) {
    return Pattern.compile("\\d+")
        .matcher(version)
        .results()
        .mapToInt(number -> Integer.parseInt(number.group()))
        .toArray();
  }
}
