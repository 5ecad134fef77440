package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.syntax.OtherDialects;
import dev.quiver.sql.syntax.OtherStatements;
import dev.quiver.sql.syntax.SqlFunctions;
import dev.quiver.sql.syntax.SyntaxTree;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// Mistakes in statements: the hint of each, and the statement that does what the hint says.
class StatementHintsTest {

  private static final Field ID = Field.of("id", true, new ArrowType.Int(64, true));
  private static final Field NAME = Field.of("name", true, new ArrowType.Utf8());

  @TempDir private static Path folder;
  private static Datasets datasets;
  private static TestQueries queries;

  @BeforeAll
  static void open() throws IOException {
    datasets = new DatasetTestFolder(folder).datasets;
    List<@Nullable Object> ids = List.of(1L, 2L);
    List<@Nullable Object> names = List.of("1", "2");
    put("cities", Schema.of(ID, NAME, named("Cost Total $"), named("group")), ids, names, ids, ids);
    put("flights-airport", Schema.of(ID, named("petal-length")), ids, ids);
    put("order", Schema.of(ID), ids);
    queries = TestQueries.of(datasets, TestWorkers.options(Duration.ofSeconds(30)));
  }

  private static Field named(String name) {
    return Field.of(name, true, new ArrowType.Int(64, true));
  }

  @AfterAll
  static void close() {
    queries.close();
    datasets.close();
  }

  @SafeVarargs
  private static void put(String name, Schema schema, List<@Nullable Object>... columns)
      throws IOException {
    DatasetTestFolder.put(datasets, name, schema, 2, List.of(columns));
  }

  private static Invalid rejection(String sql, Principal principal) {
    Invalid rejection =
        catchThrowableOfType(
            Invalid.class,
            () -> {
              try (Query query = queries.open(sql, principal)) {
                query.run("", List.of(), null, new ReadProgress());
              }
            });
    assertThat(rejection).as(sql).isNotNull();
    return rejection;
  }

  private static String hint(String sql) {
    return String.valueOf(rejection(sql, TestWorkers.PRINCIPAL).hint());
  }

