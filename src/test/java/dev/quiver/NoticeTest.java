package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The notice, which names exactly the libraries that the jar contains.
class NoticeTest {

  private static final Path NOTICE = Path.of("target/classes/META-INF/NOTICE");

  /// The runtime class path, which Maven writes before the tests.
  private static final Path RUNTIME_CLASS_PATH = Path.of("target/runtime-classpath.txt");

  private static final Pattern ROW = Pattern.compile("([a-z0-9.-]+) {2,}|([a-z0-9.-]+) (?=[A-Z])");

  @Test
  void noticeNamesExactlyTheLibrariesOfTheJar() throws IOException {
    List<String> jars =
        List.of(Files.readString(RUNTIME_CLASS_PATH).strip().split(File.pathSeparator));
    assertThat(jars).hasSizeGreaterThan(50);
    Map<String, Integer> counts = new TreeMap<>();
    groups().forEach(group -> counts.put(group, 0));
    Set<String> missing = new TreeSet<>();
    for (String jar : jars) {
      String path = jar.replace(File.separatorChar, '/');
      List<String> found =
          counts.keySet().stream()
              .filter(group -> path.contains("/" + group.replace('.', '/') + "/"))
              .toList();
      found.forEach(group -> counts.merge(group, 1, Integer::sum));
      if (found.isEmpty()) {
        missing.add(path);
      }
    }
    assertThat(missing).isEmpty();
    assertThat(counts).allSatisfy((group, count) -> assertThat(count).as(group).isPositive());
  }

  @Test
  void jarContainsTheLicense() throws IOException {
    assertThat(Path.of("target/classes/META-INF/LICENSE"))
        .hasSameBinaryContentAs(Path.of("LICENSE"));
    assertThat(Files.readAllLines(Path.of("LICENSE"))).hasSize(202);
  }

  private static Set<String> groups() throws IOException {
    Set<String> groups = new TreeSet<>();
    for (String line : Files.readAllLines(NOTICE)) {
      Matcher row = ROW.matcher(line);
      if (row.lookingAt()) {
        groups.add(row.group(1) == null ? row.group(2) : row.group(1));
      }
    }
    return groups;
  }
}
