package dev.quiver.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.sql.execution.TestWorkers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The functions that a real engine has. Another version may bring some that statements must not
/// use. `-Dfunctions.write` writes its list, with the use `unknown` of new ones, for a human to
/// judge.
class SqlFunctionsTest {

  private static final Path FUNCTIONS =
      Path.of("src/main/resources/dev/quiver/sql/syntax/functions.txt");

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

  private static String withoutUse(String line) {
    return line.substring(0, line.lastIndexOf(": "));
  }

  private static boolean isRejectedOrChanging(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return SqlFunctions.isChanging(lower) || !SqlFunctions.isAllowed(lower, /* asOperator= */ true);
  }

  /// The binder adds functions of its own, which the engine does not list. Four of them are names
  /// without parentheses.
  @Test
  void everyFunctionOfTheEngineIsJudged() throws IOException {
    List<String> found =
        names(
            "SELECT DISTINCT function_type || ' ' || function_name AS f FROM duckdb_functions()"
                + " UNION ALL SELECT 'binder ' || unnest(['current_time', 'current_timestamp',"
                + " 'localtime', 'localtimestamp', 'unlist', 'unnest']) ORDER BY f");
    List<String> judged = Files.readAllLines(FUNCTIONS);
    if (System.getProperty("functions.write") != null) {
      Map<String, String> lines = new HashMap<>();
      judged.forEach(line -> lines.put(withoutUse(line), line));
      Files.write(
          FUNCTIONS,
          found.stream().map(name -> lines.getOrDefault(name, name + ": unknown")).toList());
    }
    assertThat(found)
        .hasSizeGreaterThan(500)
        .containsExactlyInAnyOrderElementsOf(
            judged.stream().map(SqlFunctionsTest::withoutUse).toList());
    assertThat(judged).noneMatch(line -> line.endsWith(": unknown"));
  }

  /// The report of `FunctionFuzzTest`. Another version of the engine needs another one.
  @Test
  void everyAllowedFunctionWasTried() throws IOException {
    List<String> report = Files.readAllLines(Path.of("src/test/resources/sql/function-calls.txt"));
    assertThat(report.getFirst()).startsWith("# " + workers.engineVersion() + ":");
    List<String> tried =
        report.stream().skip(1).map(line -> line.substring(0, line.indexOf(' '))).toList();
    List<String> allowed =
        names(
            "SELECT DISTINCT lower(function_name) FROM duckdb_functions()"
                + " WHERE function_type IN ('scalar', 'aggregate', 'window', 'macro')");
    assertThat(allowed)
        .filteredOn(name -> SqlFunctions.isAllowed(name, /* asOperator= */ true))
        .containsExactlyInAnyOrderElementsOf(tried);
    assertThat(report).noneMatch(line -> line.matches(".* (differ|lost|internal)=.*|! .*"));
  }

  /// Functions of different types share their name, and with it one use.
  @Test
  void namesAreJudgedOnce() throws IOException {
    for (String line : Files.readAllLines(FUNCTIONS)) {
      String type = line.substring(0, line.indexOf(' '));
      if (!Set.of("table", "table_macro", "pragma").contains(type)) {
        String name = withoutUse(line).substring(type.length() + 1).toLowerCase(Locale.ROOT);
        assertThat(line)
            .matches(
                ".*: %s( row)?"
                    .formatted(String.valueOf(SqlFunctions.use(name)).toLowerCase(Locale.ROOT)));
      }
    }
  }

  /// The function `error` always fails.
  @Test
  void rejectsOrMarksFunctionsWithChangingResults() throws IOException {
    List<String> changing =
        names(
            "SELECT DISTINCT function_name FROM duckdb_functions()"
                + " WHERE stability <> 'CONSISTENT' AND function_name <> 'error'");
    assertThat(changing).hasSizeGreaterThan(20).allMatch(SqlFunctionsTest::isRejectedOrChanging);
  }

  /// A macro stands for its body, so the functions in it are those of the statement. Two bodies
  /// have a comparison, and the parser of macros writes it as an operator.
  @Test
  void macrosUseAllowedFunctionsAlone() throws IOException {
    List<List<@Nullable Object>> macros =
        workers.rows(
            "SELECT function_name, json_serialize_sql('SELECT ' || macro_definition)::VARCHAR"
                + " FROM duckdb_functions() WHERE function_type = 'macro'");
    int allowed = 0;
    for (List<@Nullable Object> macro : macros) {
      String name = String.valueOf(macro.get(0));
      if (SqlFunctions.isAllowed(name, /* asOperator= */ false)) {
        SyntaxTree tree = SyntaxTree.of("", String.valueOf(macro.get(1)));
        assertThat(tree.datasets()).as(name).isEmpty();
        assertThat(SqlFunctions.isChanging(name) || tree.isRepeatable()).as(name).isTrue();
        allowed++;
      }
    }
    assertThat(allowed).isGreaterThan(50);
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
  void internalFunctionsOfTheEngineAreRejected() throws IOException {
    List<String> internal =
        names(
            "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name[:2] = '__'"
                + " OR regexp_full_match(function_name, '=|[!<>]=?|IS .*')"
                + " OR function_name LIKE '%aggregate_state' OR function_name LIKE 'combine%'");
    assertThat(internal)
        .hasSizeGreaterThan(40)
        .contains("<", "IS DISTINCT FROM", "__between", "__internal_decompress_string", "combine")
        .noneMatch(name -> SqlFunctions.isAllowed(name.toLowerCase(Locale.ROOT), true));
  }

  @Test
  void operatorsAreNoCalls() {
    assertThat(List.of("+", "||", "~~", "->>", "@>"))
        .allMatch(name -> SqlFunctions.isAllowed(name, /* asOperator= */ true))
        .noneMatch(name -> SqlFunctions.isAllowed(name, /* asOperator= */ false));
  }

  @Test
  void conditionsUseNothingThatStatementsMayNot() {
    assertThat(SqlFunctions.conditionFunctions())
        .hasSizeGreaterThan(60)
        .allMatch(name -> SqlFunctions.isAllowed(name, /* asOperator= */ true))
        .noneMatch(SqlFunctions::isChanging);
  }

  /// The page completes these names.
  @Test
  void functionsOfThePageAreAllowed() throws IOException {
    String words =
        Files.readString(
            Path.of("src/main/resources/dev/quiver/server/pages/page/sql/sql-keywords.js"));
    String functions = words.substring(words.indexOf("FUNCTIONS = words(`") + 19);
    List<String> completed =
        List.of(functions.strip().substring(0, functions.strip().indexOf("`")).split("\\s+"));
    assertThat(completed)
        .hasSizeGreaterThan(300)
        .allMatch(name -> SqlFunctions.isAllowed(name, /* asOperator= */ false));
  }
}
