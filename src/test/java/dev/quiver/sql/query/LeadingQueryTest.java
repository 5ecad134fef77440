package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.syntax.SyntaxTree;
import dev.quiver.sql.worker.Leading;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeadingQueryTest {

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(64, true)),
          Field.of("x", true, new ArrowType.Int(32, true)),
          Field.of("name", true, new ArrowType.Utf8()));

  private static TestWorkers workers;

  @BeforeAll
  static void start() throws IOException {
    workers = new TestWorkers();
  }

  @AfterAll
  static void stop() throws IOException {
    workers.close();
  }

  private static @Nullable Leading leading(String sql) throws IOException {
    return LeadingQuery.of(SyntaxTree.of(sql, workers.parse(sql)).query(), SCHEMA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t ORDER BY x DESC LIMIT 7",
        "FROM t ORDER BY X DESC NULLS LAST, name LIMIT 7",
        "SELECT name, x AS y, * EXCLUDE (id) FROM t AS a ORDER BY \"x\" DESC LIMIT 4 OFFSET 3",
        "SELECT x AS x, id FROM t ORDER BY x DESC LIMIT 7 OFFSET 0",
      })
  void statementNeedsTheFirstRows(String sql) throws IOException {
    assertThat(leading(sql)).isEqualTo(new Leading(1, true, 7));
  }

  @Test
  void smallestRowsComeFirstOtherwise() throws IOException {
    assertThat(leading("FROM t ORDER BY x LIMIT 1000")).isEqualTo(new Leading(1, false, 1000));
    assertThat(leading("FROM t ORDER BY id ASC LIMIT 1")).isEqualTo(new Leading(0, false, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FROM t ORDER BY x LIMIT 1001",
        "FROM t ORDER BY x LIMIT 500 OFFSET 501",
        "FROM t ORDER BY x LIMIT 0",
        "FROM t ORDER BY x LIMIT 10%",
        "FROM t ORDER BY x LIMIT $1",
        "FROM t ORDER BY x LIMIT 5 OFFSET $1",
        "FROM t ORDER BY x LIMIT (SELECT 5)",
        "FROM t ORDER BY x NULLS FIRST LIMIT 5",
        "FROM t ORDER BY x + 1 LIMIT 5",
        "FROM t ORDER BY 2 LIMIT 5",
        "FROM t ORDER BY ALL LIMIT 5",
        "FROM t ORDER BY name LIMIT 5",
        "FROM t ORDER BY y LIMIT 5",
        "FROM t ORDER BY x",
        "FROM t LIMIT 5",
        "FROM t WHERE id > 5 ORDER BY x LIMIT 5",
        "FROM t TABLESAMPLE 10% ORDER BY x LIMIT 5",
        "SELECT id AS x FROM t ORDER BY x LIMIT 5",
        "SELECT id AS X, x AS y FROM t ORDER BY x LIMIT 5",
        "SELECT DISTINCT x FROM t ORDER BY x LIMIT 5",
        "SELECT DISTINCT ON (name) x FROM t ORDER BY x LIMIT 5",
        "SELECT count(*), x FROM t GROUP BY x ORDER BY x LIMIT 5",
        "SELECT x FROM t GROUP BY ALL ORDER BY x LIMIT 5",
        "SELECT x FROM t GROUP BY x HAVING x > 1 ORDER BY x LIMIT 5",
        "SELECT x FROM t QUALIFY row_number() OVER (ORDER BY id) > 2 ORDER BY x LIMIT 5",
        "SELECT * REPLACE (id AS x) FROM t ORDER BY x LIMIT 5",
        "SELECT * RENAME (x AS y, id AS x) FROM t ORDER BY x LIMIT 5",
        "SELECT COLUMNS('x') FROM t ORDER BY x LIMIT 5",
        "SELECT x, (SELECT max(x) FROM t) FROM t ORDER BY x LIMIT 5",
        "SELECT x, unnest([1, 2]) FROM t ORDER BY x LIMIT 5",
        "FROM t a, t b ORDER BY x LIMIT 5",
        "FROM (SELECT * FROM t ORDER BY x LIMIT 5) ORDER BY x LIMIT 5",
        "WITH t AS (SELECT 1 AS x) FROM t ORDER BY x LIMIT 5",
        "FROM t UNION ALL FROM t ORDER BY x LIMIT 5",
      })
  void otherStatementsMayNeedAllRows(String sql) throws IOException {
    assertThat(leading(sql)).isNull();
  }

  @Test
  void columnsNeedTheirNames() throws IOException {
    String sql = "FROM t ORDER BY x LIMIT 5";
    Schema twice =
        Schema.of(
            Field.of("x", true, new ArrowType.Int(32, true)),
            Field.of("X", true, new ArrowType.Int(32, true)));
    assertThat(LeadingQuery.of(SyntaxTree.of(sql, workers.parse(sql)).query(), twice)).isNull();
  }
}
