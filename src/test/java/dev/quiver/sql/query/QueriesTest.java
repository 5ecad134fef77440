package dev.quiver.sql.query;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Statements in real worker processes, over a store in a folder.
class QueriesTest {

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(64, true)),
          Field.of("name", true, new ArrowType.Utf8()));

  @TempDir private static Path folder;
  private static Set<ProcessHandle> others = Set.of();
  private static Datasets datasets;
  private static TestQueries queries;

  @BeforeAll
  static void open() throws IOException {
    others = ProcessHandle.current().children().collect(Collectors.toSet());
    DatasetTestFolder data = new DatasetTestFolder(folder);
    datasets = data.datasets;
    put("flights", 3);
    put("a.b-c", 5);
    queries = TestQueries.of(datasets, TestWorkers.options(Duration.ofSeconds(30)));
  }

  @AfterAll
  static void close() {
    queries.close();
    datasets.close();
  }

  private static void put(String name, int rows) throws IOException {
    List<@Nullable Object> numbers = new ArrayList<>();
    List<@Nullable Object> names = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      numbers.add((long) i);
      names.add(i % 3 == 2 ? null : "name of row " + i);
    }
    DatasetTestFolder.put(datasets, name, SCHEMA, rows, List.of(numbers, names));
  }

  /// Returns the values of the first column, as integers.
  private static List<@Nullable Long> integers(String sql) throws IOException {
    return integers(queries, sql);
  }

  private static List<@Nullable Long> integers(TestQueries queries, String sql) throws IOException {
    try (Query query = queries.open(sql, TestWorkers.PRINCIPAL)) {
      ResultBatches batches = query.run("", List.of(), null, new ReadProgress());
      List<@Nullable Long> values = new ArrayList<>();
      for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
        Array column = Array.of(batch.columns().getFirst());
        for (long row = 0; row < batch.length(); row++) {
          values.add(column.isNull(row) ? null : ((Array.FixedWidth) column).integer(row));
        }
      }
      return values;
    }
  }

  @Test
  void readsDatasetsByTheirNames() throws IOException {
    assertThat(integers("select id from flights order by id desc")).containsExactly(2L, 1L, 0L);
    assertThat(integers("select count(name) from \"a.b-c\"")).containsExactly(4L);
    assertThat(integers("select count(*) from \"flights@1\"")).containsExactly(3L);
  }

  @Test
  void readsThePinnedVersion() throws IOException {
    put("trains", 3);
    put("trains", 7);
    assertThat(integers("select count(*) from \"trains@1\"")).containsExactly(3L);
    assertThat(integers("select count(*) from trains")).containsExactly(7L);
  }

  @Test
  void platformWithoutALibraryHasNoSql() throws IOException {
    SqlOptions options = TestWorkers.options(Duration.ofSeconds(30));
    String reason = "SQL is not available: the engine has no library for FreeBSD on amd64";
    try (TestQueries none = TestQueries.of(datasets, options, "FreeBSD", "amd64");
        Snapshot snapshot = datasets.open(DatasetReference.parse("flights"))) {
      assertThatThrownBy(() -> none.open("select 1", TestWorkers.PRINCIPAL))
          .isInstanceOf(SqlException.Unavailable.class)
          .hasMessage(reason);
      assertThatThrownBy(() -> none.conditions().matches(snapshot, "id = 1", TestWorkers.PRINCIPAL))
          .isInstanceOf(SqlException.Unavailable.class)
          .hasMessage(reason);
    }
  }

  @Test
  void statementsWithoutDatasetsRun() throws IOException {
    assertThat(integers("select 42::bigint")).containsExactly(42L);
  }

  @Test
  void reportsThePositionAndTheNearestNameOfAnUnknownDataset() {
    assertThatThrownBy(() -> integers("select * from fligths"))
        .asInstanceOf(type(SqlException.Invalid.class))
        .satisfies(failure -> {
          assertThat(failure.reason()).isEqualTo(SqlException.Reason.UNKNOWN_DATASET);
          assertThat(failure.position()).isEqualTo(14);
          assertThat(failure).hasMessageContaining("the nearest is flights");
        });
  }

  @Test
  void nearestNameIsNotADeletedDataset() throws IOException {
    put("flight", 1);
    datasets.delete(new DatasetName("flight"), new WriteCondition.None());
    assertThatThrownBy(() -> integers("select * from flight"))
        .hasMessageContaining("the nearest is flights");
  }

  @Test
  void syntaxErrorHasAPositionInCharacters() {
    assertThatThrownBy(() -> integers("select 'ä' frm flights flights"))
        .asInstanceOf(type(SqlException.Invalid.class))
        .satisfies(failure -> {
          assertThat(failure.reason()).isEqualTo(SqlException.Reason.INVALID_SQL);
          assertThat(failure.position()).isEqualTo(15);
        });
  }

  @Test
  void statementThatTakesTooLongIsInterruptedAndTheNextOneRuns() throws IOException {
    try (TestQueries brief =
        TestQueries.of(datasets, TestWorkers.options(Duration.ofMillis(500)))) {
      assertThatThrownBy(() -> integers(brief, "select count(*) from range(1000000000000000000)"))
          .isInstanceOf(SqlException.Timeout.class);
      requireAnswersAgain(brief);
    }
  }

  /// The first statement of a worker may exceed so short a time on a busy machine.
  private static void requireAnswersAgain(TestQueries brief) {
    eventually(() -> {
      try {
        assertThat(integers(brief, "select 1::bigint")).containsExactly(1L);
      } catch (SqlException.Timeout e) {
        throw new AssertionError(e);
      }
    });
  }

  @Tag("long")
  @Test
  void statementThatIgnoresItsInterruptionIsKilled() throws IOException {
    String stubborn = "select levenshtein(repeat('a', 200000), repeat('b', 200000))";
    try (TestQueries brief =
        TestQueries.of(datasets, TestWorkers.options(Duration.ofMillis(500)))) {
      assertThatThrownBy(() -> integers(brief, stubborn)).isInstanceOf(SqlException.Timeout.class);
      requireAnswersAgain(brief);
    }
  }

  @Test
  void statementThatNeedsTooMuchMemoryFails() throws IOException {
    assertThatThrownBy(() -> integers("select length(repeat('x', 4000000000))"))
        .isInstanceOf(SqlException.TooLarge.class)
        .hasMessageContaining("bytes of memory");
    assertThat(integers("select 1::bigint")).containsExactly(1L);
  }

  /// Returns the first value of a statement whose workers are ended while it runs.
  ///
  /// @param count the number of workers to end
  private long integerDespite(int count, String sql) throws Exception {
    ReadProgress progress = new ReadProgress();
    AtomicLong started = new AtomicLong();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Long> running =
          threads.submit(() -> {
            try (Query query = queries.open(sql, TestWorkers.PRINCIPAL)) {
              started.set(queries.startedCount());
              ResultBatches batches = query.run("", List.of(), null, progress);
              RecordBatch batch = Objects.requireNonNull(batches.next());
              return ((Array.FixedWidth) Array.of(batch.columns().getFirst())).integer(0);
            }
          });
      eventually(() -> assertThat(progress.rows()).isNotNull());
      for (int i = 0; i < count; i++) {
        long known = started.get() + i;
        eventually(() -> assertThat(queries.startedCount()).isEqualTo(known));
        workers().forEach(ProcessHandle::destroyForcibly);
      }
      return running.get();
    }
  }

  @Test
  void statementRunsAgainIfItsWorkerDies() throws Exception {
    assertThat(integerDespite(1, "select count(*) from range(2000000000)"))
        .isEqualTo(2_000_000_000);
  }

  @Test
  void statementFailsIfTwoWorkersDie() throws Exception {
    assertThatThrownBy(() -> integerDespite(2, "select count(*) from range(1000000000000000000)"))
        .cause()
        .isInstanceOf(SqlException.WorkerLost.class)
        .hasMessage(
            "Expected a result but found that the process of the statement had ended, and so had that of a second attempt");
    assertThat(integers("select 1::bigint")).containsExactly(1L);
  }

  /// Returns the processes that this test has started. Others belong to other tests.
  private Stream<ProcessHandle> workers() {
    return ProcessHandle.current().children().filter(child -> !others.contains(child));
  }

  @Test
  void resultBeyondItsLimitFails() {
    assertThatThrownBy(() -> integers("select range from range(100000000)"))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.sql.result-bytes");
  }

  @Test
  void statementOfTheLimitPassesAndOneByteMoreDoesNot() throws IOException {
    String shortest = "select 1::bigint";
    String longest = shortest + " ".repeat((64 << 10) - shortest.length());
    assertThat(integers(longest)).containsExactly(1L);
    assertThatThrownBy(() -> integers(longest + " "))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.sql.text-bytes");
  }

  /// The engine would take gigabytes for some thousands.
  @Test
  void statementIsNotParsedWithTooManyBrackets() throws IOException {
    assertThat(integers("select " + "(".repeat(120) + "1::bigint" + ")".repeat(120)))
        .containsExactly(1L);
    assertThatThrownBy(() -> integers("select " + "(".repeat(5_000)))
        .isInstanceOf(SqlException.Invalid.class)
        .hasMessage("Expected at most 250 brackets that are open at a time but found more");
  }

  @Test
  void asManyDatasetsAsTheLimitPassAndOneMoreDoesNot() throws IOException {
    assertThat(integers("select count(*) from flights, \"a.b-c\"")).containsExactly(15L);
    assertThatThrownBy(() -> integers("select 1 from flights, \"a.b-c\", \"flights@1\""))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.sql.datasets");
  }

  @Test
  void slowReadersLeaveWorkersToOthers() throws IOException {
    try (Query first = queries.open("select range from range(1000000)", TestWorkers.PRINCIPAL);
        Query second = queries.open("select range from range(1000000)", TestWorkers.PRINCIPAL)) {
      first.run("", List.of(), null, new ReadProgress());
      second.run("", List.of(), null, new ReadProgress());
      assertThat(integers("select 1::bigint")).containsExactly(1L);
    }
  }

  /// Takes both workers for statements that do not end, and has another one wait, so that the queue
  /// is full. All end when they are not wanted anymore.
  private List<Thread> takeAll(AtomicBoolean wanted) throws IOException {
    // The statement before may still be leaving its worker.
    eventually(() -> assertThat(queries.runningCount()).isZero());
    List<Thread> threads = new ArrayList<>();
    List<Query> slow = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      slow.add(
          queries.open("select count(*) from range(1000000000000000000)", TestWorkers.PRINCIPAL));
    }
    for (Query query : slow) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try (query) {
                  var _ =
                      Cancellation.when(() -> !wanted.get())
                          .call(() -> query.run("", List.of(), null, new ReadProgress()).next());
                } catch (IOException | RuntimeException e) {
                  // It is not wanted anymore.
                }
              }));
    }
    eventually(() -> assertThat(queries.runningCount()).isEqualTo(2));
    threads.add(
        Thread.ofPlatform()
            .start(() -> {
              try (Query _ =
                  Cancellation.when(() -> !wanted.get())
                      .call(() -> queries.open("select 1", TestWorkers.PRINCIPAL))) {
                // It gets a worker if another statement ends first.
              } catch (IOException | RuntimeException e) {
                // It is not wanted anymore.
              }
            }));
    eventually(() -> assertThat(queries.waitingCount()).isEqualTo(1));
    return threads;
  }

  /// A statement that waits asks again and again.
  private void rejectsWithoutWaiting() {
    AtomicInteger questions = new AtomicInteger();
    assertThatThrownBy(() ->
            Cancellation.when(() -> questions.incrementAndGet() < 0)
                .call(() -> queries.open("select 1", TestWorkers.PRINCIPAL)))
        .isInstanceOf(OverloadedException.class)
        .hasMessage("Expected an idle worker but found all 2 busy (quiver.sql.workers)");
    assertThat(questions).hasValue(0);
  }

  /// All workers are taken between its parsing and its run, and others wait.
  @Test
  void statementThatWasParsedIsNotRejected() throws Exception {
    AtomicBoolean wanted = new AtomicBoolean(true);
    try (Query parsed = queries.open("select 1::bigint", TestWorkers.PRINCIPAL)) {
      List<Thread> threads = takeAll(wanted);
      rejectsWithoutWaiting();
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                eventually(() -> assertThat(queries.waitingCount()).isEqualTo(2));
                wanted.set(false);
              }));
      assertThat(parsed.run("", List.of(), null, new ReadProgress()).next()).isNotNull();
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  @Test
  void statementsBeyondTheQueueAreRejected() throws Exception {
    AtomicBoolean wanted = new AtomicBoolean(true);
    List<Thread> threads = takeAll(wanted);
    rejectsWithoutWaiting();
    wanted.set(false);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(integers("select 1::bigint")).containsExactly(1L);
  }
}
