package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteCondition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Statements that compare the columns of their only dataset with literals, and others that look
/// like them. The dataset has a hundred batches of ten rows, and there is one with the same rows in
/// ten batches, of which single rows are left out as well.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("random")
class FilteredStatementsTest {

  private static final int BATCHES = 100;
  private static final int BATCH_ROWS = 10;

  /// The names of the struct and of its field are those of the schema and of the dataset.
  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(64, true)),
          Field.of("x", true, new ArrowType.Int(32, true)),
          Field.of("name", true, new ArrowType.Utf8()),
          Field.of(
              "main",
              false,
              new ArrowType.Struct(),
              Field.of(
                  "t",
                  false,
                  new ArrowType.Struct(),
                  Field.of("id", false, new ArrowType.Int(64, true)))));

  @TempDir private static Path folder;
  private DatasetTestFolder data;
  private TestQueries queries;
  private long read;
  private long skipped;

  @BeforeAll
  void write() throws IOException {
    data = new DatasetTestFolder(folder);
    for (String name : List.of("t", "u")) {
      put(name, BATCH_ROWS);
    }
    put("large", 10 * BATCH_ROWS);
    queries = TestQueries.of(data.datasets, TestWorkers.options(Duration.ofSeconds(60)));
  }

  private void put(String name, int batchRows) throws IOException {
    put(name, SCHEMA, BATCHES * BATCH_ROWS / batchRows, index -> batch(index, batchRows));
  }

  private static List<List<@Nullable Object>> batch(int index, int rowCount) {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (int column = 0; column < 4; column++) {
      columns.add(new ArrayList<>());
    }
    for (long id = (long) index * rowCount; id < (index + 1L) * rowCount; id++) {
      long group = id / BATCH_ROWS;
      columns.get(0).add(id);
      columns.get(1).add(id % 7 == 0 || group % 9 == 0 ? null : id * 37 % 101 + group);
      columns.get(2).add(id % 5 == 0 ? null : "name " + group);
      columns.get(3).add(List.of(List.of(-id)));
    }
    return columns;
  }

  private void put(
      String name, Schema schema, int batches, IntFunction<List<? extends List<?>>> columns)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer =
          new StreamWriter(
              part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), schema, Codec.NONE);
      for (int i = 0; i < batches; i++) {
        List<? extends List<?>> values = columns.apply(i);
        writer.write(new ArrayBuilder(arena).recordBatch(schema, values.getFirst().size(), values));
      }
      writer.close();
    }
    data.datasets.put(
        DatasetName.parseNew(name),
        ByteSource.of(MemorySegment.ofArray(bytes.toByteArray())),
        BodyFormat.STREAM,
        new WriteCondition.None());
  }

  @AfterAll
  void close() {
    queries.close();
    data.datasets.close();
  }

  @BeforeEach
  void remember() {
    read = queries.queries().readBatchCount();
    skipped = queries.queries().skippedBatchCount();
  }

  private void assertCounts(long expectedRead, long expectedSkipped, String sql) {
    assertThat(queries.queries().readBatchCount() - read).as(sql).isEqualTo(expectedRead);
    assertThat(queries.queries().skippedBatchCount() - skipped).as(sql).isEqualTo(expectedSkipped);
  }

  private List<List<@Nullable Object>> columns(String sql, Parameter... parameters)
      throws IOException {
    return TestWorkers.columns(queries, sql, parameters);
  }

  @Test
  void oneBatchOfAHundredIsReadIfNoOtherCanMatch() throws IOException {
    String sql = "SELECT sum(x)::BIGINT FROM t WHERE id = 555";
    assertThat(columns(sql)).containsExactly(List.of(555L * 37 % 101 + 55));
    assertCounts(1, 99, sql);
  }

  @Test
  void tableMayStandBeforeAColumn() throws IOException {
    List<String> statements =
        List.of(
            "SELECT id FROM t WHERE t.id = 555",
            "SELECT id FROM t AS o WHERE \"O\".id = 555",
            "SELECT main.t.id FROM t AS o WHERE o.main.t.id = -445");
    for (int i = 0; i < statements.size(); i++) {
      columns(statements.get(i));
      assertCounts(i + 1, (i + 1) * 99L, statements.get(i));
    }
  }

  @Test
  void rowsKeepTheirOrderAndCount() throws IOException {
    String rows = "SELECT id FROM t WHERE id IN (990, 15, 333)";
    assertThat(columns(rows)).containsExactly(List.of(15L, 333L, 990L));
    assertCounts(3, 97, rows);
    assertThat(columns("SELECT count(*) FROM t WHERE id >= 985")).containsExactly(List.of(15L));
    assertThat(columns("SELECT count(*) FROM t WHERE id > 1000")).containsExactly(List.of(0L));
    assertCounts(3 + 2, 97 + 98 + 100, "counts");
  }

  @Test
  void explainReadsNoBatches() throws IOException {
    try (Query query = queries.open("SELECT x FROM t WHERE id = 5", TestWorkers.PRINCIPAL)) {
      query.run("EXPLAIN ", List.of(), null, new ReadProgress());
    }
    assertCounts(0, 0, "EXPLAIN");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM t WHERE id < 25",
        "SELECT a.id FROM t AS a WHERE id < 25",
        "SELECT t.id FROM t WHERE T.id < 25",
        "SELECT count(*) FROM t WHERE t.main.t.id < 25",
        "SELECT t.id FROM \"t@1\" t WHERE id < 25 AND length(name) > 0 OR id < 0 AND id < 25",
        "SELECT id FROM t WHERE id < 25 AND x IN (SELECT x FROM u)",
        "SELECT -id AS id FROM t WHERE id < 25",
        "SELECT id, row_number() OVER () FROM t WHERE id < 25 QUALIFY row_number() OVER () > 3",
        "SELECT id FROM t WHERE id < 25 UNION ALL SELECT 3",
        "SELECT id FROM t JOIN u USING (id) WHERE id < 25 ORDER BY id",
        "SELECT id FROM t WHERE id < 25 AND id NOT IN (SELECT id + 1 FROM t)",
        "SELECT a FROM t AS b(a, id) WHERE id < 25",
        "SELECT count(*) FROM t, t AS o WHERE t.id < 25",
        "SELECT (SELECT max(id) FROM t), id FROM t WHERE id < 25",
        "SELECT id FROM (SELECT id + 500 AS id FROM t) WHERE id < 525",
        "WITH t AS (SELECT id + 500 AS id FROM u) SELECT id FROM t WHERE id < 525",
        "WITH t AS (SELECT range + 500 AS id FROM range(100)) SELECT id FROM t WHERE id < 525",
        "SELECT count(*) FROM t WHERE main.t.id < 25",
        "SELECT count(*) FROM t AS main WHERE main.t.id < 25",
        "SELECT count(*) FROM t AS o WHERE main.t.id < -975",
        "SELECT count(*) FROM t TABLESAMPLE 100% WHERE id < 25",
        "SELECT count(*) FROM t WHERE id < 25 USING SAMPLE 100%",
        "SELECT * REPLACE (id + 500 AS id) FROM t WHERE id < 25",
        "FROM b: t SELECT b.x, id WHERE id < 25",
        "SELECT t FROM t WHERE id < 25",
        "SELECT id, unnest([id, 1]) FROM t WHERE id < 25",
        "SELECT x + 900 AS id FROM t WHERE id < 25 AND x + 0 > 1 ORDER BY id DESC LIMIT 3",
        "SELECT max(id) FROM t WHERE id < 25 AND x IN (WITH t AS (SELECT 20 AS x) SELECT x FROM t)",
        "SELECT id FROM t WHERE id < 25 AND EXISTS (FROM t AS o WHERE o.id = t.id + 900)",
        "SELECT id FROM t LEFT JOIN (SELECT id + 900 AS o FROM t) ON o = id WHERE id < 25 ORDER BY id",
        "SELECT u.id FROM t RIGHT JOIN u ON t.id = u.id + 990 WHERE t.id < 995 OR t.id IS NULL",
        "SELECT id FROM t WHERE id < 25 AND nullif(id, 3) IS NULL"
      })
  void resultEqualsTheOneOfAllBatches(String sql) throws IOException {
    // A sum is not a column, so nothing is known about it.
    String unfiltered =
        sql.replaceAll("\\b((?:t\\.main\\.t\\.|main\\.t\\.|t\\.|T\\.)?id) < ", "$1 + 0 < ");
    List<List<@Nullable Object>> expected = columns(unfiltered);
    assertCounts(0, 0, unfiltered);
    assertThat(columns(sql)).as(sql).isNotEmpty().isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM t JOIN u USING (id) WHERE id < 25",
        "SELECT id FROM t WHERE id < 25 AND id NOT IN (SELECT id + 1 FROM t)",
        "SELECT id FROM t WHERE id < 25 UNION ALL SELECT 3",
        "SELECT a FROM t AS b(a, id) WHERE id < 25",
        "SELECT id FROM (SELECT id + 500 AS id FROM t) WHERE id < 525",
        "WITH t AS (SELECT id + 500 AS id FROM u) SELECT id FROM t WHERE id < 525",
        "WITH t AS (SELECT range + 500 AS id FROM range(100)) SELECT id FROM t WHERE id < 525",
        "SELECT count(*) FROM t WHERE main.t.id < 25",
        "SELECT count(*) FROM t TABLESAMPLE 100% WHERE id < 25",
        "SELECT count(*) FROM t WHERE id < 25 USING SAMPLE 100%",
        "SELECT count(*) FROM t RIGHT JOIN range(1000) r(k) ON k = id WHERE id IS NULL",
        "SELECT id FROM t WHERE COLUMNS('id|x') < 25",
        "SELECT id FROM t GROUP BY id HAVING id < 25",
        "SELECT count(*) FROM t",
        "SUMMARIZE t",
        "SELECT 1 WHERE 1 < 2"
      })
  void otherFormsReadAllBatches(String sql) throws IOException {
    columns(sql);
    assertCounts(0, 0, sql);
  }

  @Test
  void rowsOfSkippedBatchesRaiseNoErrors() throws IOException {
    String sql =
        "SELECT id FROM t WHERE (CASE id WHEN 3 THEN 'three' ELSE '1' END)::INT = 1 AND id";
    assertThat(catchThrowable(() -> columns(sql + " + 0 = 555")))
        .isInstanceOf(SqlException.class)
        .hasMessageContaining("three");
    assertThat(columns(sql + " = 555")).containsExactly(List.of(555L));
  }

  @Test
  void parametersAreNotLiterals() throws IOException {
    String sql = "SELECT id FROM t WHERE id = $1";
    assertThat(columns(sql, new Parameter("", Parameter.Type.BIGINT, "555")))
        .containsExactly(List.of(555L));
    assertCounts(0, 0, sql);
  }

  /// SQL has other names for some columns then, which may be those that others have in Arrow.
  @Test
  void columnsOfEqualNamesAreDistinctInSql() throws IOException {
    Schema schema =
        Schema.of(
            Stream.of("a", "A", "a_1", "", "C3")
                .map(name -> Field.of(name, false, new ArrowType.Int(64, true)))
                .toArray(Field[]::new));
    put(
        "repeated",
        schema,
        1,
        _ -> List.of(List.of(1L), List.of(2L), List.of(3L), List.of(4L), List.of(5L)));
    assertThat(columns("SELECT a, a_1, a_1_1, c3, c3_1 FROM repeated WHERE a_1 = 2"))
        .containsExactly(List.of(1L), List.of(2L), List.of(3L), List.of(4L), List.of(5L));
    assertThat(columns("SELECT * FROM repeated WHERE a_1 = 3")).isEmpty();
  }

  @Test
  void rowNumbersOfTheEngineAreNotAColumn() {
    assertThat(catchThrowable(() -> columns("SELECT rowid FROM t WHERE id = 555")))
        .isInstanceOf(SqlException.Invalid.class);
  }

  private static final List<String> COMPARISONS =
      List.of(
          "id < %d",
          "id >= %d",
          "NOT (id < %d OR id > 700)",
          "id BETWEEN %d AND 800",
          "id NOT BETWEEN 100 AND %d",
          "%d <= id",
          "id IN (%d, 7, 444)",
          "id <> %d",
          "x > %d / 8",
          "x < 20",
          "x = 90",
          "x IS NULL",
          "x IS NOT NULL",
          "x IS DISTINCT FROM 50",
          "name LIKE 'name 4%%'",
          "name = 'name 17'",
          "name >= 'name 8'",
          "length(name) = 6",
          "(id = %d OR x = 40)",
          "id + 0 > %d",
          "x < (SELECT avg(x) FROM u)");

  private static final List<String> SELECTED =
      List.of(
          "*",
          "id, x",
          "count(*)",
          "count(x), sum(x), min(name), max(id)",
          "x + 1 AS id, name",
          "DISTINCT name",
          "id, sum(x) OVER (ORDER BY id)",
          "name AS x, id");

  private static final List<String> ENDS =
      List.of("", "", "LIMIT 7", "LIMIT 5 OFFSET 3", "LIMIT 20%");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void randomStatementsEqualResultsOfAllBatches(int seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < Trials.of(40); i++) {
      List<String> parts = new ArrayList<>();
      for (int part = 1 + random.nextInt(3); part > 0; part--) {
        parts.add(pick(random, COMPARISONS).formatted(random.nextInt(1100) - 50));
      }
      String selected = pick(random, SELECTED);
      String end = selected.startsWith("DISTINCT") ? "ORDER BY ALL" : pick(random, ENDS);
      String rest = " WHERE %s %s".formatted(String.join(" AND ", parts), end);
      String unfiltered = "SELECT " + selected + " FROM (SELECT * FROM t)" + rest;
      List<List<@Nullable Object>> expected = columns(unfiltered);
      String filtered = "SELECT " + selected + " FROM t" + rest;
      assertThat(columns(filtered)).as(filtered).isEqualTo(expected);
      String large = "SELECT " + selected + " FROM large" + rest;
      assertThat(columns(large)).as(large).isEqualTo(expected);
    }
    assertThat(queries.queries().skippedBatchCount()).isGreaterThan(skipped);
  }

  private static final List<String> SORTED =
      List.of(
          "*",
          "id, x",
          "x, *",
          "x AS id, name",
          "id AS x",
          "* EXCLUDE (name)",
          "count(*), max(x)",
          "x, x + 1");

  private static final List<String> KEYS =
      List.of(
          "x", "x DESC", "x DESC NULLS LAST", "x NULLS FIRST", "id", "id DESC", "name DESC", "1");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void randomOrdersEqualThoseOfAllRows(int seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < Trials.of(60); i++) {
      String selected = pick(random, SORTED);
      String key = pick(random, KEYS);
      String order = selected.startsWith("count") ? "ORDER BY ALL" : "ORDER BY " + key + ", a.id";
      String offset = random.nextBoolean() ? " OFFSET " + random.nextInt(20) : "";
      int limit = random.nextInt(4) == 0 ? 880 + random.nextInt(130) : random.nextInt(30);
      String statement = "SELECT %s FROM %s AS a %s LIMIT " + limit + offset;
      List<List<@Nullable Object>> expected =
          columns(statement.formatted(selected, "(SELECT * FROM t)", order));
      for (String table : List.of("t", "large")) {
        String sql = statement.formatted(selected, table, order);
        assertThat(columns(sql)).as(sql).isEqualTo(expected);
      }
    }
  }

  private static String pick(Random random, List<String> list) {
    return list.get(random.nextInt(list.size()));
  }
}
