package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The tables of faults quote existing code, once each, and name existing classes and tests.
/// `src/test/faults/planted` plants the faults and runs the tests.
class PlantedFaultsTest {

  private static final Pattern ROW =
      Pattern.compile(
          "^\\| ([^|`]+) \\| (`\\w+`(?:, `\\w+`)*) \\| `([\\w.]+)` \\| `(.+)` \\| `(.+)` \\|$",
          Pattern.MULTILINE);

  private static String table(String name) throws IOException {
    return Files.readString(Path.of("src/test/faults", name + ".md"));
  }

  private static List<MatchResult> rows(String table) throws IOException {
    return ROW.matcher(table(table)).results().toList();
  }

  @ParameterizedTest
  @CsvSource({"faults, 50", "rules, 60"})
  void everyRowIsParsed(String table, int minimum) throws IOException {
    // Two more lines are the head of the table.
    assertThat(table(table).lines().filter(line -> line.startsWith("| ")).count() - 2)
        .isEqualTo(rows(table).size())
        .isGreaterThanOrEqualTo(minimum);
  }

  @TestFactory
  List<DynamicTest> everyRowQuotesCodeOnceAndNamesTests() throws IOException {
    return Stream.concat(rows("faults").stream(), rows("rules").stream())
        .map(row -> DynamicTest.dynamicTest(row.group(1), () -> check(row)))
        .toList();
  }

  @Test
  void everyLargerPackageHasARow() throws IOException {
    Set<Path> planted = new HashSet<>();
    for (MatchResult row :
        Stream.concat(rows("faults").stream(), rows("rules").stream()).toList()) {
      named("src/main/java", row.group(3).replace('.', '/'))
          .forEach(file -> planted.add(file.getParent()));
    }
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".java"))
                  .collect(Collectors.groupingBy(Path::getParent, Collectors.counting())))
          // With the file that documents the package.
          .allSatisfy((folder, count) ->
              assertThat(count <= 5 || planted.contains(folder)).as("%s", folder).isTrue());
    }
  }

  private static void check(MatchResult row) throws IOException {
    for (String test : row.group(2).replace("`", "").split(", ")) {
      assertThat(named("src/test/java", test)).isNotEmpty();
    }
    List<Path> sources = named("src/main/java", row.group(3).replace('.', '/'));
    assertThat(sources).hasSize(1);
    assertThat(Files.readString(sources.getFirst())).containsOnlyOnce(row.group(4));
    assertThat(row.group(5)).isNotEqualTo(row.group(4));
  }

  private static List<Path> named(String folder, String name) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      return files.filter(file -> file.endsWith(name + ".java")).toList();
    }
  }
}
