package dev.quiver.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.execution.TestWorkers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Statements as a real worker parses them. The form of the trees belongs to the version of the
/// engine: `-Dtrees.write` writes those of another one, to be compared by a human.
class SyntaxTreeTest {

  private static final Path STATEMENTS = Path.of("src/test/resources/sql/statements.sql");
  private static final Path TREES = Path.of("src/test/resources/sql/trees.jsonl");

  private static TestWorkers workers;

  @BeforeAll
  static void start() {
    workers = new TestWorkers();
  }

  @AfterAll
  static void end() {
    workers.close();
  }

  private static SyntaxTree tree(String sql) throws IOException {
    return SyntaxTree.of(sql, workers.parse(sql));
  }

  private static Invalid rejection(String sql) {
    return catchThrowableOfType(Invalid.class, () -> tree(sql));
  }

  @Test
  void treesMatchTheVersionOfTheEngine() throws IOException {
    List<String> found = new ArrayList<>(List.of("\"" + workers.engineVersion() + "\""));
    for (String sql : Files.readAllLines(STATEMENTS)) {
      found.add(workers.parse(sql));
    }
    if (System.getProperty("trees.write") != null) {
      Files.write(TREES, found);
    }
    List<JsonNode> expected = trees(Files.readAllLines(TREES));
    assertThat(trees(found)).hasSizeGreaterThan(30).containsExactlyElementsOf(expected);
  }

