package dev.quiver.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.engine.SqlException.Kind;
import java.lang.foreign.Arena;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {

  private static final Field ID = Field.of("id", true, new ArrowType.Int(64, true));
  private static final Field NAME = Field.of("name", true, new ArrowType.Utf8());
  private static final Field WIDE = Field.of("wide", true, new ArrowType.Decimal(50, 2, 256));

  private static Engine engine;
  private Session session;

  @BeforeAll
  static void openEngine() {
    engine = TestEngine.open();
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
    assertThat(engine.scans().handleCount()).as("Java objects that the engine holds").isZero();
  }

  @Test
  void tellsItsVersion() {
    assertThat(engine.version()).isEqualTo("v2.0.0");
  }

  @Test
  void readsTablesByTheirExactNames() {
    try (TestTable ten = ids(10);
        TestTable twenty = ids(20)) {
      Map<String, Table> tables = Map.of("t", ten, "T@3", twenty, "a.b-c", twenty);
      assertThat(rows("SELECT count(*) FROM t", tables)).containsExactly(List.of(10L));
      assertThat(rows("SELECT count(*) FROM \"T@3\"", tables)).containsExactly(List.of(20L));
      assertThat(rows("SELECT count(*) FROM \"a.b-c\"", tables)).containsExactly(List.of(20L));
      assertThat(failure("SELECT count(*) FROM T", tables).kind()).isEqualTo(Kind.NAME);
      assertThat(failure("SELECT count(*) FROM \"t@3\"", tables).kind()).isEqualTo(Kind.NAME);
    }
  }

  @Test
  void joinsATableWithItself() {
    try (TestTable table = ids(5000)) {
      String sql = "SELECT count(*), sum(a.id) FROM t a JOIN t b ON a.id = b.id + 1";
      assertThat(rows(sql, Map.of("t", table)))
          .containsExactly(List.of(4999L, BigInteger.valueOf(4999L * 5000 / 2)));
    }
  }

  @Test
  void keepsTheOrderOfTheTable() {
    try (TestTable table = ids(20_000)) {
      List<List<Object>> expected =
          LongStream.range(0, 20_000).filter(id -> id % 3 == 0).mapToObj(List::<Object>of).toList();
      assertThat(rows("SELECT id FROM t WHERE id % 3 = 0", Map.of("t", table))).isEqualTo(expected);
    }
  }

  @Test
  void readsOnlyTheColumnsThatAStatementUses() {
    try (TestTable table = people()) {
      rows("SELECT name FROM t WHERE id > 5", Map.of("t", table));
      assertThat(table.columnsRead).containsExactly(List.of(0, 1));
      table.columnsRead.clear();
      rows("SELECT max(name) FROM (SELECT * FROM t)", Map.of("t", table));
      assertThat(table.columnsRead).containsExactly(List.of(1));
      table.columnsRead.clear();
      // The engine counts rows by the first column.
      rows("SELECT count(*) FROM t", Map.of("t", table));
      assertThat(table.columnsRead).containsExactly(List.of(0));
    }
  }

  @Test
  void readsBatchesByTwoThreadsAtOnce() {
    try (TestTable table = ids(40_000)) {
      CountDownLatch readers = new CountDownLatch(2);
      Table slow =
          new DelegatingTable(table) {
            @Override
            public TableBatch read(int batchIndex, int[] columnIndices) {
              readers.countDown();
              await(readers);
              return super.read(batchIndex, columnIndices);
            }
          };
      assertThat(rows("SELECT sum(id) FROM t", Map.of("t", slow)))
          .containsExactly(List.of(BigInteger.valueOf(39_999L * 40_000 / 2)));
    }
  }

  @Test
  void columnOfAnUnsupportedTypeIsAnErrorOnlyIfUsed() {
    try (TestTable table = people()) {
      Map<String, Table> tables = Map.of("t", table);
      assertThat(rows("SELECT * EXCLUDE (wide) FROM t WHERE id = 3", tables))
          .containsExactly(List.of(3L, "name 3"));
      assertThat(rows("SELECT count(*) FROM t", tables)).containsExactly(List.of(20L));
      for (String sql : List.of("SELECT * FROM t", "SELECT max(wide) FROM t")) {
        SqlException failure = failure(sql, tables);
        assertThat(failure.kind()).isEqualTo(Kind.UNSUPPORTED_TYPE);
        assertThat(failure).hasMessageContainingAll("column wide", "decimal256(50, 2)", "EXCLUDE");
      }
    }
  }

  @Test
  void resultOfAnUnsupportedTypeNamesTheColumnAndACast() {
    assertThatThrownBy(() -> session.prepare("SELECT 1 AS a, '101'::BIT AS b", Map.of(), none()))
        .isInstanceOfSatisfying(
            SqlException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNSUPPORTED_TYPE))
        .hasMessageContainingAll("BIT", "column b", "CAST it AS VARCHAR");
  }

  @Test
  void schemaIsKnownBeforeTheStatementRuns() {
    try (TestTable table = people();
        Statement statement =
            session.prepare("SELECT name, id + 1 AS next FROM t", Map.of("t", table), none())) {
      assertThat(statement.schema())
          .isEqualTo(Schema.of(NAME, Field.of("next", true, new ArrowType.Int(64, true))));
      assertThat(table.reads).hasValue(0);
    }
  }

  @Test
  void tableFunctionCannotBeCalled() {
    try (TestTable table = ids(10)) {
      for (String argument : List.of("'t'", "'0:0'", "':0'", "''", "NULL")) {
        SqlException failure =
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
    SqlException failure = failure(sql, Map.of());
    assertThat(failure.kind()).isIn(Kind.NOT_ALLOWED, Kind.NAME);
    assertThat(failure.getMessage()).doesNotContain("/etc");
  }

  @Test
  void explainsAPlan() {
    try (TestTable table = ids(10)) {
      List<List<@Nullable Object>> plan = rows("EXPLAIN SELECT id FROM t", Map.of("t", table));
      assertThat(plan).hasSize(1);
      assertThat(plan.getFirst().get(1).toString()).contains("QUIVER_SCAN");
      assertThat(table.reads).hasValue(0);
    }
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
    SqlException failure = failure(sql, Map.of());
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
  void syntaxTreeNeedsNoTables() {
    assertThat(session.syntaxTree("SELECT a FROM t WHERE b > 5"))
        .contains("\"table_name\":\"t\"", "\"column_names\":[\"b\"]");
    assertThat(session.syntaxTree("SELEC")).contains("\"error\":true", "\"location\":\"[0,5]\"");
  }

  @Test
  void parametersHaveTheTypesOfTheirValues() {
    String types = "SELECT typeof($1), typeof($2), typeof($3), typeof($4), typeof($5), $6";
    assertThat(rows(types, Parameters.of(1, 1.5, new BigDecimal("12.345"), "ä", true, null)))
        .containsExactly(
            Arrays.asList("BIGINT", "DOUBLE", "DECIMAL(5,3)", "VARCHAR", "BOOLEAN", null));
    BigInteger large = new BigInteger("-12345678901234567890123456789012345678");
    assertThat(rows("SELECT ?, ? + 1, ?", Parameters.of(large, 41L, new BigDecimal("1e3"))))
        .containsExactly(List.of(large, 42L, BigInteger.valueOf(1000)));
    assertThat(rows("SELECT $b, $a, $b", Parameters.named(Map.of("a", "x", "b", 2))))
        .containsExactly(List.of(2L, "x", 2L));
  }

  @Test
  void parametersAndTheirValuesBelongTogether() {
    assertThat(failure("SELECT $1, $2", Parameters.of(1)).kind()).isEqualTo(Kind.BINDING);
    assertThat(failure("SELECT $1", Parameters.of(1, 2)).kind()).isEqualTo(Kind.BINDING);
    assertThat(failure("SELECT $a", Parameters.of(1))).hasMessageContaining("$a");
    assertThat(failure("SELECT 1", Parameters.named(Map.of("a", 1)))).hasMessageContaining("$a");
    assertThat(failure("SELECT $1", Parameters.of(new BigInteger("9".repeat(39)))).kind())
        .isEqualTo(Kind.CONVERSION);
    assertThat(rows("SELECT $1", Parameters.of(new BigInteger("9".repeat(38))))).hasSize(1);
  }

  @Test
  void batchesHaveAtMost65536Rows() {
    try (Statement statement =
        session.prepare("SELECT range FROM range(200000)", Map.of(), none())) {
      assertThat(batches(statement).stream().map(RecordBatch::length))
          .containsExactly(65_536L, 65_536L, 65_536L, 3392L);
    }
  }

  @Test
  void batchesHaveAbout8MebibytesOrOneRow() {
    String sql = "SELECT repeat('x', if(range = 7, 9000000, 100000)) FROM range(500)";
    try (Statement statement = session.prepare(sql, Map.of(), none())) {
      long rows = 0;
      for (RecordBatch batch : batches(statement)) {
        assertThat(batch.length() == 1 || batch.columns().getFirst().byteSize() <= 8 << 20)
            .isTrue();
        rows += batch.length();
      }
      assertThat(rows).isEqualTo(500);
    }
  }

  private static List<RecordBatch> batches(Statement statement) {
    List<RecordBatch> batches = new ArrayList<>();
    while (true) {
      RecordBatch batch = statement.next(Arena.ofAuto());
      if (batch == null) {
        return batches;
      }
      batches.add(batch);
    }
  }

  @Test
  void abandonedStatementFreesItsBatches() {
    try (TestTable table = ids(30_000)) {
      // More rows than the engine computes ahead.
      Table endless =
          new DelegatingTable(table) {
            @Override
            public int batchCount() {
              return 10_000;
            }

            @Override
            public TableBatch read(int batchIndex, int[] columnIndices) {
              return super.read(batchIndex % table.batchCount(), columnIndices);
            }
          };
      try (Statement statement = session.prepare("SELECT id FROM t", Map.of("t", endless), none());
          Arena arena = Arena.ofConfined()) {
        assertThat(statement.next(arena)).isNotNull();
        assertThat(table.openBatches.get()).isPositive();
      }
      assertThat(table.openBatches).hasValue(0);
      assertThat(engine.scans().handleCount()).isZero();
      assertThat(rows("SELECT 1")).containsExactly(List.of(1L));
    }
  }

  @Test
  void manyStatementsLeaveNothingBehind() {
    try (TestTable table = ids(3000)) {
      for (int i = 0; i < 300; i++) {
        switch (i % 4) {
          case 0 -> rows("SELECT max(id) FROM t", Map.of("t", table));
          case 1 -> failure("SELECT id::DATE FROM t", Map.of("t", table));
          case 2 -> session.prepare("SELECT * FROM t", Map.of("t", table), none()).close();
          default -> session.syntaxTree("SELECT 1");
        }
        assertThat(engine.scans().handleCount()).isZero();
      }
      assertThat(table.openBatches).hasValue(0);
    }
  }

  @Test
  void interruptEndsARunningStatement() throws Exception {
    try (TestTable table = ids(40_000)) {
      CountDownLatch reading = new CountDownLatch(1);
      AtomicBoolean ended = new AtomicBoolean();
      Table watched =
          new DelegatingTable(table) {
            @Override
            public TableBatch read(int batchIndex, int[] columnIndices) {
              reading.countDown();
              return super.read(batchIndex, columnIndices);
            }
          };
      Thread watcher =
          Thread.ofPlatform()
              .start(() -> {
                await(reading);
                // One interrupt may come too early to count.
                while (!ended.get()) {
                  session.interrupt();
                  session.progress();
                  Thread.onSpinWait();
                }
              });
      String sql = "SELECT count(*) FROM t a, t b, t c WHERE a.id + b.id + c.id = -1";
      assertThat(failure(sql, Map.of("t", watched)).kind()).isEqualTo(Kind.INTERRUPTED);
      ended.set(true);
      watcher.join();
      assertThat(rows("SELECT 1")).containsExactly(List.of(1L));
    }
  }

  @Test
  void statementEndsAtItsTimeout() {
    EngineOptions options =
        new EngineOptions(TestEngine.MEMORY_BYTE_SIZE, 2, Duration.ofMillis(300), null, 0);
    try (Engine impatient = Engine.open(TestEngine.library(), options);
        Session session = impatient.connect()) {
      String sql =
          "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range = -1";
      assertThatThrownBy(() -> TestEngine.rows(session, sql))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED));
    }
  }

  @Test
  void statementThatNeedsTooMuchMemoryFails() {
    SqlException failure = failure("SELECT len(list(range)) FROM range(100000000)", Map.of());
    assertThat(failure.kind()).isEqualTo(Kind.MEMORY);
    assertThat(failure).hasMessageNotContainingAny("SET ", "http", "temp_directory");
    assertThat(rows("SELECT 1")).containsExactly(List.of(1L));
  }

  @Test
  void failureOfATableIsTheCause() {
    RuntimeException damaged = new IllegalStateException("damaged at /some/secret/path");
    assertThatThrownBy(() ->
            rows(
                "SELECT id FROM t",
                Map.of(
                    "t",
                    failing(() -> {
                      throw damaged;
                    }))))
        .isInstanceOf(SqlException.class)
        .hasMessage("A table of the statement could not be read")
        .hasCause(damaged);
    assertThatThrownBy(() ->
            rows(
                "SELECT id FROM t",
                Map.of(
                    "t",
                    failing(() -> {
                      throw new StackOverflowError();
                    }))))
        .isInstanceOf(SqlException.class)
        .rootCause()
        .isInstanceOf(StackOverflowError.class);
    assertThat(rows("SELECT 1")).containsExactly(List.of(1L));
  }

  private static Table failing(Runnable failure) {
    return new DelegatingTable(ids(10)) {
      @Override
      public TableBatch read(int batchIndex, int[] columnIndices) {
        failure.run();
        return super.read(batchIndex, columnIndices);
      }
    };
  }

  @Test
  void closedSessionIgnoresInterrupts() {
    Session closed = engine.connect();
    closed.close();
    closed.interrupt();
    assertThat(closed.progress()).isEqualTo(new Progress(-1, 0, 0));
  }

  @Test
  void engineWithOpenSessionsStaysOpen() {
    assertThatThrownBy(engine::close).isInstanceOf(IllegalStateException.class);
    assertThat(rows("SELECT 1")).containsExactly(List.of(1L));
  }

  private static class DelegatingTable implements Table {

    private final Table table;

    DelegatingTable(Table table) {
      this.table = table;
    }

    @Override
    public Schema schema() {
      return table.schema();
    }

    @Override
    public long rowCount() {
      return table.rowCount();
    }

    @Override
    public int batchCount() {
      return table.batchCount();
    }

    @Override
    public TableBatch read(int batchIndex, int[] columnIndices) {
      return table.read(batchIndex, columnIndices);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns a table of the numbers below `count`, in batches of 3,000.
  private static TestTable ids(int count) {
    return TestTable.of(ID, LongStream.range(0, count).boxed().toList(), 3000, false);
  }

  private static TestTable people() {
    List<Long> ids = LongStream.range(0, 20).boxed().toList();
    return new TestTable(Schema.of(ID, NAME, WIDE), true)
        .add(
            Map.of(),
            List.of(
                ids,
                ids.stream().map(id -> "name " + id).toList(),
                ids.stream().map(BigInteger::valueOf).toList()));
  }

  private static Parameters none() {
    return Parameters.NONE;
  }

  private List<List<@Nullable Object>> rows(String sql) {
    return rows(sql, Map.of());
  }

  private List<List<@Nullable Object>> rows(String sql, Parameters parameters) {
    return TestEngine.rows(session, sql, Map.of(), parameters);
  }

  private List<List<@Nullable Object>> rows(String sql, Map<String, Table> tables) {
    return TestEngine.rows(session, sql, tables);
  }

  private SqlException failure(String sql, Parameters parameters) {
    return catchThrowableOfType(
        SqlException.class, () -> TestEngine.rows(session, sql, Map.of(), parameters));
  }

  private SqlException failure(String sql, Map<String, Table> tables) {
    SqlException failure =
        catchThrowableOfType(
            SqlException.class, () -> TestEngine.rows(session, sql, tables, none()));
    assertThat(failure).as(sql).isNotNull();
    return failure;
  }
}
