package dev.quiver.server.sql;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.server.RunningService;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// The processes that run the statements of several principals.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/sql-principals",
      "quiver.sql.workers=2",
      "quiver.sql.memory=128MB",
    })
@Timeout(180)
class SqlPrincipalsTest extends RunningService {

  private final Set<ProcessHandle> others = children();

  /// The members of a list come from one source.
  @DynamicPropertySource
  static void configureTokens(DynamicPropertyRegistry registry) {
    List<String> names = List.of("alice", "bob", "carol", "dave");
    for (String name : names) {
      String key = "quiver.auth.tokens[%d].".formatted(names.indexOf(name));
      registry.add(key + "name", () -> name);
      registry.add(key + "sha256", () -> Sha256.hex(name));
      registry.add(key + "permissions", () -> "read:*");
    }
  }

  private static Set<ProcessHandle> children() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .collect(Collectors.toSet());
  }

  /// Waits for as many workers, and returns them in the order of their starts.
  private List<ProcessHandle> workers(int count) {
    List<ProcessHandle> workers = new ArrayList<>();
    eventually(() -> {
      workers.clear();
      workers.addAll(children());
      workers.removeAll(others);
      assertThat(workers).hasSize(count);
    });
    workers.sort(Comparator.comparing(worker -> worker.info().startInstant().orElseThrow()));
    return workers;
  }

  private static void signal(String name, ProcessHandle process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private void assertAnswered(String principal) throws Exception {
    byte[] sql = "SELECT count(*) AS rows FROM sample".getBytes(StandardCharsets.UTF_8);
    HttpResponse<byte[]> response =
        post(
            "/sql.csv",
            sql,
            "Content-Type",
            "application/sql",
            "Authorization",
            "Bearer " + principal);
    assertThat(text(response)).startsWith("rows\r\n");
    assertThat(response.statusCode()).isEqualTo(200);
  }

  /// A process that is stopped answers nothing.
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void firstStatementOfAPrincipalIsAnsweredByAnotherProcess() throws Exception {
    assertAnswered("alice");
    // Hers, and the spare one.
    List<ProcessHandle> two = workers(2);
    ProcessHandle alices = two.getFirst();
    signal("STOP", alices);
    assertAnswered("bob");
    List<ProcessHandle> three = workers(3);
    assertThat(three.subList(0, 2)).isEqualTo(two);
    ProcessHandle bobs = two.getLast();
    signal("STOP", bobs);
    assertAnswered("carol");
    List<ProcessHandle> four = workers(4);
    assertAnswered("dave");
    // Two may be idle beside that of dave, and the spare one, so that of alice has ended.
    eventually(() -> assertThat(alices.isAlive()).isFalse());
    assertThat(workers(4)).contains(bobs, three.getLast(), four.getLast());
    signal("CONT", bobs);
    assertAnswered("bob");
  }
}