  static final List<List<String>> MISTAKES =
      List.of(
          List.of("SELEC 1", "Write SELECT in place of SELEC", "SELECT 1"),
          List.of("SELCT * FROM cities", "Write SELECT in place of SELCT", "SELECT * FROM cities"),
          List.of("SELECT * FRM cities", "Write FROM in place of FRM", "SELECT * FROM cities"),
          List.of(
              "SELECT * FROM cities WHER id = 1",
              "Write WHERE in place of WHER",
              "SELECT * FROM cities WHERE id = 1"),
          List.of(
              "SELECT count(*) FROM cities GROPU BY id",
              "Write GROUP in place of GROPU",
              "SELECT count(*) FROM cities GROUP BY id"),
          List.of(
              "SELECT * FROM cities ORDERBY id",
              "Write ORDER BY in place of ORDERBY",
              "SELECT * FROM cities ORDER BY id"),
          List.of(
              "SELECT count(*) FROM cities GROUP id",
              "Write GROUP BY",
              "SELECT count(*) FROM cities GROUP BY id"),
          List.of(
              "SELECT * FROM cities LIMT 5",
              "Write LIMIT in place of LIMT",
              "SELECT * FROM cities LIMIT 5"),
          List.of(
              "SELECT * FROM cities LIMIT 5 WHERE id = 1",
              "Put the clauses in the order FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT",
              "SELECT * FROM cities WHERE id = 1 LIMIT 5"),
          List.of(
              "SELECT * FROM flights-airport",
              "Put the name of the dataset in double quotes: \"flights-airport\"",
              "SELECT * FROM \"flights-airport\""),
          List.of(
              "SELECT * FROM cities JOIN flights-airport@1 f USING (id)",
              "Put the name of the dataset in double quotes: \"flights-airport@1\"",
              "SELECT * FROM cities JOIN \"flights-airport@1\" f USING (id)"),
          List.of(
              "SELECT Cost Total $ FROM cities",
              "Put the name of the column in double quotes: \"Cost Total $\"",
              "SELECT \"Cost Total $\" FROM cities"),
          List.of(
              "SELECT * FROM cities WHERE Cost Total $ > 1",
              "Put the name of the column in double quotes: \"Cost Total $\"",
              "SELECT * FROM cities WHERE \"Cost Total $\" > 1"),
          List.of(
              "SELECT petal-length FROM \"flights-airport\"",
              "Put the name of the column in double quotes: \"petal-length\"",
              "SELECT \"petal-length\" FROM \"flights-airport\""),
          List.of(
              "SELECT group FROM cities",
              "Put the name in double quotes, since it is a keyword: \"group\"",
              "SELECT \"group\" FROM cities"),
          List.of(
              "SELECT * FROM order",
              "Put the name in double quotes, since it is a keyword: \"order\"",
              "SELECT * FROM \"order\""),
          List.of(
              "SELECT TOP 10 * FROM cities",
              "Write LIMIT 10 at the end in place of TOP",
              "SELECT * FROM cities LIMIT 10"),
          List.of(
              "SELECT * FROM cities LIMIT 1, 2",
              "Write LIMIT 2 OFFSET 1",
              "SELECT * FROM cities LIMIT 2 OFFSET 1"),
          List.of(
              "SELECT id, value FROM cities CROSS APPLY string_split(name, ' ') AS t",
              "Write CROSS JOIN unnest(list) AS t(value) in place of APPLY to a list, and JOIN LATERAL in place of APPLY to a query",
              "SELECT id, value FROM cities CROSS JOIN unnest(string_split(name, ' ')) AS t(value)"),
          List.of(
              "SELECT DISTINCT ON id * FROM cities",
              "Write DISTINCT ON (id)",
              "SELECT DISTINCT ON (id) * FROM cities"),
          List.of(
              "SELECT id FROM cities MINUS SELECT 1",
              "Write EXCEPT in place of MINUS",
              "SELECT id FROM cities EXCEPT SELECT 1"),
          List.of(
              "SELECT * FROM cities SAMPLE 10",
              "Write USING SAMPLE 10",
              "SELECT * FROM cities USING SAMPLE 10"),
          List.of(
              "SELECT * FROM cities AS OF 1",
              "Write the version in the name, such as \"cities@1\"",
              "SELECT * FROM \"cities@1\""),
          List.of(
              "SELECT * FROM cities AT (VERSION => 1)",
              "Write the name with the version in double quotes, as \"cities@3\"",
              "SELECT * FROM \"cities@1\""),
          List.of(
              "SELECT * FROM cities WITH (NOLOCK)",
              "Leave it out, since a statement reads one fixed version of each dataset",
              "SELECT * FROM cities"),
          List.of(
              "SELECT * FROM cities WHERE name REGEXP '1'",
              "Write regexp_matches(name, '1').",
              "SELECT * FROM cities WHERE regexp_matches(name, '1')"),
          List.of(
              "SELECT group_concat(name SEPARATOR '; ') FROM cities",
              "Write string_agg(column, ', ') with the separator as second argument",
              "SELECT string_agg(name, '; ') FROM cities"),
          List.of(
              "SELECT * FROM cities WHERE id = :id",
              "Write $name for a parameter, and send its value as p.name",
              ""),
          List.of(
              "SELECT * FROM cities WHERE id = $id",
              "Send its value as p.id in the URL, or in the parameters of a JSON body",
              ""),
          List.of(
              "SELECT 'it's' FROM cities",
              "Close each text with ' and each name with \", and double such a mark within it",
              "SELECT 'it''s' FROM cities"),
          List.of(
              "SELECT * FROM cities WHERE name = “1”",
              "Write text in straight single quotes, such as '1'.",
              "SELECT * FROM cities WHERE name = '1'"),
          List.of("SELECT FROM cities", "Write SELECT * for all columns", "SELECT * FROM cities"),
          List.of(".tables", "Begin with SELECT, FROM or WITH; SHOW TABLES lists the datasets", ""),
          List.of("SELECT 1; SELECT 2", "Send each statement in a request of its own", "SELECT 2"),
          List.of("-- nothing", "Write a statement, such as SHOW TABLES", ""),
          List.of(
              "EXPLAIN ANALYZE SELECT 1",
              "Write EXPLAIN without options, which shows the plan and runs nothing",
              "EXPLAIN SELECT 1"),
          List.of("FROM citys", "Write cities in place of citys", "FROM cities"),
          List.of("FROM CITIES", "Write cities in place of CITIES", "FROM cities"),
          List.of("FROM nope", "SHOW TABLES lists the datasets", ""),
          List.of("FROM 'cities.parquet'", "Write FROM cities", "FROM cities"),
          List.of(
              "FROM 'data/flights-airport.csv'",
              "Write FROM \"flights-airport\"",
              "FROM \"flights-airport\""),
          List.of(
              "FROM 'https://a.test/x.parquet'",
              "Upload the file by a PUT to /datasets/x.parquet, and write its name without the suffix",
              ""),
          List.of(
              "FROM 'x.duckdb'",
              "Export its tables as Parquet, and upload those by a PUT to /datasets/{name}.parquet",
              ""),
          List.of(
              "SELECT * FROM 'data/X.DB'",
              "Export its tables as Parquet, and upload those by a PUT to /datasets/{name}.parquet",
              ""),
          List.of(
              "SELECT * FROM read_csv('x.csv')",
              "Upload the file by a PUT to /datasets/{name}, and select from {name}",
              ""),
          List.of("SELECT 1 FROM dual", "Leave FROM out", "SELECT 1"),
          List.of(
              "SELECT * FROM other.cities",
              "Put a name with a dot in double quotes, as \"other.cities\", and leave out databases and schemas",
              "SELECT * FROM cities"),
          List.of(
              "SELECT nme FROM cities", "Write name in place of nme", "SELECT name FROM cities"),
          List.of(
              "SELECT \"Cost Totl $\" FROM cities",
              "Write \"Cost Total $\" in place of \"Cost Totl $\"",
              "SELECT \"Cost Total $\" FROM cities"),
          List.of(
              "SELECT * FROM cities WHERE name = \"Bern\"",
              "Write text in single quotes, such as 'Bern'; double quotes are for names.",
              "SELECT * FROM cities WHERE name = 'Bern'"),
          List.of(
              "SELECT agency FROM cities",
              "Write 'agency' if it is a text, or one of the columns that DESCRIBE lists",
              "DESCRIBE cities"),
          List.of(
              "SELECT Bern",
              "Add FROM and the name of a dataset, or write 'Bern' if it is a text",
              "SELECT 'Bern'"),
          List.of(
              "SELECT cities.id FROM cities c",
              "Write a name from FROM before the column, such as c",
              "SELECT c.id FROM cities c"),
          List.of(
              "SELECT main.cities.id FROM main.cities",
              "Write cities before the column",
              "SELECT cities.id FROM main.cities"),
          List.of(
              "SELECT id FROM cities a JOIN cities b ON a.id = b.id",
              "Write a.id or b.id",
              "SELECT a.id FROM cities a JOIN cities b ON a.id = b.id"),
          List.of(
              "SELECT * EXCLUDE (nme) FROM cities",
              "Write name in place of nme",
              "SELECT * EXCLUDE (name) FROM cities"),
          List.of(
              "SELECT name, count(*) FROM cities",
              "Write GROUP BY ALL, or put an aggregate such as any_value() around the column",
              "SELECT name, count(*) FROM cities GROUP BY ALL"),
          List.of(
              "SELECT name FROM cities WHERE count(*) > 1",
              "Put the condition after GROUP BY as HAVING, or compare with a subquery",
              "SELECT name FROM cities GROUP BY ALL HAVING count(*) > 1"),
          List.of(
              "SELECT * FROM cities WHERE row_number() OVER () = 1",
              "Put the condition after WHERE and GROUP BY as QUALIFY",
              "SELECT * FROM cities QUALIFY row_number() OVER () = 1"),
          List.of(
              "SELECT max(count(*)) FROM cities GROUP BY id",
              "Compute the inner aggregate in a subquery after FROM",
              "SELECT max(n) FROM (SELECT count(*) AS n FROM cities GROUP BY id)"),
          List.of(
              "SELECT id FROM cities UNION SELECT id, name FROM cities",
              "Select as many columns on both sides, or write UNION BY NAME",
              "SELECT id FROM cities UNION BY NAME SELECT id, name FROM cities"),
          List.of(
              "SELECT * FROM cities WHERE name > 1",
              "Cast one side to the type of the other, such as TRY_CAST(column AS DOUBLE) or CAST(column AS VARCHAR)",
              "SELECT * FROM cities WHERE TRY_CAST(name AS DOUBLE) > 1"),
          List.of(
              "SELECT sum(name) FROM cities",
              "Cast the text, such as TRY_CAST(column AS DOUBLE), which is NULL where it does not convert",
              "SELECT sum(TRY_CAST(name AS DOUBLE)) FROM cities"),
          List.of(
              "SELECT year(name) FROM cities",
              "Cast the text, such as TRY_CAST(column AS TIMESTAMP), which is NULL where it does not convert",
              "SELECT year(TRY_CAST(name AS TIMESTAMP)) FROM cities"),
          List.of(
              "SELECT strftime(name, '%Y') FROM cities",
              "Cast the text, such as TRY_CAST(column AS TIMESTAMP), which is NULL where it does not convert",
              "SELECT strftime(TRY_CAST(name AS TIMESTAMP), '%Y') FROM cities"),
          List.of(
              "SELECT lower(id) FROM cities",
              "Cast the argument, such as CAST(column AS VARCHAR)",
              "SELECT lower(CAST(id AS VARCHAR)) FROM cities"),
          List.of(
              "SELECT * FROM cities WHERE id LIKE '1%'",
              "Cast the argument, such as CAST(column AS VARCHAR)",
              "SELECT * FROM cities WHERE CAST(id AS VARCHAR) LIKE '1%'"),
          List.of(
              "SELECT CAST(name AS number) FROM cities",
              "Write a type such as BIGINT, DOUBLE, DECIMAL(18, 2), VARCHAR, DATE, TIMESTAMP or BOOLEAN",
              "SELECT CAST(name AS BIGINT) FROM cities"),
          List.of("SELECT lowr('A')", "Write lower in place of lowr", "SELECT lower('A')"),
          List.of("SELECT GETDATE()", "Write now() in place of getdate", "SELECT now()"),
          List.of("SELECT SYSDATE", "Write now() in place of SYSDATE", "SELECT now()"),
          List.of(
              "SELECT IIF(id > 1, 'a', 'b') FROM cities",
              "Write if(condition, a, b) in place of iif",
              "SELECT if(id > 1, 'a', 'b') FROM cities"),
          List.of("SELECT \"+\"(1, 2)", "Write the operator between its operands", "SELECT 1 + 2"),
          List.of(
              "SELECT collate_de('a')",
              "Write COLLATE de after the value",
              "SELECT 'a' COLLATE de"),
          List.of(
              "SELECT * FROM duckdb_tables()",
              "SHOW TABLES, DESCRIBE and information_schema.columns describe the datasets",
              ""),
          List.of(
              "SELECT * FROM cities WHERE id = 1 && name = '1'",
              "Write AND in place of &&",
              "SELECT * FROM cities WHERE id = 1 AND name = '1'"),
          List.of(
              "SELECT * FROM cities WHERE (id = 1) && (name = '1')",
              "Write AND in place of &&",
              "SELECT * FROM cities WHERE (id = 1) AND (name = '1')"),
          List.of(
              "SELECT * FROM cities WHERE id = 1 || name = '1'",
              "Write OR in place of ||",
              "SELECT * FROM cities WHERE id = 1 OR name = '1'"),
          List.of(
              "SELECT * FROM cities WHERE 1 < id < 3",
              "Join two comparisons by AND, such as 1 < x AND x < 3",
              "SELECT * FROM cities WHERE 1 < id AND id < 3"),
          List.of(
              "SELECT CONVERT(VARCHAR(7), DATE '2026-01-31', 120)",
              "Write CAST(x AS VARCHAR(7)) in place of CONVERT, or strftime(x, '%Y-%m')",
              "SELECT CAST(DATE '2026-01-31' AS VARCHAR(7)), strftime(DATE '2026-01-31', '%Y-%m')"),
          List.of(
              "SELECT DATE_TRUNC(DATE '2026-01-31', MONTH)",
              "Write date_trunc('month', DATE '2026-01-31'), with the part of the date first",
              "SELECT date_trunc('month', DATE '2026-01-31')"),
          List.of(
              "SELECT date_trunc(make_date(2026, 1, id), week) AS week FROM cities GROUP BY week",
              "Write date_trunc('week', make_date(2026, 1, id))",
              "SELECT date_trunc('week', make_date(2026, 1, id)) AS week FROM cities GROUP BY week"),
          List.of(
              "SELECT date_trunc(DATE '2026-01-31', 'month')",
              "Write the part of the date first, as date_trunc('month', column)",
              "SELECT date_trunc('month', DATE '2026-01-31')"),
          List.of(
              "SELECT list_transform([name], t -> upper(t)) FROM cities",
              "Write lambda t: upper(t) in place of t -> upper(t)",
              "SELECT list_transform([name], lambda t: upper(t)) FROM cities"),
          List.of(
              "SELECT list_reduce([id, id], (a, b) -> greatest(a, b)) FROM cities",
              "Write lambda a, b: greatest(a, b) in place of (a, b) -> greatest(a, b)",
              "SELECT list_reduce([id, id], lambda a, b: greatest(a, b)) FROM cities"),
          List.of(
              "SELECT * FROM cities WHERE INTERVAL 1 HOUR > 5",
              "Write an interval with its unit, such as INTERVAL 1000 MILLISECOND",
              "SELECT * FROM cities WHERE INTERVAL 1 HOUR > INTERVAL 1000 MILLISECOND"),
          List.of(
              "PIVOT cities ON name USING count(*) GROUP BY id",
              "Write the values that become columns, as in PIVOT … ON name IN ('a', 'b'); SELECT DISTINCT name FROM cities lists them",
              "PIVOT cities ON name IN ('1', '2') USING count(*) GROUP BY id"),
          List.of(
              "SELECT * FROM (PIVOT cities ON name USING count(*))",
              "Write the values that become columns, as in PIVOT … ON name IN ('a', 'b')",
              "SELECT * FROM (PIVOT cities ON name IN ('1', '2') USING count(*))"),
          List.of(
              "SELECT * FROM cities WHERE id => 2",
              "Write >= in place of =>.",
              "SELECT * FROM cities WHERE id >= 2"),
          List.of(
              "SELECT * FROM cities WHERE name starts with '1'",
              "Write starts_with(name, '1').",
              "SELECT * FROM cities WHERE starts_with(name, '1')"),
          List.of("PRAGMA table_info('cities')", "Write DESCRIBE cities", "DESCRIBE cities"),
          List.of(
              "SHOW COLUMNS FROM cities",
              "Write SHOW TABLES, or DESCRIBE and the name of a dataset",
              "DESCRIBE cities"));

