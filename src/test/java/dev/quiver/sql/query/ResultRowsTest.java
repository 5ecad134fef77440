package dev.quiver.sql.query;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.Streams;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.store.DatasetTestFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Results that are stored while they are computed, in real worker processes.
class ResultRowsTest {

  private static final String LONG = "SELECT range AS n FROM range(100000000)";
  private static final String ENDLESS = "SELECT count(*) AS n FROM range(1000000000000000000)";

  @TempDir private static Path folder;
  private static DatasetTestFolder data;
  private static TestQueries queries;

  @BeforeAll
  static void open() throws IOException {
    data = new DatasetTestFolder(folder);
    queries = queries(Duration.ofSeconds(60));
  }

  @AfterAll
  static void close() {
    queries.close();
    data.datasets.close();
  }

  private static TestQueries queries(Duration timeout) {
    return TestQueries.of(data.datasets, TestWorkers.options(timeout));
  }

  private static ResultRows rows(TestQueries queries, String sql) throws IOException {
    return queries.rows(sql, List.of(), TestWorkers.PRINCIPAL, Limits.DEFAULT);
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
  void rowsThatAwaitTheirReaderLeaveWorkersToOtherStatements() throws IOException {
    try (ResultRows first = rows(queries, LONG);
        ResultRows second = rows(queries, LONG)) {
      assertThat(queries.runningCount()).isEqualTo(2);
      assertThat(TestWorkers.columns(queries, "SELECT 1::BIGINT AS a")).hasToString("[[1]]");
      AtomicBoolean wanted = new AtomicBoolean(true);
      Thread waiting =
          Thread.ofPlatform()
              .start(() ->
                  assertThatThrownBy(
                          () -> whileWanted(wanted).call(() -> rows(queries, "SELECT 1")))
                      .isInstanceOf(CancelledException.class));
      eventually(() -> assertThat(queries.waitingCount()).isOne());
      assertThatThrownBy(() -> rows(queries, "SELECT 1"))
          .isInstanceOf(OverloadedException.class)
          .hasMessage(
              "Expected an idle worker but found all 2 busy" + " (quiver.sql.upload-workers)");
      wanted.set(false);
      waiting.join();
      assertThat(first.schema().fields().getFirst().name()).isEqualTo("n");
      assertThat(second.read(MemorySegment.ofArray(new byte[8]))).isEqualTo(8);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void workerIsFreeOnceTheRowsAreReadOrNotWanted() throws Exception {
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
    assertThatThrownBy(() -> whileWanted(wanted).call(() -> rows(queries, ENDLESS)))
        .isInstanceOf(CancelledException.class);
    leaving.join();
    assertThat(queries.runningCount()).isZero();
  }

  @Tag("long")
  @Test
  void admittedStatementIsNotTurnedAway() throws Exception {
    try (ResultRows first = rows(queries, LONG);
        ResultRows _ = rows(queries, LONG)) {
      AtomicBoolean wanted = new AtomicBoolean(true);
      Thread queued = Thread.ofPlatform().start(() -> cancelled(queries, wanted));
      eventually(() -> assertThat(queries.waitingCount()).isOne());
      assertThatThrownBy(() -> rows(queries, "SELECT 1")).isInstanceOf(OverloadedException.class);
      // The queue is full, and the statement waits all the same.
      AtomicBoolean admittedWanted = new AtomicBoolean(true);
      Thread left =
          Thread.ofPlatform()
              .start(() ->
                  assertThatThrownBy(() -> admitted(queries, "SELECT 1", admittedWanted))
                      .isInstanceOf(CancelledException.class));
      eventually(() -> assertThat(queries.waitingCount()).isEqualTo(2));
      admittedWanted.set(false);
      left.join();
      AtomicLong byteSize = new AtomicLong();
      Thread admitted =
          Thread.ofPlatform()
              .start(() -> byteSize.set(admitted(queries, "SELECT 1", new AtomicBoolean(true))));
      eventually(() -> assertThat(queries.waitingCount()).isEqualTo(2));
      first.close();
      admitted.join();
      assertThat(byteSize).hasPositiveValue();
      wanted.set(false);
      queued.join();
    }
  }

  private static void cancelled(TestQueries queries, AtomicBoolean wanted) {
    assertThatThrownBy(() ->
            whileWanted(wanted)
                .call(() -> {
                  rows(queries, LONG).close();
                  return null;
                }))
        .isInstanceOf(CancelledException.class);
  }

  private static long admitted(TestQueries queries, String sql, AtomicBoolean wanted) {
    try (ResultRows rows =
        whileWanted(wanted)
            .call(() ->
                queries.rows(
                    sql, List.of(), TestWorkers.PRINCIPAL, Limits.DEFAULT, new ReadProgress()))) {
      return read(rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ReadProgress progress(TestQueries queries, String sql) throws IOException {
    ReadProgress progress = new ReadProgress();
    try (ResultRows rows =
        queries.rows(sql, List.of(), TestWorkers.PRINCIPAL, Limits.DEFAULT, progress)) {
      read(rows);
    }
    return progress;
  }

  @Test
  void rowsThatAreReadAreCountedOnce() throws IOException {
    data.put(Streams.numbers(0, 100, 100, 50));
    for (String sql :
        List.of(
            "SELECT sum(number) FROM data",
            "SELECT count(*) FROM data",
            "SELECT * FROM data",
            "SELECT * FROM data WHERE number % 2 = 3",
            "SELECT count(*) FROM data AS a JOIN data AS b USING (number)")) {
      ReadProgress whole = progress(queries, sql);
      assertThat(whole.rows()).as(sql).isEqualTo(new ReadProgress.Rows(250, 250));
    }
    // Batches that cannot match do not count.
    ReadProgress pruned = progress(queries, "SELECT * FROM data WHERE number >= 150");
    assertThat(pruned.rows()).isEqualTo(new ReadProgress.Rows(150, 150));
    ReadProgress twoVersions = progress(queries, "FROM data UNION ALL FROM \"data@1\"");
    assertThat(twoVersions.rows()).isEqualTo(new ReadProgress.Rows(500, 500));
    for (String sql : List.of("SELECT 1", "FROM range(100000)", "FROM data WHERE number < 0")) {
      ReadProgress none = progress(queries, sql);
      assertThat(none.rows()).as(sql).isEqualTo(new ReadProgress.Rows(0, 0));
    }
  }

  @Test
  void statementsAreCheckedUnlessAllWorkersAreBusy() throws Exception {
    queries.queries().check("SELECT 1", TestWorkers.PRINCIPAL);
    assertThatThrownBy(() -> queries.queries().check("SELEC 1", TestWorkers.PRINCIPAL))
        .isInstanceOf(SqlException.Invalid.class);
    assertThatThrownBy(() -> queries.queries().check("FROM nowhere", TestWorkers.PRINCIPAL))
        .isInstanceOf(SqlException.Invalid.class);
    assertThat(queries.runningCount()).isZero();
    AtomicBoolean wanted = new AtomicBoolean(true);
    List<Thread> busy = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ReadProgress progress = new ReadProgress();
      busy.add(
          Thread.ofPlatform()
              .start(() ->
                  assertThatThrownBy(() -> run(queries, ENDLESS, wanted, progress))
                      .isInstanceOf(CancelledException.class)));
      // Between its parsing and its run, a statement has no worker.
      eventually(() -> assertThat(progress.rows()).isNotNull());
    }
    busy.add(
        Thread.ofPlatform()
            .start(() ->
                assertThatThrownBy(() ->
                        whileWanted(wanted)
                            .call(() -> {
                              queries.queries().check("SELECT 1", TestWorkers.PRINCIPAL);
                              return null;
                            }))
                    .isInstanceOf(CancelledException.class)));
    eventually(() -> assertThat(queries.waitingCount()).isOne());
    queries.queries().check("SELEC 1", TestWorkers.PRINCIPAL);
    wanted.set(false);
    for (Thread thread : busy) {
      thread.join();
    }
  }

  private static Cancellation whileWanted(AtomicBoolean wanted) {
    return Cancellation.when(() -> !wanted.get());
  }

  private static void run(
      TestQueries queries, String sql, AtomicBoolean wanted, ReadProgress progress)
      throws IOException {
    var _ =
        whileWanted(wanted)
            .call(() -> {
              try (Query query = queries.open(sql, TestWorkers.PRINCIPAL)) {
                return query.run("", List.of(), null, progress);
              }
            });
  }

  @Tag("long")
  @Test
  void statementOfAnUploadHasItsOwnTimeout() throws IOException {
    try (TestQueries brief = queries(Duration.ofMillis(700))) {
      assertThatThrownBy(() -> rows(brief, ENDLESS))
          .isInstanceOf(SqlException.Timeout.class)
          .hasMessage(
              "Expected the whole result within 700 ms but found less"
                  + " (quiver.sql.upload-timeout)");
      assertThat(brief.runningCount()).isZero();
    }
  }

  @Test
  void failsWithoutTheEngine() throws IOException {
    try (TestQueries none =
        TestQueries.unavailable(
            data.datasets, TestWorkers.options(Duration.ofSeconds(1)), "SQL is off")) {
      assertThatThrownBy(() -> rows(none, "SELECT 1"))
          .isInstanceOf(SqlException.Unavailable.class)
          .hasMessage("SQL is off");
    }
  }
}
