package dev.quiver.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.engine.FileEngine;
import dev.quiver.engine.SqlException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Statements with the same rows, whose batches end at different rows.
class JoinedStatementsTest {

  private static final long ROW_COUNT = 150_000;
  private static final int TEXT_BYTE_SIZE = 300;
  private static final String NUMBERS =
      "SELECT range AS a, 2 * range AS b FROM range(" + ROW_COUNT + ")";

  /// Texts that are too long for as many rows in a batch as numbers have.
  private static final String TEXTS =
      "SELECT lpad(range::VARCHAR, %d, '0') AS t FROM range(%d)"
          .formatted(TEXT_BYTE_SIZE, ROW_COUNT);

  @TempDir Path folder;

  private JoinedStatements join(FileEngine engine, String... statements) {
    JoinedStatements joined = new JoinedStatements();
    for (String sql : statements) {
      joined.add(new StatementReader(engine.connect(), sql, /* stackByteSize= */ 1 << 20));
    }
    return joined;
  }

  @Test
  void rowsHaveTheColumnsOfAllStatements() throws InterruptedException {
    try (FileEngine engine = new FileEngine(folder);
        JoinedStatements joined = join(engine, NUMBERS, TEXTS)) {
      assertThat(joined.schema().fields()).extracting(Field::name).containsExactly("a", "b", "t");
      long row = 0;
      boolean complete = false;
      while (!complete) {
        try (Arena arena = Arena.ofConfined()) {
          RecordBatch batch = joined.next(arena);
          complete = batch == null;
          row += batch == null ? 0 : requireRows(batch, row);
        }
      }
      assertThat(row).isEqualTo(ROW_COUNT);
    }
  }

  /// Returns the number of rows, which begin at a row of all.
  private static long requireRows(RecordBatch batch, long row) {
    Array.FixedWidth a = (Array.FixedWidth) Array.of(batch.columns().get(0));
    Array.FixedWidth b = (Array.FixedWidth) Array.of(batch.columns().get(1));
    Array.Bytes t = (Array.Bytes) Array.of(batch.columns().get(2));
    for (long i = 0; i < batch.length(); i++) {
      if (a.integer(i) != row + i
          || b.integer(i) != 2 * (row + i)
          || !t.text(i).endsWith("0" + (row + i))
          || t.text(i).length() != TEXT_BYTE_SIZE) {
        throw new AssertionError("Expected row " + (row + i) + " but found another");
      }
    }
    return batch.length();
  }

  @Test
  void rowsBeforeAFailureAreRead() throws InterruptedException {
    String failing = TEXTS.replace("lpad(", "lpad(if(range = 140000, error('here'), '') || ");
    try (FileEngine engine = new FileEngine(folder);
        JoinedStatements joined = join(engine, NUMBERS, failing);
        Arena arena = Arena.ofConfined()) {
      assertThat(joined.next(arena)).isNotNull();
      assertThatThrownBy(
              () -> {
                while (joined.next(arena) != null) {
                  // Reads on.
                }
              })
          .isInstanceOf(SqlException.class)
          .hasMessageContaining("here");
    }
  }

  @Test
  void statementThatCannotBePreparedFails() {
    try (FileEngine engine = new FileEngine(folder);
        JoinedStatements joined = join(engine, NUMBERS, "SELECT missing")) {
      assertThatThrownBy(joined::schema)
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.kind()).isEqualTo(SqlException.Kind.NAME));
    }
  }

  @Test
  void statementsWithOtherRowsFail() {
    try (FileEngine engine = new FileEngine(folder);
        JoinedStatements joined = join(engine, "SELECT 1", "SELECT 2 WHERE false");
        Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> joined.next(arena))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.kind()).isEqualTo(SqlException.Kind.FATAL));
    }
  }

  /// The engine cannot be closed before all sessions are.
  @Test
  void statementsEndBeforeTheirLastRow() {
    try (FileEngine engine = new FileEngine(folder);
        JoinedStatements joined =
            join(
                engine, "FROM range(100000000000)", "SELECT sum(range) FROM range(100000000000)")) {
      assertThat(joined.schema().fields()).hasSize(2);
    }
  }
}
