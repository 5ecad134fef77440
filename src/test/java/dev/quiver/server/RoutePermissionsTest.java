package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.access.Requirement;
import dev.quiver.server.access.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.PathContainer;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// Each operation that is not about one dataset, asked for by every kind of principal. `AccessTest`
/// has the others.
@TestPropertySource(properties = "quiver.storage.path=${test.folder}/route-permissions")
@Import(HandledOperations.class)
class RoutePermissionsTest extends RunningService {

  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

  private static final String ANONYMOUS = "";
  private static final String NOTHING = "nothing";
  private static final String READER = "reader";
  private static final String WRITER = "writer";
  private static final String WATCHER = "watcher";
  private static final String ROOT = "root";

  private static final Map<String, String> PERMISSIONS =
      Map.of(
          NOTHING, "",
          READER, "read:team.*",
          WRITER, "write:team.*",
          WATCHER, "read:*",
          ROOT, "admin");

  private static final Set<String> ALL = Set.of(ANONYMOUS, NOTHING, READER, WRITER, WATCHER, ROOT);
  private static final Set<String> READERS = Set.of(READER, WRITER, WATCHER, ROOT);

  /// For these, a job or an upload that does not exist is a 404.
  private static final Set<String> KNOWN = Set.of(NOTHING, READER, WRITER, WATCHER, ROOT);

  private static final Map<Requirement, Set<String>> GRANTED =
      Map.of(
          Requirement.NOTHING,
          ALL,
          Requirement.READ_SOME,
          READERS,
          Requirement.STATEMENT,
          READERS,
          Requirement.READ_ALL,
          Set.of(WATCHER, ROOT),
          Requirement.WRITE_SOME,
          Set.of(WRITER, ROOT),
          Requirement.JOB,
          KNOWN,
          Requirement.UPLOAD,
          KNOWN);

  @Autowired private HandledOperations operations;

  /// The members of a list come from one source.
  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    NamedTokens.configure(registry, PERMISSIONS);
  }

  private int status(String operation, String principal) throws IOException {
    String credentials =
        principal.isEmpty() ? "" : "Authorization: Bearer " + NamedTokens.of(principal) + "\n";
    String response =
        RawHttp.exchange(
            port,
            operation
                + " HTTP/1.1\nHost: localhost\n"
                + credentials
                + "Content-Length: 0\nConnection: close\n\n");
    return Integer.parseInt(response.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
  }

  @Test
  void operationsAreGrantedAsTheTableSays() throws IOException {
    Set<String> paths = new TreeSet<>(List.of("/nowhere", "/x/y"));
    operations.all().forEach(operation -> paths.add(operation.substring(operation.indexOf('/'))));
    List<String> all = new ArrayList<>();
    for (String path : paths) {
      METHODS.forEach(method -> all.add(method + " " + path));
    }
    int denied = 0;
    int granted = 0;
    for (String operation : all) {
      String[] words = operation.split(" ");
      Requirement requirement =
          Route.find(words[0], PathContainer.parsePath(words[1]), Set.of()).route().requirement();
      Set<String> principals = GRANTED.get(requirement);
      if (principals == null) {
        assertThat(words[1]).startsWith("/datasets/x");
        continue;
      }
      for (String principal : ALL) {
        if (operation.equals("POST /datasets") && principal.equals(WRITER)) {
          // The principal may not write the name, which is generated.
          continue;
        }
        int status = status(operation, principal);
        if (principals.contains(principal)) {
          assertThat(status).as(operation + " by " + principal).isNotIn(401, 403).isLessThan(500);
          granted++;
        } else {
          assertThat(status)
              .as(operation + " by " + principal)
              .isEqualTo(principal.isEmpty() ? 401 : 403);
          denied++;
        }
      }
    }
    assertThat(granted).isGreaterThan(100);
    assertThat(denied).isGreaterThan(50);
  }
}
