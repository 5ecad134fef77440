package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("random")
class TrialsTest {

  private static final int PERCENT = Integer.getInteger("trials.percent", 10);

  @Test
  void numberOfTrialsIsAPartOfThoseThatAreThorough() {
    assertThat(Trials.of(1_000)).isEqualTo(10 * PERCENT);
    assertThat(Trials.of(1)).isPositive();
    assertThat(Trials.stride()).isOdd().isPositive();
  }

  /// Otherwise `-Plong` would leave out most of their trials.
  @Test
  void testsThatCountTrialsHaveTheTag() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> files = Files.walk(Path.of("src/test/java/dev/quiver"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
      }
    }
    sources.keySet().removeAll(Set.of("TestReports", "TrialsTest"));
    Set<String> users = new HashSet<>();
    for (Set<String> used = Set.of("Trials"); !used.isEmpty(); ) {
      Set<String> found = users(sources, used);
      found.removeAll(users);
      users.addAll(found);
      used = found.stream().filter(name -> !isTest(name)).collect(Collectors.toSet());
    }
    assertThat(users)
        .hasSizeGreaterThan(40)
        .contains("Selections", "ArrowJavaSelectionTest")
        .filteredOn(TrialsTest::isTest)
        .allSatisfy(name -> assertThat(sources.get(name)).as(name).contains("@Tag(\"random\")\n"));
  }

  private static boolean isTest(String name) {
    return name.endsWith("Test") || name.endsWith("Contract");
  }

  private static Set<String> users(Map<String, String> sources, Set<String> used) {
    Pattern names = Pattern.compile("\\b(?:" + String.join("|", used) + ")\\b[.(]");
    return sources.entrySet().stream()
        .filter(source -> !used.contains(source.getKey()))
        .filter(source -> names.matcher(source.getValue()).find())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(HashSet::new));
  }
}
