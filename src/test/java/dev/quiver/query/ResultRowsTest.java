package dev.quiver.query;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.dataset.DatasetTestFolder;
import dev.quiver.input.Limits;
import dev.quiver.input.OverloadedException;
import dev.quiver.query.execution.SqlException;
import dev.quiver.query.execution.TestWorkers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Results that are stored while they are computed, in real worker processes.
class ResultRowsTest {

  private static final String LONG = "SELECT range AS n FROM range(100000000)";
  private static final String ENDLESS = "SELECT count(*) AS n FROM range(1000000000000000000)";

  @TempDir private Path folder;

  private Queries queries(Duration timeout) throws IOException {
    return Queries.of(new DatasetTestFolder(folder).datasets, TestWorkers.options(timeout));
  }

  private static ResultRows rows(Queries queries, String sql) throws IOException {
    return queries.rows(sql, List.of(), Limits.DEFAULT, () -> true);
  }

  private static long read(ResultRows rows) throws IOException {
    MemorySegment buffer = MemorySegment.ofArray(new byte[1 << 16]);
    long byteSize = 0;
    for (long count = rows.read(buffer); count >= 0; count = rows.read(buffer)) {
      byteSize += count;
    }
    return byteSize;
  }

  @Test
  void rowsThatWaitForTheirReaderLeaveOtherStatementsTheirWorkers() throws IOException {
    try (Queries queries = queries(Duration.ofSeconds(60));
        ResultRows first = rows(queries, LONG);
        ResultRows second = rows(queries, LONG)) {
      assertThat(queries.runningCount()).isEqualTo(2);
      assertThat(TestWorkers.columns(queries, "SELECT 1::BIGINT AS a")).hasToString("[[1]]");
      AtomicBoolean wanted = new AtomicBoolean(true);
      Thread waiting =
          Thread.ofPlatform()
              .start(() ->
                  assertThatThrownBy(
                          () -> queries.rows("SELECT 1", List.of(), Limits.DEFAULT, wanted::get))
                      .isInstanceOf(SqlException.Cancelled.class));
      eventually(() -> assertThat(queries.waitingCount()).isOne());
      assertThatThrownBy(() -> rows(queries, "SELECT 1"))
          .isInstanceOf(OverloadedException.class)
          .hasMessage(
              "Expected a worker for the statement but found all 2 busy"
                  + " (quiver.sql.upload-workers)");
      wanted.set(false);
      waiting.join();
      assertThat(first.schema().fields().getFirst().name()).isEqualTo("n");
      assertThat(second.read(MemorySegment.ofArray(new byte[8]))).isEqualTo(8);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void workerIsFreeOnceTheRowsAreReadOrNotWanted() throws IOException {
    try (Queries queries = queries(Duration.ofSeconds(60))) {
      ResultRows read = rows(queries, "SELECT range AS n FROM range(100000)");
      assertThat(read(read)).isGreaterThan(800_000);
      assertThat(queries.runningCount()).isZero();
      assertThat(read.read(MemorySegment.ofArray(new byte[8]))).isEqualTo(-1);
      read.close();
      assertThat(queries.runningCount()).isZero();
      try (ResultRows _ = rows(queries, LONG)) {
        assertThat(queries.runningCount()).isOne();
      }
      assertThat(queries.runningCount()).isZero();
      AtomicBoolean wanted = new AtomicBoolean(true);
      Thread leaving =
          Thread.ofPlatform()
              .start(() -> {
                eventually(() -> assertThat(queries.runningCount()).isOne());
                wanted.set(false);
              });
      assertThatThrownBy(() -> queries.rows(ENDLESS, List.of(), Limits.DEFAULT, wanted::get))
          .isInstanceOf(SqlException.Cancelled.class);
      leaving.join();
      assertThat(queries.runningCount()).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void statementHasATimeOfItsOwn() throws IOException {
    try (Queries queries = queries(Duration.ofMillis(700))) {
      assertThatThrownBy(() -> rows(queries, ENDLESS))
          .isInstanceOf(SqlException.Timeout.class)
          .hasMessage(
              "Expected the whole result within 700 ms but found less"
                  + " (quiver.sql.upload-timeout)");
      assertThat(queries.runningCount()).isZero();
    }
  }

  @Test
  void withoutTheEngineThereAreNoRows() throws IOException {
    try (Queries none =
        Queries.unavailable(
            new DatasetTestFolder(folder).datasets,
            TestWorkers.options(Duration.ofSeconds(1)),
            "SQL is off")) {
      assertThatThrownBy(() -> rows(none, "SELECT 1"))
          .isInstanceOf(SqlException.Unavailable.class)
          .hasMessage("SQL is off");
    }
  }
}
