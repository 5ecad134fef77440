package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.EngineException.Kind;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Statements while they run, and how they end.
class RunningStatementsTest extends EngineFixture {

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
    try (TestTable table = ids(40_000);
        Session interrupted = engine.connect()) {
      CountDownLatch reading = new CountDownLatch(1);
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
                interrupted.progress();
                interrupted.interrupt();
              });
      String sql = "SELECT count(*) FROM t a, t b, t c WHERE a.id + b.id + c.id = -1";
      assertInterrupted(() -> TestEngine.rows(interrupted, sql, Map.of("t", watched)));
      watcher.join();
      assertInterrupted(() -> TestEngine.rows(interrupted, "SELECT 1"));
    }
    assertThat(rows("SELECT 1")).containsExactly(List.of(1L));
  }

  private static void assertInterrupted(ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED));
  }

  @Test
  void interruptBetweenPreparationAndExecutionCounts() {
    AtomicInteger readCount = new AtomicInteger();
    try (TestTable table = ids(3000);
        Session interrupted = engine.connect();
        Statement statement =
            interrupted.prepare(
                "SELECT sum(id) FROM t", Map.of("t", counting(table, readCount)), none())) {
      interrupted.interrupt();
      assertInterrupted(() -> TestEngine.rows(statement));
    }
    assertThat(readCount).hasValue(0);
  }

  private static Table counting(TestTable table, AtomicInteger readCount) {
    return new DelegatingTable(table) {
      @Override
      public TableBatch read(int batchIndex, int[] columnIndices) {
        readCount.incrementAndGet();
        return super.read(batchIndex, columnIndices);
      }
    };
  }

  /// The check before the start passes, and the engine forgets the interruption as it starts.
  @Test
  void interruptThatTheEngineForgetsCounts() {
    long connection = engine.openConnection();
    AtomicBoolean interrupted = new AtomicBoolean();
    Runnable check =
        () -> {
          if (interrupted.getAndSet(true)) {
            throw new EngineException(Kind.INTERRUPTED, "");
          }
          engine.library().databases().interrupt(connection);
        };
    StatementTables tables = new StatementTables(Map.of(), 1);
    try (Statement statement =
        Statement.prepare(engine, connection, "SELECT 1", tables, none(), check)) {
      assertInterrupted(() -> TestEngine.rows(statement));
    } finally {
      engine.closeConnection(connection);
    }
  }

  @Test
  void interruptBeforeTheNextRowsCounts() {
    try (Session interrupted = engine.connect();
        Statement statement = interrupted.prepare("FROM range(100000)", Map.of(), none());
        Arena arena = Arena.ofConfined()) {
      assertThat(statement.next(arena)).isNotNull();
      interrupted.interrupt();
      assertInterrupted(() -> statement.next(arena));
    }
  }

  /// The engine asks a table for its rows when it binds the statement: while it is prepared, and
  /// with parameters again while it starts to run.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interruptWhileAStatementIsBoundCounts(boolean parameter) {
    try (TestTable table = ids(3000);
        Session interrupted = engine.connect()) {
      AtomicBoolean bound = new AtomicBoolean();
      Table interrupting =
          new DelegatingTable(table) {
            @Override
            public Schema schema() {
              bound.set(true);
              interrupted.interrupt();
              return super.schema();
            }
          };
      String sql = "SELECT count(*) FROM t" + (parameter ? " WHERE id > $1" : "");
      StatementParameters parameters = parameter ? StatementParameters.of("1") : none();
      assertInterrupted(
          () -> TestEngine.rows(interrupted, sql, Map.of("t", interrupting), parameters));
      assertThat(bound).isTrue();
    }
  }

  @Test
  void statementEndsAtItsTimeout() {
    EngineOptions options =
        new EngineOptions(TestEngine.MEMORY_BYTE_SIZE, 2, Duration.ofMillis(300), null, 0, null);
    try (Engine impatient = Engine.open(TestEngine.library(), options);
        Session session = impatient.connect()) {
      String sql =
          "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range = -1";
      assertThatThrownBy(() -> TestEngine.rows(session, sql))
          .isInstanceOfSatisfying(
              EngineException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED));
    }
  }

  @Test
  void statementThatNeedsTooMuchMemoryFails() {
    EngineException failure = failure("SELECT len(list(range)) FROM range(100000000)", Map.of());
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
        .isInstanceOf(EngineException.class)
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
        .isInstanceOf(EngineException.class)
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
}
