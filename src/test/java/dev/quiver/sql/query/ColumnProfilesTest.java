package dev.quiver.sql.query;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.statistics.ColumnProfile;
import dev.quiver.arrow.statistics.ProfiledColumn;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Statistics of stored versions: when they are calculated, and where they are kept.
@Timeout(120)
class ColumnProfilesTest {

  @TempDir private Path folder;
  private DatasetTestFolder data;
  private TestQueries queries;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
    data.put(SampleStreams.stream(3, 5, 9));
    queries = queries(Duration.ofSeconds(60), 16 << 20);
  }

  /// Statistics need no engine.
  private TestQueries queries(Duration timeout, long byteSize) {
    return TestQueries.unavailable(
        data.datasets, TestWorkers.options(timeout, 1, 64 << 10, byteSize), "Off");
  }

  @AfterEach
  void close() {
    queries.close();
    data.datasets.close();
  }

  private List<ColumnProfile> profiles() throws IOException {
    return profiles(queries, data.datasets);
  }

  private static List<ColumnProfile> profiles(TestQueries queries, Datasets datasets)
      throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(DatasetTestFolder.NAME, null))) {
      return queries.profiles().of(snapshot, ProfiledColumn.all(snapshot.schema()));
    }
  }

  private List<ColumnProfile> profiles(int... columns) throws IOException {
    try (Snapshot snapshot = data.open()) {
      List<List<Integer>> paths = new ArrayList<>();
      for (int column : columns) {
        paths.add(List.of(column));
      }
      return queries.profiles().of(snapshot, ProfiledColumn.at(snapshot.schema(), paths));
    }
  }

  private List<String> kept() throws IOException {
    return data.store.list("data/", null, 1000).stream()
        .filter(key -> key.endsWith(".statistics"))
        .toList();
  }

  @Test
  void statisticsAreCalculatedOnceAndThenRead() throws IOException {
    List<ColumnProfile> first = profiles();
    assertThat(first).hasSameSizeAs(SampleStreams.SCHEMA.fields());
    assertThat(kept()).hasSize(1);
    assertThat(profiles()).isEqualTo(first);
    assertThat(queries.profiles().evaluationCount()).isEqualTo(1);
    assertThat(profiles(1)).isEqualTo(first.subList(1, 2));
    assertThat(queries.profiles().evaluationCount()).isEqualTo(1);
  }

  @Test
  void anotherProcessReadsWhatOneHasCalculated() throws IOException {
    List<ColumnProfile> first = profiles();
    try (Datasets others = new Datasets(data.store, DatasetOptions.DEFAULT);
        TestQueries otherQueries = queries(Duration.ofSeconds(60), 16 << 20)) {
      assertThat(profiles(otherQueries, others)).isEqualTo(first);
      assertThat(otherQueries.profiles().evaluationCount()).isZero();
    }
  }

  @Test
  void selectedColumnsAreKeptOneByOne() throws IOException {
    List<ColumnProfile> second = profiles(1);
    assertThat(kept()).hasSize(1);
    List<ColumnProfile> both = profiles(1, 0);
    assertThat(both.getFirst()).isEqualTo(second.getFirst());
    assertThat(kept()).hasSize(2);
    long evaluations = queries.profiles().evaluationCount();
    assertThat(profiles(0)).isEqualTo(both.subList(1, 2));
    assertThat(queries.profiles().evaluationCount()).isEqualTo(evaluations);
    assertThat(profiles().subList(0, 2)).isEqualTo(both.reversed());
  }

  @Test
  void brokenStatisticsAreCalculatedAgain() throws IOException {
    List<ColumnProfile> first = profiles();
    String key = kept().getFirst();
    byte[] intact;
    try (Blob blob = data.store.open(key)) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[(int) blob.byteSize()]);
      blob.readFully(0, bytes);
      intact = bytes.toArray(LittleEndian.INT8);
    }
    for (int position : new int[] {0, 8, 12, 20, intact.length - 1, -1}) {
      byte[] broken = position < 0 ? new byte[3] : intact.clone();
      if (position >= 0) {
        broken[position] ^= 1;
      }
      data.store.delete(key);
      data.store.putIfAbsent(key, MemorySegment.ofArray(broken));
      long before = queries.profiles().evaluationCount();
      assertThat(profiles()).as("position %d", position).isEqualTo(first);
      assertThat(profiles()).isEqualTo(first);
      assertThat(queries.profiles().evaluationCount()).isEqualTo(before + 1);
    }
  }

  @Test
  void compactionSharesStatistics() throws IOException {
    profiles();
    assertThat(
            data.datasets
                .compact(DatasetTestFolder.NAME, new WriteCondition.None())
                .summary()
                .version())
        .isEqualTo(2);
    profiles();
    assertThat(queries.profiles().evaluationCount()).isEqualTo(1);
    data.put(SampleStreams.stream(1));
    profiles();
    assertThat(queries.profiles().evaluationCount()).isEqualTo(2);
  }

  @Test
  void memoryIsLimited() throws IOException {
    try (TestQueries poor = queries(Duration.ofSeconds(60), 1000)) {
      assertThatThrownBy(() -> profiles(poor, data.datasets))
          .isInstanceOf(TooLargeInputException.class)
          .hasMessageContaining("quiver.where.memory");
    }
    assertThat(kept()).isEmpty();
    // Enough for one column at a time.
    try (TestQueries sparing = queries(Duration.ofSeconds(60), 64 << 10)) {
      assertThat(profiles(sparing, data.datasets)).isEqualTo(profiles());
    }
  }

  @Test
  void timeIsLimited() throws IOException {
    try (TestQueries hasty = queries(Duration.ZERO, 16 << 20)) {
      assertThatThrownBy(() -> profiles(hasty, data.datasets))
          .isInstanceOf(SqlException.Timeout.class)
          .hasMessageContaining("quiver.where.timeout");
    }
    assertThat(kept()).isEmpty();
  }

  @Test
  void calculationEndsIfTheClientLeaves() throws IOException {
    AtomicInteger questions = new AtomicInteger();
    try (Snapshot snapshot = data.open()) {
      List<ProfiledColumn> columns = ProfiledColumn.all(snapshot.schema());
      assertThatThrownBy(() ->
              Cancellation.when(() -> questions.incrementAndGet() >= 2)
                  .call(() -> queries.profiles().of(snapshot, columns)))
          .isInstanceOf(CancelledException.class);
    }
    assertThat(kept()).isEmpty();
    assertThat(profiles()).isNotEmpty();
  }

  @Test
  void requestsAtTheSameTimeShareTheCalculation() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    BooleanSupplier stands =
        () -> {
          asked.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return true;
        };
    FutureTask<List<ColumnProfile>> runner = task(stands);
    Thread first = Thread.ofPlatform().start(runner);
    asked.await();
    AtomicInteger questions = new AtomicInteger();
    FutureTask<List<ColumnProfile>> follower = task(() -> questions.incrementAndGet() > 0);
    Thread second = Thread.ofPlatform().start(follower);
    eventually(() -> assertThat(questions.get()).isPositive());
    mayGoOn.countDown();
    assertThat(follower.get()).isSameAs(runner.get());
    assertThat(queries.profiles().evaluationCount()).isEqualTo(1);
    first.join();
    second.join();
  }

  private FutureTask<List<ColumnProfile>> task(BooleanSupplier wanted) {
    return new FutureTask<>(() -> {
      try (Snapshot snapshot = data.open()) {
        return Cancellation.when(() -> !wanted.getAsBoolean())
            .call(() -> queries.profiles().of(snapshot, ProfiledColumn.all(snapshot.schema())));
      }
    });
  }
}
