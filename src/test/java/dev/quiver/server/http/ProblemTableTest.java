package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The table of problems in `src/docs/problems.md` lists every type with its status.
class ProblemTableTest {

  private static final String TABLE_HEAD = "| type | status | when |";

  @Test
  void documentedTableListsEveryProblemTypeWithItsStatus() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("src/docs/problems.md"));
    assertThat(lines).contains(TABLE_HEAD);
    assertThat(
            lines.stream()
                .skip(lines.indexOf(TABLE_HEAD) + 2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.replaceFirst("^(\\|[^|]+\\|[^|]+\\|).*", "$1")))
        .containsExactlyElementsOf(
            Arrays.stream(ProblemType.values())
                .map(type ->
                    "| `%s` | %d |"
                        .formatted(
                            type.uri().substring("urn:quiver:problem:".length()), type.status()))
                .toList());
  }
}
