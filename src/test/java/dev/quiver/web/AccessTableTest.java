package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.web.access.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/// The table of permissions: it has a row for every handler, and the document has the same rows.
class AccessTableTest extends RunningService {

  private static final Path DOCUMENT = Path.of("src/docs/security.md");
  private static final String HEAD = "| method | path | permission |";

  @Autowired private List<RequestMappingInfoHandlerMapping> mappings;
  @Autowired private List<SimpleUrlHandlerMapping> resources;

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
    Set<String> handled = handled();
    assertThat(handled)
        .hasSizeGreaterThan(50)
        .contains("GET /metrics", "GET /swagger-ui/x", "DELETE /datasets/x");
    Set<Route> used = new java.util.HashSet<>();
    for (String operation : handled) {
      String[] words = operation.split(" ");
      Route row = Route.find(words[0], PathContainer.parsePath(words[1])).route();
      assertThat(rows).as(operation).contains(row);
      used.add(row);
    }
    assertThat(used).containsExactlyInAnyOrderElementsOf(rows);
  }

  /// Returns the method and a path of each handler.
  private Set<String> handled() {
    Set<String> handled = new TreeSet<>();
    for (RequestMappingInfoHandlerMapping mapping : mappings) {
      for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
        for (String pattern : info.getPatternValues()) {
          for (RequestMethod method : info.getMethodsCondition().getMethods()) {
            handled.add(method + " " + path(pattern));
            if (method == RequestMethod.GET) {
              handled.add("HEAD " + path(pattern));
            }
          }
        }
      }
    }
    for (SimpleUrlHandlerMapping mapping : resources) {
      mapping.getUrlMap().keySet().forEach(pattern -> handled.add("GET " + path(pattern)));
    }
    // That of a group of the health, which is a handler of Spring for any group.
    handled.remove("GET /health/x");
    handled.remove("HEAD /health/x");
    handled.addAll(List.of("GET /health/liveness", "GET /health/readiness"));
    return handled;
  }

  private static String path(String pattern) {
    return pattern.replace("/**", "/x").replaceAll("\\{[^}]*}", "x");
  }
}
