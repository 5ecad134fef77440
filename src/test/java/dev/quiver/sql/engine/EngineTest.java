package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.EngineException.Kind;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest extends EngineFixture {

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

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void asManyThreadsReadATableAtATimeAsTheStatementMayHave(int threadCount) {
    CountDownLatch readers = new CountDownLatch(threadCount);
    CountDownLatch more = new CountDownLatch(threadCount + 1);
    AtomicBoolean waited = new AtomicBoolean();
    AtomicInteger reading = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (TestTable table = ids(30_000)) {
      Table counted =
          new DelegatingTable(table) {
            @Override
            public TableBatch read(int batchIndex, int[] columnIndices) {
              most.accumulateAndGet(reading.incrementAndGet(), Math::max);
              readers.countDown();
              more.countDown();
              await(readers);
              if (!waited.getAndSet(true)) {
                waitBriefly(more);
              }
              reading.decrementAndGet();
              return super.read(batchIndex, columnIndices);
            }
          };
      Map<String, Table> tables = Map.of("t", counted);
      try (Statement statement =
          session.prepare("SELECT sum(id) FROM t", tables, none(), threadCount)) {
        assertThat(TestEngine.rows(statement))
            .containsExactly(List.of(BigInteger.valueOf(29_999L * 30_000 / 2)));
      }
    }
    assertThat(most).hasValue(threadCount);
  }

  /// Waits for a thread too many, of which there should be none.
  private static void waitBriefly(CountDownLatch latch) {
    try {
      boolean _ = latch.await(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
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
  void explainsAPlan() {
    try (TestTable table = ids(10)) {
      List<List<@Nullable Object>> plan = rows("EXPLAIN SELECT id FROM t", Map.of("t", table));
      assertThat(plan).hasSize(1);
      assertThat(plan.getFirst().get(1).toString()).contains("QUIVER_SCAN");
      assertThat(table.reads).hasValue(0);
    }
  }

  @Test
  void syntaxTreeNeedsNoTables() {
    assertThat(session.syntaxTree("SELECT a FROM t WHERE b > 5"))
        .contains("\"table_name\":\"t\"", "\"column_names\":[\"b\"]");
    assertThat(session.syntaxTree("SELEC")).contains("\"error\":true", "\"location\":\"[0,5]\"");
  }
}
