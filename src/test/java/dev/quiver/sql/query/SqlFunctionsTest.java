package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.sql.execution.TestWorkers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The functions that a real engine has. Another version may bring some that statements must not
/// use: `-Dfunctions.write` writes its list, to be compared by a human.
class SqlFunctionsTest {

  private static final Path FUNCTIONS = Path.of("src/test/resources/sql/functions.txt");

  private static TestWorkers workers;

  @BeforeAll
  static void start() {
    workers = new TestWorkers();
  }

  @AfterAll
  static void end() {
    workers.close();
  }

  private static List<String> names(String sql) throws IOException {
    return workers.rows(sql).stream().map(row -> String.valueOf(row.getFirst())).toList();
  }

  @Test
  void functionsOfTheEngineAreThoseThatWereJudged() throws IOException {
    List<String> found =
        names(
            "SELECT DISTINCT function_type || ' ' || function_name AS f FROM duckdb_functions()"
                + " ORDER BY f");
    if (System.getProperty("functions.write") != null) {
      Files.write(FUNCTIONS, found);
    }
    assertThat(found).hasSizeGreaterThan(500).isEqualTo(Files.readAllLines(FUNCTIONS));
  }

  /// The function `error` always fails, and `setseed` has no other effect than on `random`.
  @Test
  void rejectsOrMarksFunctionsWithChangingResults() throws IOException {
    List<String> changing =
        names(
            "SELECT DISTINCT function_name FROM duckdb_functions()"
                + " WHERE stability <> 'CONSISTENT' AND function_name <> 'error'");
    assertThat(changing)
        .hasSizeGreaterThan(20)
        .allMatch(name -> SqlFunctions.isRefused(name) || SqlFunctions.VOLATILE.contains(name));
  }

  @Test
  void rejectsOrMarksMacrosOverTheCatalogAndTheClock() throws IOException {
    List<String> macros =
        names(
            "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'macro'"
                + " AND regexp_matches(macro_definition, 'duckdb_|pragma_|current_|sleep')");
    assertThat(macros)
        .contains("ago", "pg_sleep")
        .allMatch(name -> SqlFunctions.isRefused(name) || SqlFunctions.VOLATILE.contains(name));
  }

  @Test
  void everyTableOfTheEngineIsReserved() throws IOException {
    List<String> tables =
        names(
            "SELECT view_name FROM duckdb_views() WHERE internal"
                + " AND schema_name <> 'information_schema'");
    assertThat(tables).contains("pg_class").allMatch(SqlFunctions::isReservedTable);
    // They need the name of their schema.
    assertThat(names("SELECT view_name FROM duckdb_views() WHERE schema_name LIKE 'inf%'"))
        .contains("tables")
        .noneMatch(SqlFunctions::isReservedTable);
  }

  /// Such functions bypass the binder, which gives the operators and casts of SQL their types.
  @Test
  void internalFunctionsOfTheEngineAreRefused() throws IOException {
    List<String> internal =
        names(
            "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name[:2] = '__'"
                + " OR regexp_full_match(function_name, '=|[!<>]=?|IS .*')"
                + " OR function_name LIKE '%aggregate_state' OR function_name LIKE 'combine%'");
    assertThat(internal)
        .hasSizeGreaterThan(40)
        .contains("<", "IS DISTINCT FROM", "__between", "__internal_decompress_string", "combine")
        .allMatch(name -> SqlFunctions.isRefused(name.toLowerCase(Locale.ROOT)));
  }

  @Test
  void functionsOfValuesAreAllowed() {
    assertThat(List.of("sum", "lower", "regexp_matches", "pg_typeof", "version_extract", "user_x"))
        .noneMatch(SqlFunctions::isRefused);
  }
}
