package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.sql.engine.EngineException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An engine that is given a folder for files: what it reads and writes there, and nowhere else.
class FilesTest {

  @TempDir private static Path root;

  private static Path inside;
  private static Path outside;
  private static Engine engine;
  private Session session;

  /// The name of the folder needs escaping, and another folder's name begins with it.
  @BeforeAll
  static void openEngine() throws IOException {
    inside = Files.createDirectory(root.resolve("it's"));
    outside = Files.createDirectory(root.resolve("it's other"));
    Files.writeString(inside.resolve("a.csv"), "a,b\n1,x\n2,y\n");
    Files.writeString(outside.resolve("secret.csv"), "a,b\n3,secret\n");
    engine =
        Engine.open(
            TestEngine.library(),
            new EngineOptions(
                TestEngine.MEMORY_BYTE_SIZE, 2, Duration.ofMinutes(2), null, 0, inside));
  }

  @AfterAll
  static void closeEngine() {
    engine.close();
  }

  @BeforeEach
  void connect() {
    session = engine.connect();
  }

  @AfterEach
  void disconnect() {
    session.close();
  }

  private static String literal(Path path) {
    return "'" + path.toString().replace("'", "''") + "'";
  }

  private static String literal(String name) {
    return literal(inside.resolve(name));
  }

  private List<List<@Nullable Object>> rows(String sql) {
    return TestEngine.rows(session, sql);
  }

  private EngineException failure(String sql) {
    EngineException failure = catchThrowableOfType(EngineException.class, () -> rows(sql));
    assertThat(failure).as(sql).isNotNull();
    return failure;
  }

  @Test
  void readsAndWritesFilesOfTheFolder() {
    assertThat(rows("SELECT * FROM read_csv(" + literal("a.csv") + ")"))
        .containsExactly(List.of(1L, "x"), List.of(2L, "y"));
    for (String format : List.of("parquet", "csv", "json")) {
      String file = literal("written." + format);
      assertThat(rows("COPY (SELECT 7 AS n, 'ä' AS s) TO %s (FORMAT %s)".formatted(file, format)))
          .containsExactly(List.of(1L));
      assertThat(rows("SELECT n::BIGINT, s FROM read_%s(%s)".formatted(format, file)))
          .containsExactly(List.of(7L, "ä"));
    }
  }

  /// A worker has no network and no folder for extensions.
  @Test
  void formatsArePartOfTheLibrary() {
    assertThat(
            rows(
                "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name IN"
                    + " ('read_csv', 'read_json', 'read_parquet', 'parquet_kv_metadata') ORDER BY 1"))
        .containsExactly(
            List.of("parquet_kv_metadata"),
            List.of("read_csv"),
            List.of("read_json"),
            List.of("read_parquet"));
  }

  @Test
  void reachesNoFilesElsewhere() {
    Path secret = outside.resolve("secret.csv");
    for (String path :
        List.of(
            literal(secret),
            literal(inside.resolve("../it's other/secret.csv")),
            literal(inside + "/*/../../it's other/*"),
            literal(root + "/**"),
            literal(root + "/*/secret.csv"),
            "'file://%s'".formatted(secret.toString().replace("'", "''")),
            "'secret.csv'",
            "'/etc/passwd'",
            "'/**'",
            "'/dev/stdin'",
            "'http://localhost:1/a.csv'",
            "'https://localhost:1/a.csv'",
            "'s3://bucket/a.csv'",
            "[%s, %s]".formatted(literal("a.csv"), literal(secret)))) {
      for (String function : List.of("read_csv", "read_text", "read_parquet", "read_json")) {
        EngineException failure = failure("SELECT * FROM %s(%s)".formatted(function, path));
        assertThat(failure.kind()).as(path).isIn(Kind.NOT_ALLOWED, Kind.OTHER);
        assertThat(failure).as(path).hasMessageNotContaining("secret\n");
      }
    }
    assertThat(failure("SELECT * FROM glob(%s)".formatted(literal(root + "/**"))).kind())
        .isEqualTo(Kind.NOT_ALLOWED);
  }

  @Test
  void writesNoFilesElsewhere() {
    for (Path path : List.of(outside.resolve("new.csv"), inside.resolve("../it's other/new.csv"))) {
      assertThat(failure("COPY (SELECT 1) TO " + literal(path)).kind()).isEqualTo(Kind.NOT_ALLOWED);
      assertThat(
              failure("WITH x AS (COPY (SELECT 1) TO %s) FROM x".formatted(literal(path))).kind())
          .isEqualTo(Kind.NOT_ALLOWED);
    }
    assertThat(outside.resolve("new.csv")).doesNotExist();
  }

  /// The engine resolves links before it compares paths. Should it miss one, Landlock stops it; see
  /// LandlockTest.
  @Test
  void followsNoLinksOutOfTheFolder() throws IOException {
    try {
      Files.createSymbolicLink(inside.resolve("link.csv"), outside.resolve("secret.csv"));
      Files.createSymbolicLink(inside.resolve("linked"), outside);
      Files.createSymbolicLink(inside.resolve("dangling.csv"), outside.resolve("new.csv"));
    } catch (UnsupportedOperationException | IOException e) {
      assumeTrue(false, "symbolic links need a right here");
    }
    for (String name : List.of("link.csv", "linked/secret.csv")) {
      assertThat(failure("SELECT * FROM read_csv(" + literal(name) + ")").kind())
          .isEqualTo(Kind.NOT_ALLOWED);
    }
    for (String name : List.of("link.csv", "linked/new.csv", "dangling.csv")) {
      failure("COPY (SELECT 1) TO " + literal(name));
    }
    assertThat(outside).isDirectoryContaining("glob:**/secret.csv");
    assertThat(outside.resolve("new.csv")).doesNotExist();
    assertThat(Files.readString(outside.resolve("secret.csv"))).contains("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ATTACH '%s/new.db' AS d",
        "INSTALL httpfs",
        "LOAD httpfs",
        "LOAD '%s/a.csv'",
        "EXPORT DATABASE '%s/export'",
        "COPY FROM DATABASE memory TO system",
        "COPY nothing FROM '%s/a.csv'",
        "EXPLAIN COPY (SELECT 1) TO '%s/new.csv'",
        "CREATE TABLE x (a INT)",
        "CREATE TABLE x AS SELECT * FROM read_csv('%s/a.csv')",
        "SET allowed_directories = ['/']",
        "SET enable_external_access = true",
        "SELECT 1; COPY (SELECT 1) TO '%s/new.csv'"
      })
  void rejectsEverythingButSelectAndCopy(String sql) {
    assertThat(failure(sql.replace("%s", inside.toString().replace("'", "''"))).kind())
        .isIn(Kind.NOT_ALLOWED, Kind.NAME, Kind.BINDING);
    assertThat(inside.resolve("new.csv")).doesNotExist();
    assertThat(rows("SELECT count(*) FROM duckdb_tables() WHERE NOT internal"))
        .containsExactly(List.of(0L));
  }

  @Test
  void settingsAreHardenedAndLocked() {
    Map<String, Object> expected =
        Map.of(
            "enable_external_access", false,
            "autoinstall_known_extensions", false,
            "autoload_known_extensions", false,
            "lock_configuration", true,
            "allowed_paths", List.of());
    expected.forEach((name, value) ->
        assertThat(rows("SELECT current_setting('" + name + "')").getFirst().getFirst())
            .as(name)
            .isEqualTo(value));
  }
}
