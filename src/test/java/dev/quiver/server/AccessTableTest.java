package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.access.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.PathContainer;

/// The table of permissions: it has a row for every handler, and the document has the same rows.
@Import(HandledOperations.class)
class AccessTableTest extends RunningService {

  private static final Path DOCUMENT = Path.of("src/docs/security.md");
  private static final String HEAD = "| method | path | permission |";

  @Autowired private HandledOperations operations;

  @Test
  void documentHasEveryRow() throws Exception {
    List<String> lines = Files.readAllLines(DOCUMENT);
    List<String> rows =
        lines.subList(lines.indexOf(HEAD) + 2, lines.size()).stream()
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(Route.TABLE.stream().map(AccessTableTest::documented).toList());
  }

  private static String documented(Route row) {
    String methods =
        row.methods().isEmpty()
            ? "all others"
            : row.methods().stream().collect(Collectors.joining("`, `", "`", "`"));
    return "| %s | `%s` | %s |".formatted(methods, row.pattern(), row.requirement());
  }

  /// A handler without a row of its own would get the permission of paths that have no resource.
  @Test
  void everyHandlerHasARow() {
    List<Route> rows = Route.TABLE.subList(1, Route.TABLE.size() - 2);
    Set<String> handled = operations.all();
    assertThat(handled)
        .hasSizeGreaterThan(50)
        .contains("GET /metrics", "GET /swagger-ui/x", "DELETE /datasets/x");
    Set<Route> used = new java.util.HashSet<>();
    for (String operation : handled) {
      String[] words = operation.split(" ");
      Route row = Route.find(words[0], PathContainer.parsePath(words[1]), Set.of()).route();
      assertThat(rows).as(operation).contains(row);
      used.add(row);
    }
    assertThat(used).containsExactlyInAnyOrderElementsOf(rows);
  }
}
