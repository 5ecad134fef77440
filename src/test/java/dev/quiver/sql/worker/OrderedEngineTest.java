package dev.quiver.sql.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.sql.engine.Engine;
import dev.quiver.sql.engine.FileEngine;
import dev.quiver.sql.engine.Session;
import dev.quiver.sql.engine.Statement;
import dev.quiver.sql.engine.StatementParameters;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A second instance of the engine, which opens or does not.
class OrderedEngineTest {

  private static final long ROW_COUNT = 600_000;

  @TempDir Path folder;

  @Test
  void opensOneInstance() {
    try (Engine first = open(1)) {
      OrderedEngine ordered = new OrderedEngine(() -> open(1));
      try (Engine opened = ordered.openOr(first)) {
        assertThat(opened).isNotSameAs(first);
        assertThat(ordered.openOr(first)).isSameAs(opened);
      }
    }
  }

  /// The engine itself rejects an instance without threads.
  @Test
  void fallsBackToTheFirstInstanceUntilAnotherOneOpens() {
    AtomicInteger threadCount = new AtomicInteger(0);
    assertThatThrownBy(() -> open(threadCount.get())).isInstanceOf(IllegalStateException.class);
    try (Engine first = open(1)) {
      OrderedEngine ordered = new OrderedEngine(() -> open(threadCount.get()));
      assertThat(ordered.openOr(first)).isSameAs(first);
      threadCount.set(1);
      try (Engine opened = ordered.openOr(first)) {
        assertThat(opened).isNotSameAs(first);
      }
    }
  }

  /// So the memory limit of one instance bounds a worker, although it has two.
  @Test
  void idleInstanceHoldsNoMemory() throws IOException {
    try (FileEngine engine = new FileEngine(folder)) {
      Path csv = folder.resolve("rows.csv");
      Files.writeString(csv, "a,b\n" + "1234567,a text of some length\n".repeat(200_000));
      assertThat(engine.rows("SELECT count(*) FROM (SELECT DISTINCT * FROM '" + csv + "')"))
          .containsExactly(List.of(1L));
      // The very question takes some.
      long held =
          (Long)
              engine
                  .rows("SELECT sum(memory_usage_bytes)::BIGINT FROM duckdb_memory()")
                  .getFirst()
                  .getFirst();
      assertThat(held).isLessThan(1 << 20);
    }
  }

  /// Each thread of the first instance reads other parts of the file.
  @Test
  void firstInstanceKeepsTheOrder() {
    Path file = folder.resolve("rows.jsonl");
    try (Engine first = open(2);
        Session session = first.connect()) {
      try (Statement copy =
              prepared(
                  session,
                  "COPY (SELECT range AS a, 2 * range AS b FROM range(%d)) TO '%s' (FORMAT json)"
                      .formatted(ROW_COUNT, file));
          Arena arena = Arena.ofConfined()) {
        assertThat(copy.next(arena)).isNotNull();
      }
      long row = 0;
      boolean complete = false;
      try (Statement read = prepared(session, "FROM read_ndjson('%s')".formatted(file))) {
        while (!complete) {
          try (Arena arena = Arena.ofConfined()) {
            RecordBatch batch = read.next(arena);
            complete = batch == null;
            row += batch == null ? 0 : requireRows(batch, row);
          }
        }
      }
      assertThat(row).isEqualTo(ROW_COUNT);
    }
  }

  private static Statement prepared(Session session, String sql) {
    return session.prepare(sql, Map.of(), StatementParameters.NONE);
  }

  /// Returns the number of rows, which begin at a row of the file.
  private static long requireRows(RecordBatch batch, long row) {
    Array.FixedWidth a = (Array.FixedWidth) Array.of(batch.columns().get(0));
    Array.FixedWidth b = (Array.FixedWidth) Array.of(batch.columns().get(1));
    for (long i = 0; i < batch.length(); i++) {
      if (a.integer(i) != row + i || b.integer(i) != 2 * (row + i)) {
        throw new AssertionError("Expected row " + (row + i) + " but found another");
      }
    }
    return batch.length();
  }

  private Engine open(int threadCount) {
    return FileEngine.open(folder, threadCount);
  }
}