  @ParameterizedTest
  @FieldSource("MISTAKES")
  void hintLeadsToAStatementThatRuns(List<String> mistake) throws IOException {
    assertThat(hint(mistake.get(0))).startsWith(mistake.get(1));
    if (!mistake.get(2).isEmpty()) {
      TestWorkers.columns(queries, mistake.get(2));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO cities VALUES (1) | POST | /datasets/cities",
        "insert into \"flights-airport\" select 1 | POST | /datasets/flights-airport",
        "UPDATE cities SET id = 1 | PUT of a SELECT | /datasets/cities",
        "DELETE FROM cities WHERE id = 1 | remaining rows by a PUT | /datasets/cities",
        "DROP TABLE IF EXISTS cities | Send DELETE | /datasets/cities",
        "CREATE TABLE x AS SELECT 1 | PUT of its SELECT | /datasets/x",
        "CREATE OR REPLACE VIEW x AS SELECT 1 | PUT of its SELECT | /datasets/x",
        "CREATE TABLE \"a b\" AS SELECT 1 | PUT of its SELECT | /datasets/{name}",
        "ALTER TABLE cities ADD COLUMN x INT | PUT of a SELECT | /datasets/cities",
        "COPY cities TO 'x.csv' | SELECT to /sql.csv | /datasets/{name}.csv",
        "SET threads = 1 | Leave it out | fixed",
        "SET TimeZone = 'Europe/Berlin' | Leave it out | AT TIME ZONE",
        "SET TIME ZONE 'UTC' | Leave it out | AT TIME ZONE",
        "PRAGMA threads = 1 | SHOW TABLES | fixed",
        "ATTACH 'x.db' | Upload | /datasets/{name}",
        "INSTALL httpfs | Leave it out | fixed",
        "LOAD httpfs | Leave it out | fixed",
        "USE main | Leave it out | without a database",
        "BEGIN | Leave it out | one fixed version",
        "PREPARE x AS SELECT 1 | $name | p.1=value",
        "VACUUM | Leave it out | compacts",
      })
  void otherStatementsLeadToARequest(String sql, String first, String second) {
    assertThat(hint(sql)).contains(first, second);
  }

