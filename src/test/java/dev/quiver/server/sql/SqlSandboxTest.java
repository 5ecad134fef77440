package dev.quiver.server.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import dev.quiver.sql.execution.WorkerPools;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// Statements that reach for something other than the datasets.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestPropertySource(
    properties = {"quiver.sql.workers=1", "quiver.sql.spare=false", "quiver.sql.memory=128MB"})
class SqlSandboxTest extends RunningService {

  private static final Path STATEMENTS = Path.of("src/test/resources/sql");

  @Autowired private WorkerPools pools;

  private byte[] stored = new byte[0];

  @BeforeAll
  void upload() throws Exception {
    put("/datasets/numbers", Streams.numbers(0, 3));
    stored = get("/datasets/numbers.arrow").body();
    Files.writeString(Path.of("target/refused.csv"), "secret\n");
  }

  static Stream<String> refused() throws IOException {
    return Files.readAllLines(STATEMENTS.resolve("refused.sql")).stream();
  }

  static Stream<String> harmless() throws IOException {
    return Files.readAllLines(STATEMENTS.resolve("harmless.sql")).stream();
  }

  private HttpResponse<byte[]> run(String sql) throws Exception {
    return post("/sql.csv", sql.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void rejectedStatementIsABadRequestThatRevealsNothing(String sql) throws Exception {
    HttpResponse<byte[]> response = run(sql);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(400);
    String type = json(response).get("type").asString().substring("urn:quiver:problem:".length());
    assertThat(List.of("sql-not-allowed", "unknown-dataset", "invalid-sql")).contains(type);
    // It says nothing that is not in the statement itself.
    assertThat(json(response).get("detail").asString())
        .doesNotContain("quiver-worker-", "secret\n", FOLDER.toString(), "DuckDB", "SET ");
  }

  @ParameterizedTest
  @MethodSource("harmless")
  void harmlessStatementRuns(String sql) throws Exception {
    HttpResponse<byte[]> response = run(sql);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
  }

  /// A dataset may have the name of a table of the engine, which would win.
  @Test
  void datasetNamedAsATableOfTheEngineIsNotReadAsOne() throws Exception {
    put("/datasets/duckdb_tables", Streams.numbers(0, 1));
    put("/datasets/pg_class", Streams.numbers(0, 1));
    for (String name : List.of("duckdb_tables", "pg_class", "PG_CLASS")) {
      assertThat(run("SELECT * FROM " + name).statusCode()).isEqualTo(400);
    }
    assertThat(text(run("SELECT * FROM \"pg_class@1\"")))
        .isEqualToNormalizingNewlines("number\n0\n");
  }

  @Test
  void nothingHasChanged() throws Exception {
    for (String sql : refused().toList()) {
      run(sql);
    }
    assertThat(get("/datasets/numbers.arrow").body()).isEqualTo(stored);
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("refused")))
          .containsExactly(Path.of("target/refused.csv"));
    }
    assertThat(pools.startedCount()).isEqualTo(1);
  }
}
