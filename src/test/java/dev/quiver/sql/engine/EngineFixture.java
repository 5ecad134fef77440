package dev.quiver.sql.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/// An engine for all tests of a class, a session for each, and what they do with it.
abstract class EngineFixture {

  static final Field ID = Field.of("id", true, new ArrowType.Int(64, true));
  static final Field NAME = Field.of("name", true, new ArrowType.Utf8());
  static final Field WIDE = Field.of("wide", true, new ArrowType.Decimal(50, 2, 256));

  static Engine engine;
  Session session;

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

  static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns a table of the numbers below `count`, in batches of 3,000.
  static TestTable ids(int count) {
    return TestTable.of(ID, LongStream.range(0, count).boxed().toList(), 3000, false);
  }

  static TestTable people() {
    List<Long> ids = LongStream.range(0, 20).boxed().toList();
    return new TestTable(Schema.of(ID, NAME, WIDE), true)
        .add(
            Map.of(),
            List.of(
                ids,
                ids.stream().map(id -> "name " + id).toList(),
                ids.stream().map(BigInteger::valueOf).toList()));
  }

  static StatementParameters none() {
    return StatementParameters.NONE;
  }

  List<List<@Nullable Object>> rows(String sql) {
    return rows(sql, Map.of());
  }

  List<List<@Nullable Object>> rows(String sql, StatementParameters parameters) {
    return TestEngine.rows(session, sql, Map.of(), parameters);
  }

  List<List<@Nullable Object>> rows(String sql, Map<String, Table> tables) {
    return TestEngine.rows(session, sql, tables);
  }

  EngineException failure(String sql, StatementParameters parameters) {
    return catchThrowableOfType(
        EngineException.class, () -> TestEngine.rows(session, sql, Map.of(), parameters));
  }

  EngineException failure(String sql, Map<String, Table> tables) {
    EngineException failure =
        catchThrowableOfType(
            EngineException.class, () -> TestEngine.rows(session, sql, tables, none()));
    assertThat(failure).as(sql).isNotNull();
    return failure;
  }
}