  /// No hint names a dataset that the statement does not.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DROP TABLE IF EXISTS cities | /datasets/cities",
        "DROP TABLE main.cities | /datasets/cities",
        "DROP TABLE memory.main.cities | /datasets/cities",
        "DROP TABLE Memory.MAIN.\"flights-airport\" | /datasets/flights-airport",
        "DROP TABLE other.cities | /datasets/{name}",
        "DROP TABLE flights-airport | /datasets/{name}",
        "DROP TABLE main | /datasets/main",
        "DROP TABLE temp | /datasets/temp",
        "DROP VIEW cities | /datasets/cities",
        "DROP MATERIALIZED VIEW IF EXISTS cities | /datasets/cities",
        "DROP INDEX i | /datasets/{name}",
        "DROP SCHEMA s | /datasets/{name}",
        "DROP FUNCTION f | /datasets/{name}",
        "DROP MACRO TABLE f | /datasets/{name}",
        "DROP SEQUENCE s | /datasets/{name}",
        "DROP TYPE t | /datasets/{name}",
        "CREATE INDEX i ON cities (id) | /datasets/{name}",
        "CREATE MATERIALIZED VIEW v AS SELECT 1 | /datasets/v",
        "CREATE TEMP TABLE IF NOT EXISTS main.v AS SELECT 1 | /datasets/v",
        "INSERT INTO main.cities VALUES (1) | /datasets/cities",
        "INSERT OR REPLACE INTO cities(id) VALUES (1) | /datasets/cities",
        "UPDATE main.cities SET id = 1 | /datasets/cities",
        "ALTER SCHEMA s RENAME TO t | /datasets/{name}",
      })
  void writtenDatasetsAreThoseOfTablesAndViews(String sql, String path) {
    assertThat(OtherStatements.hint(sql)).endsWith(" to " + path);
  }

  /// To delete all rows is not to delete the dataset.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM cities | cities | /datasets/cities",
        "DELETE FROM main.cities | cities | /datasets/cities",
        "TRUNCATE cities | cities | /datasets/cities",
        "TRUNCATE TABLE \"flights-airport\" | \"flights-airport\" | /datasets/flights-airport",
      })
  void emptyingLeadsToASelectWithoutRows(String sql, String name, String path) throws IOException {
    String select = "SELECT * FROM %s LIMIT 0".formatted(name);
    assertThat(hint(sql))
        .isEqualTo(
            "A PUT of %s, as Content-Type: application/sql, to %s empties it, and a DELETE removes it with all its versions"
                .formatted(select, path));
    assertThat(TestWorkers.columns(queries, select))
        .allSatisfy(column -> assertThat(column).isEmpty());
  }

  /// Names of the engine's catalog that are near to a misspelt one are not for the client.
  @Test
  void messagesNameNoCandidates() {
    Invalid rejection = rejection("SELECT agency FROM cities", TestWorkers.PRINCIPAL);
    assertThat(rejection).hasMessage("Referenced column \"agency\" not found in FROM clause!");
    assertThat(rejection.position()).isEqualTo(7);
    assertThat(rejection.length()).isEqualTo(6);
    assertThat(rejection.excerpt()).isEqualTo("SELECT agency FROM cities");
  }

  /// A principal without rights gets the hints of a service without datasets.
  @Test
  void hintsTellNoNamesThatThePrincipalMayNotRead() {
    Principal nobody = Principal.anonymous(Permissions.NONE);
    for (String sql :
        List.of(
            "FROM citys",
            "FROM cities",
            "FROM 'cities.parquet'",
            "SELECT * FROM flights-airport",
            "SELECT Cost Total $ FROM cities",
            "SELECT group FROM cities",
            "SELECT * FROM order")) {
      Invalid rejection = rejection(sql, nobody);
      assertThat(rejection.getMessage() + rejection.hint())
          .as(sql)
          .doesNotContain("\"flights-airport\"", "\"Cost Total $\"", "Write", "in double quotes");
    }
  }

  @Test
  void otherDialectsHaveAllowedFunctions() throws IOException {
    try (TestWorkers workers = new TestWorkers()) {
      for (Map.Entry<String, String> function : OtherDialects.functions().entrySet()) {
        assertThat(SqlFunctions.exists(function.getKey())).as(function.getKey()).isFalse();
        String sql = "SELECT " + function.getValue();
        assertThat(SyntaxTree.of(sql, workers.parse(sql)).datasets()).isEmpty();
        assertThat(hint("SELECT %s(1)".formatted(function.getKey())))
            .isEqualTo(
                "Write %s in place of %s.".formatted(function.getValue(), function.getKey()));
      }
    }
  }

  @Test
  void explainShowsThePlan() throws IOException {
    for (String sql : List.of("EXPLAIN SELECT id FROM cities", "/* a */ explain\nFROM cities")) {
      List<List<@Nullable Object>> plan = TestWorkers.columns(queries, sql);
      assertThat(plan.get(0)).containsExactly("physical_plan");
      assertThat(String.valueOf(plan.get(1).getFirst())).contains("QUIVER_SCAN");
    }
    Invalid rejection = rejection("EXPLAIN SELECT nme FROM cities", TestWorkers.PRINCIPAL);
    assertThat(rejection.position()).isEqualTo(15);
    assertThat(rejection.hint()).isEqualTo("Write name in place of nme.");
  }

  @Test
  void datasetsHaveTheSchemaOfTheEngine() throws IOException {
    for (String sql :
        List.of(
            "SELECT count(*) FROM main.cities",
            "SELECT count(*) FROM memory.main.cities AS c",
            "SELECT count(*) FROM MAIN.\"cities@1\" WHERE id > 0",
            "WITH cities AS (SELECT 1) SELECT count(*) FROM main.cities")) {
      assertThat(TestWorkers.columns(queries, sql)).containsExactly(List.of(2L));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id IN ($1) | [1] | Write = ANY($1) in place of IN ($1), | id = ANY($1)",
        "id NOT IN ($1) | [2] | Write <> ALL($1) in place of NOT IN ($1), | id <> ALL($1)",
        "name IN (?) | [\"1\"] | Write = ANY(?) in place of IN (?), | name = ANY(?)",
        "id > 0 AND name not in ( ? ) | [\"2\"] | Write <> ALL(?) in place of NOT IN (?), | name <> ALL(?)",
      })
  void listsAsParametersHaveHints(String condition, String list, String hint, String better)
      throws IOException {
    Parameter parameter = new Parameter("", Parameter.Type.LIST, list);
    String sql = "SELECT id FROM cities WHERE ";
    SqlException.Value failure =
        catchThrowableOfType(
            SqlException.Value.class,
            () -> TestWorkers.columns(queries, sql + condition, parameter));
    assertThat(failure).isNotNull();
    assertThat(failure.hint()).isEqualTo(hint + " since the parameter is a list.");
    assertThat(TestWorkers.columns(queries, sql + better, parameter)).containsExactly(List.of(1L));
  }

  @Test
  void valuesThatDoNotConvertHaveHints() {
    SqlException.Value failure =
        catchThrowableOfType(
            SqlException.Value.class,
            () -> TestWorkers.columns(queries, "SELECT id FROM cities WHERE id > '1m'"));
    assertThat(failure).isNotNull();
    assertThat(failure.hint()).isEqualTo("Write a whole number, such as 1000000.");
    assertThat(failure.position()).isEqualTo(33);
    assertThat(failure.length()).isEqualTo(4);
  }

  @Test
  void parametersHaveHints() {
    Parameter two = new Parameter("", Parameter.Type.BIGINT, "2");
    Invalid rejection =
        catchThrowableOfType(
            Invalid.class, () -> TestWorkers.columns(queries, "SELECT $1 + $2", two));
    assertThat(rejection.hint()).startsWith("Send its value as p.2 in the URL");
  }
}
