package dev.quiver.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The scripts of the pages. Their folders are small, and each begins with a comment. Their types
/// are checked by `src/test/pages/tsconfig.json`.
class PageScriptsTest {

  private static final Path PAGE =
      Path.of("src/main/resources/dev/quiver/server/pages/page").toAbsolutePath();
  private static final int MAX_SCRIPTS = 20;

  @Test
  void foldersHaveAtMost20Scripts() throws IOException {
    Map<String, Long> counts =
        files().stream()
            .filter(path -> path.toString().endsWith(".js"))
            .collect(
                Collectors.groupingBy(
                    path -> PAGE.relativize(path.getParent()).toString(),
                    TreeMap::new,
                    Collectors.counting()));
    assertThat(counts.keySet())
        .containsExactly(
            "anatomy", "chart", "dataset", "drawers", "filter", "grid", "lib", "sql", "upload",
            "vendor");
    assertThat(counts.values()).allMatch(count -> count <= MAX_SCRIPTS, "at most " + MAX_SCRIPTS);
  }

  @Test
  void namesAreUnique() throws IOException {
    assertThat(files()).extracting(path -> path.getFileName().toString()).doesNotHaveDuplicates();
  }

  @Test
  void scriptsSayWhatTheyAreAndHaveTypes() throws IOException {
    for (Path script : ownScripts()) {
      List<String> lines = Files.readAllLines(script);
      assertThat(lines.getFirst()).as(script.toString()).matches("// [A-Z].{19,}");
      assertThat(lines.subList(0, 6)).as(script.toString()).contains("// @ts-check");
    }
  }

  private static List<Path> ownScripts() throws IOException {
    return files().stream()
        .filter(path -> path.toString().endsWith(".js") && !path.startsWith(PAGE.resolve("vendor")))
        .toList();
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(PAGE)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