  private static List<JsonNode> trees(List<String> lines) {
    return lines.stream().map(JsonMapper.shared()::readTree).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM flights | flights",
        "SELECT * FROM flights f JOIN \"flights@3\" g ON f.id = g.id | flights, flights@3",
        "SELECT * FROM \"a.b-c\" | a.b-c",
        "SELECT * FROM flights, Flights | flights, Flights",
        "SELECT (SELECT max(x) FROM a), EXISTS (FROM b) FROM c WHERE x IN (SELECT y FROM d) | a, b, c, d",
        "WITH a AS (SELECT * FROM b) SELECT * FROM a, A | b",
        "WITH a AS (SELECT * FROM a) SELECT * FROM a | a",
        "WITH a AS (FROM x), b AS (FROM a) FROM b UNION ALL FROM a | x",
        "SELECT * FROM (WITH a AS (FROM x) FROM a), a | x, a",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t, x) FROM t | x",
        "DESCRIBE flights | flights",
        "SHOW flights | flights",
        "FROM main.flights, memory.MAIN.trains | flights, trains",
        "FROM information_schema.tables, (SHOW TABLES) | ''",
        "SELECT * FROM (SUMMARIZE flights) | flights",
        "SELECT * FROM (PIVOT flights ON id IN (1, 2) USING count(*)) | flights",
        "SELECT * FROM range(3), generate_series(1, 2), unnest([1]) | ''",
        "VALUES (1) | ''",
      })
  void datasetsAreThoseThatNoPartOfTheStatementDefines(String sql, String names)
      throws IOException {
    assertThat(String.join(", ", tree(sql).datasets().keySet())).isEqualTo(names);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT count(*) FROM t",
        "SELECT count(*) + 1 AS n, 'x' FROM t, u CROSS JOIN v LIMIT 5",
        "SELECT 1 FROM t AS a ORDER BY 1",
        "SELECT (SELECT count(*) FROM t) FROM range(3)",
        "WITH c AS (SELECT 1 FROM t) SELECT count() FROM c HAVING count(*) > 2 UNION ALL SELECT 5",
      })
  void statementThatCountsUsesNoColumn(String sql) throws IOException {
    assertThat(tree(sql).usesColumns()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FROM t",
        "TABLE t",
        "SELECT * FROM t",
        "SELECT count(a) FROM t",
        "SELECT count(*) FROM t WHERE a > 1",
        "SELECT count(*) FROM t JOIN u USING (a)",
        "SELECT count(*) FROM t NATURAL JOIN u",
        "SELECT count(*) FROM t AS x(a)",
        "SELECT t FROM t",
        "SELECT count(COLUMNS(*)) FROM t",
        "SELECT count(*) FROM t ORDER BY #1",
        "SELECT count(*) FROM (PIVOT t ON a IN (1) USING count(*))",
        "SELECT count(*) FROM (DESCRIBE t)",
        "SUMMARIZE t",
        "SELECT count(*) FROM t GROUP BY a",
        "SELECT sum(1) OVER (ORDER BY a) FROM t",
      })
  void otherStatementMayUseColumns(String sql) throws IOException {
    assertThat(tree(sql).usesColumns()).isTrue();
  }

  @Test
  void nameHasItsFirstPlaceInCharacters() throws IOException {
    assertThat(tree("SELECT 'ä' FROM \"a b\", \"a b\"").datasets())
        .containsExactlyEntriesOf(java.util.Map.of("a b", new SyntaxTree.Use(16, 5)));
  }

  @Test
  void findsTheParametersOfAStatement() throws IOException {
    assertThat(tree("SELECT ?, ?").parameters()).containsExactlyInAnyOrder("1", "2");
    assertThat(tree("SELECT $name, $name").parameters()).containsExactly("name");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1; SELECT 2 | one statement but found 2",
        "INSERT INTO t VALUES (1) | one SELECT but found another statement",
        "EXPLAIN SELECT 1 | one SELECT but found another statement",
        "WITH x AS (INSERT INTO t VALUES (1) RETURNING a) FROM x | a query that only reads but found INSERT",
        "SELECT * FROM read_text('x') | a dataset or one of generate_series",
        "SELECT * FROM system.main.duckdb_settings() | a dataset or one of generate_series",
        "SELECT main.current_setting('x') | a function of values but found current_setting",
        "SELECT getVariable('x') | a function of values but found getvariable",
        "SELECT list_transform([1], lambda x: pg_sleep(x)) | a function of values but found pg_sleep",
        "SELECT 1 OPERATOR(=) 2 | a function of values but found =, which is internal to the engine",
        "SELECT \"<\"(1, 2) OVER () | a function of values but found <, which is internal",
        "SELECT \"+\"(1, 2) | a function of values but found +, which statements write as an operator",
        "SELECT list_aggregate([1], 'combine_aggr') | a function of values but found combine_aggr, which is internal",
        "SELECT collate_de('a') | a function of values but found collate_de, which statements write as COLLATE",
        "SELECT * FROM duckdb_tables | a dataset but found duckdb_tables, which is a table of the engine",
        "SELECT * FROM SQLITE_master | a dataset but found SQLITE_master, which is a table of the engine",
        "SHOW DATABASES | SHOW TABLES, DESCRIBE or SUMMARIZE but found SHOW databases",
        "WITH t AS (SHOW TABLES) FROM t | SHOW TABLES, DESCRIBE or SUMMARIZE but found it within WITH",
        "SELECT * FROM flights AT (VERSION => 3) | a version in the name, such as \"flights@3\", but found AT",
      })
  void otherStatementsAreNotAllowed(String sql, String sentence) {
    Invalid rejection = rejection(sql);
    assertThat(rejection.reason()).isEqualTo(Reason.SQL_NOT_ALLOWED);
    assertThat(rejection).hasMessageStartingWith("Expected " + sentence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 + 2 - 3 * 4 / 5 // 6 % 7",
        "'a' || 'b' LIKE 'c' OR 'a' NOT ILIKE 'b' OR 'a' GLOB 'b' OR 'a' SIMILAR TO 'b'",
        "'a' LIKE 'b' ESCAPE 'c' OR 'a' !~ 'b' OR 'a' ^@ 'b'",
        "1 & 2 | 3 << 4 >> 5, ~1, 2 ** 3, 2 ^ 3, @1, 5!",
        "[1] @> [2], [1] <@ [2], [1] && [2], 1 IN [2]",
        "'{}' -> 'a', '{}'::JSON ->> 'a', [1.0::FLOAT] <-> [2.0]",
        "1 = 2, 1 <> 2, 1 BETWEEN 2 AND 3, 1 IS DISTINCT FROM 2, 1 < ANY (SELECT 2)",
        "unnest([1]), 'A'.lower(), main.lower('A'), now(), lag(1) OVER (), count(*) FILTER (true)",
      })
  void operatorsAndFunctionsOfValuesAreAllowed(String values) throws IOException {
    assertThat(tree("SELECT " + values).datasets()).isEmpty();
  }

  @Test
  void nearestFunctionIsSuggestedForAnUnknownOne() {
    Invalid rejection = rejection("SELECT 'ä', lowr('A')");
    assertThat(rejection.reason()).isEqualTo(Reason.INVALID_SQL);
    assertThat(rejection)
        .hasMessage("Expected a function of values but found lowr; the nearest is lower");
    assertThat(rejection.position()).isEqualTo(12);
    assertThat(rejection.length()).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT * FROM a.b", "FROM pg_catalog.pg_class", "FROM temp.main.t"})
  void rejectsQualifiedNames(String sql) {
    assertThat(rejection(sql).reason()).isEqualTo(Reason.UNKNOWN_DATASET);
    assertThat(rejection(sql).hint()).startsWith("Put a name with a dot in double quotes");
  }

  @Test
  void kindsOfNodesThatAreNotKnownAreNotAllowed() {
    for (String node :
        List.of(
            "{'type':'MERGE_NODE'}",
            "{'type':'NEW_REF'}",
            "{'class':'NEW_EXPRESSION','type':'X'}")) {
      String json =
          "{'error':false,'statements':[{'node':{'type':'SELECT_NODE','from_table':%s}}]}"
              .formatted(node)
              .replace('\'', '"');
      assertThatThrownBy(() -> SyntaxTree.of("SELECT 1", json))
          .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.type(Invalid.class))
          .extracting(Invalid::reason)
          .isEqualTo(Reason.SQL_NOT_ALLOWED);
    }
  }

  @Test
  void syntaxErrorHasItsPlace() {
    Invalid rejection = rejection("SELECT 'ä',\n 1 frm numbers x");
    assertThat(rejection.reason()).isEqualTo(Reason.INVALID_SQL);
    assertThat(rejection.position()).isEqualTo(19);
    assertThat(rejection.line()).isEqualTo(2);
    assertThat(rejection.excerpt()).isEqualTo(" 1 frm numbers x");
  }

  /// The parser and the inspection are recursive.
  @ParameterizedTest
  @CsvSource({"(, 1, )", "[, 1, ]", "'NOT ', true, ''", "'SELECT * FROM (', SELECT 1, )"})
  void deepStatementsAreRejectedOrInspected(String open, String inner, String close)
      throws IOException {
    int depth = (60 << 10) / (open.length() + close.length());
    String start = open.startsWith("SELECT") ? "" : "SELECT ";
    String sql = start + open.repeat(depth) + inner + close.repeat(depth);
    assertThat(rejection(sql).reason()).isEqualTo(Reason.INVALID_SQL);
    assertThat(workers.rows("SELECT 1::BIGINT")).containsExactly(List.of(1L));
  }

  @Test
  void longStatementsAreInspected() throws IOException {
    String sql = "SELECT " + "1,".repeat(32_000) + "1 FROM flights";
    assertThat(tree(sql).datasets()).containsOnlyKeys("flights");
  }
}
