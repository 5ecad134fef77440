package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.sql.engine.EngineException.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Statements that are invalid or not allowed, and their parameters.
class RejectedStatementsTest extends EngineFixture {

  @Test
  void columnOfAnUnsupportedTypeIsAnErrorOnlyIfUsed() {
    try (TestTable table = people()) {
      Map<String, Table> tables = Map.of("t", table);
      assertThat(rows("SELECT * EXCLUDE (wide) FROM t WHERE id = 3", tables))
          .containsExactly(List.of(3L, "name 3"));
      assertThat(rows("SELECT count(*) FROM t", tables)).containsExactly(List.of(20L));
      for (String sql : List.of("SELECT * FROM t", "SELECT max(wide) FROM t")) {
        EngineException failure = failure(sql, tables);
        assertThat(failure.kind()).isEqualTo(Kind.UNSUPPORTED_TYPE);
        assertThat(failure).hasMessageContainingAll("column wide", "decimal256(50, 2)", "EXCLUDE");
      }
    }
  }

  @Test
  void resultOfAnUnsupportedTypeNamesTheColumnAndACast() {
    assertThatThrownBy(() -> session.prepare("SELECT 1 AS a, '101'::BIT AS b", Map.of(), none()))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNSUPPORTED_TYPE))
        .hasMessageContainingAll("BIT", "column b", "CAST it AS VARCHAR");
  }

  @Test
  void tableFunctionCannotBeCalled() {
    try (TestTable table = ids(10)) {
      for (String argument : List.of("'t'", "'0:0'", "':0'", "''", "NULL")) {
        EngineException failure =
            failure("SELECT * FROM quiver_scan(" + argument + ")", Map.of("t", table));
        assertThat(failure.kind()).as(argument).isEqualTo(Kind.NOT_ALLOWED);
        assertThat(failure.position()).isEqualTo(14);
      }
    }
  }

  @Test
  void tablesOfAnotherStatementAreOutOfReach() {
    try (TestTable mine = ids(10);
        TestTable other = ids(20);
        Session others = engine.connect();
        Statement running = others.prepare("SELECT id FROM u", Map.of("u", other), none())) {
      assertThat(failure("SELECT * FROM u", Map.of("t", mine)).kind()).isEqualTo(Kind.NAME);
      assertThat(TestEngine.rows(running)).hasSize(20);
    }
  }

  /// Each setting alone keeps most statements out, so that no statement shows that one is missing.
  @Test
  void settingsAreHardenedAndLocked() {
    Map<String, Object> expected =
        Map.ofEntries(
            Map.entry("enable_external_access", false),
            Map.entry("autoinstall_known_extensions", false),
            Map.entry("autoload_known_extensions", false),
            Map.entry("allow_community_extensions", false),
            Map.entry("allow_unsigned_extensions", false),
            Map.entry("allow_persistent_secrets", false),
            Map.entry("enable_external_file_cache", false),
            Map.entry("lock_configuration", true),
            Map.entry("temp_directory", ""),
            Map.entry("TimeZone", "UTC"),
            Map.entry("threads", 2L),
            Map.entry("max_expression_depth", 250L),
            Map.entry("memory_limit", "256.0 MiB"));
    expected.forEach((name, value) ->
        assertThat(rows("SELECT current_setting('" + name + "')").getFirst().getFirst())
            .as(name)
            .isEqualTo(value));
    assertThat(failure("SELECT * FROM read_text('x')", Map.of()))
        .hasMessageContaining("LocalFileSystem has been disabled");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE x (a INT)",
        "CREATE TEMP TABLE x AS SELECT 1",
        "INSERT INTO x VALUES (1)",
        "ATTACH ':memory:' AS m",
        "SET VARIABLE x = 1",
        "SET threads = 1",
        "PRAGMA threads = 1",
        "BEGIN",
        "PREPARE p AS SELECT 1",
        "CALL range(5)",
        "COPY (SELECT 1) TO '/tmp/quiver-copied.csv'",
        "WITH x AS (COPY (SELECT 1) TO '/tmp/quiver-copied.csv') FROM x",
        "EXPLAIN CREATE TABLE x (a INT)",
        "EXPLAIN ANALYZE SELECT 1",
        "explain analyze select 1",
        "EXPLAIN/**/ANALYZE SELECT 1",
        "SELECT 1; SELECT 2",
        "PIVOT range(10) ON range",
        "LOAD httpfs",
        ""
      })
  void rejectsEverythingButOneSelect(String sql) {
    assertThat(failure(sql, Map.of()).kind())
        .isIn(Kind.NOT_ALLOWED, Kind.SYNTAX, Kind.NAME, Kind.OTHER);
    assertThat(rows("SELECT count(*) FROM duckdb_tables() WHERE NOT internal"))
        .containsExactly(List.of(0L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd.csv'",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('https://localhost:1/x.parquet')",
        "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
        "SELECT getenv('HOME')"
      })
  void readsNoFiles(String sql) {
    EngineException failure = failure(sql, Map.of());
    assertThat(failure.kind()).isIn(Kind.NOT_ALLOWED, Kind.NAME);
    assertThat(failure.getMessage()).doesNotContain("/etc");
  }

  @Test
  void errorsHaveAKindAPositionInBytesAndALength() {
    assertError("SELEC 1", Kind.SYNTAX, "SELEC", "syntax error at or near \"SELEC\"");
    assertError("EXPLAIN SELEC 1", Kind.SYNTAX, "SELEC", "syntax error at or near \"SELEC\"");
    assertError("SELECT 'ä', nope FROM range(1)", Kind.NAME, "nope", "Referenced column \"nope\"");
    assertError("SELECT * FROM nope", Kind.NAME, "nope", "Table with name nope does not exist!");
    assertError("SELECT nope(1)", Kind.NAME, "nope(1)", "Scalar Function with name nope");
    assertError("SELECT abs('x'::BLOB)", Kind.BINDING, "abs('x'::BLOB)", "No function matches");
    assertError("SELECT CAST('x' || 1 AS INT)", Kind.CONVERSION, "CAST('x' || 1 AS INT)", "'x1'");
    assertThat(failure("SELECT * FROM nope", Map.of()))
        .hasMessageNotContainingAny("pg_", "duckdb", "Did you mean", "LINE");
  }

  private void assertError(String sql, Kind kind, String place, String message) {
    EngineException failure = failure(sql, Map.of());
    assertThat(failure.kind()).as(sql).isEqualTo(kind);
    assertThat(failure).hasMessageContaining(message);
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    int end = failure.position() + failure.length();
    assertThat(
            new String(Arrays.copyOfRange(bytes, failure.position(), end), StandardCharsets.UTF_8))
        .isEqualTo(place);
  }

  @Test
  void charactersThatEndATextOfCAreRejected() {
    assertThat(failure("SELECT 1\0; DROP TABLE t", Map.of()).kind()).isEqualTo(Kind.SYNTAX);
  }

  @Test
  void parametersHaveTheTypesOfTheirValues() {
    String types = "SELECT typeof($1), typeof($2), typeof($3), typeof($4), typeof($5), $6";
    assertThat(
            rows(types, StatementParameters.of(1, 1.5, new BigDecimal("12.345"), "ä", true, null)))
        .containsExactly(
            Arrays.asList("BIGINT", "DOUBLE", "DECIMAL(5,3)", "VARCHAR", "BOOLEAN", null));
    BigInteger large = new BigInteger("-12345678901234567890123456789012345678");
    assertThat(
            rows("SELECT ?, ? + 1, ?", StatementParameters.of(large, 41L, new BigDecimal("1e3"))))
        .containsExactly(List.of(large, 42L, BigInteger.valueOf(1000)));
    assertThat(rows("SELECT $b, $a, $b", StatementParameters.named(Map.of("a", "x", "b", 2))))
        .containsExactly(List.of(2L, "x", 2L));
  }

  @Test
  void listsHaveOneTypeForAllItems() {
    for (Map.Entry<List<? extends @Nullable Object>, String> list :
        Map.of(
                List.of(1, 2L), "BIGINT[]",
                List.of(1L, new BigDecimal("0.001")), "DECIMAL(4,3)[]",
                List.of(new BigInteger("9".repeat(38)), new BigDecimal("0.1")), "DOUBLE[]",
                List.of(1L, 0.5), "DOUBLE[]",
                Arrays.asList(null, "a"), "VARCHAR[]",
                List.of(true), "BOOLEAN[]",
                List.of(), "\"NULL\"[]")
            .entrySet()) {
      assertThat(rows("SELECT typeof($1)", StatementParameters.of(list.getKey())))
          .as(list.toString())
          .containsExactly(List.of(list.getValue()));
    }
    assertThat(
            rows(
                "SELECT 2 = ANY($1), list_contains($1, 3), 3 IN $1",
                StatementParameters.of(Arrays.asList(1L, 2L, null))))
        .containsExactly(List.of(true, false, false));
  }

  @Test
  void parametersAndTheirValuesBelongTogether() {
    assertThat(failure("SELECT $1, $2", StatementParameters.of(1)).kind()).isEqualTo(Kind.BINDING);
    assertThat(failure("SELECT $1", StatementParameters.of(1, 2)).kind()).isEqualTo(Kind.BINDING);
    assertThat(failure("SELECT $a", StatementParameters.of(1))).hasMessageContaining("$a");
    assertThat(failure("SELECT 1", StatementParameters.named(Map.of("a", 1))))
        .hasMessageContaining("$a");
    assertThat(failure("SELECT $1", StatementParameters.of(new BigInteger("9".repeat(39)))).kind())
        .isEqualTo(Kind.CONVERSION);
    assertThat(rows("SELECT $1", StatementParameters.of(new BigInteger("9".repeat(38)))))
        .hasSize(1);
  }

  /// The binder prefers columns, wherever they come from.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "current_catalog",
        "current_role",
        "current_schema",
        "current_user",
        "session_user",
        "user"
      })
  void nameWithoutParenthesesIsAColumnOrAnError(String name) {
    assertThat(rows("SELECT " + name + " FROM (SELECT 7 AS \"" + name + "\")"))
        .containsExactly(List.of(7L));
    for (String sql :
        List.of(
            "SELECT " + name,
            "SELECT \"" + name + "\"",
            "SELECT 1 FROM range(3) GROUP BY " + name)) {
      assertThat(failure(sql, Map.of()).kind()).isEqualTo(Kind.NOT_ALLOWED);
      assertThat(failure(sql, Map.of())).hasMessageContaining(name);
    }
    assertThat(rows("SELECT current_date IS NULL")).containsExactly(List.of(false));
  }
}
