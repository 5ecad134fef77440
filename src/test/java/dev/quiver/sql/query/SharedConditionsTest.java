package dev.quiver.sql.query;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Conditions that several clients ask for at the same time. There are two workers, and one may
/// wait.
@Timeout(120)
class SharedConditionsTest {

  private static final int BATCHES = 3;

  @TempDir private Path folder;
  private DatasetTestFolder data;
  private TestQueries queries;
  private final List<Client> clients = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
    data.put(SampleStreams.stream(3, 5, 9));
    queries = TestQueries.of(data.datasets, TestWorkers.options(Duration.ofSeconds(60)));
  }

  @AfterEach
  void close() throws InterruptedException {
    for (Client client : clients) {
      client.leave();
      client.thread.join();
    }
    queries.close();
    data.datasets.close();
  }

  /// A client that asks for the matches of a condition. The thread that evaluates it stands still
  /// at the first question whether it is wanted.
  private final class Client {

    private final FutureTask<RowMatches> matches;
    private final Thread thread;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch mayGoOn;
    private volatile boolean left;

    Client(String condition, boolean stands) {
      this.mayGoOn = new CountDownLatch(stands ? 1 : 0);
      this.matches =
          new FutureTask<>(() -> {
            try (Snapshot snapshot = data.open()) {
              return Cancellation.when(this::hasLeft)
                  .call(() ->
                      queries.conditions().matches(snapshot, condition, TestWorkers.PRINCIPAL));
            }
          });
      this.thread = Thread.ofPlatform().start(matches);
      clients.add(this);
    }

    private boolean hasLeft() {
      asked.countDown();
      try {
        mayGoOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return left;
    }

    void goOn() {
      mayGoOn.countDown();
    }

    void leave() {
      left = true;
      goOn();
    }

    void awaitQuestion() {
      eventually(() -> assertThat(asked.getCount()).isZero());
    }

    RowMatches matches() throws ExecutionException, InterruptedException {
      return matches.get();
    }

    void assertCancelled() {
      assertThatThrownBy(this::matches).hasCauseInstanceOf(CancelledException.class);
    }
  }

  /// Starts a client whose evaluation stands still.
  private Client standing(String condition) {
    Client client = new Client(condition, /* stands= */ true);
    client.awaitQuestion();
    return client;
  }

  /// Starts a client that waits for another one.
  private Client waiting(String condition) {
    Client client = new Client(condition, /* stands= */ false);
    client.awaitQuestion();
    return client;
  }

  private void assertReadBatches(long expected) {
    assertThat(queries.conditions().readBatchCount()).isEqualTo(expected);
  }

  @Test
  void equalConditionsAreEvaluatedOnce() throws Exception {
    String condition = "length(color) > 0";
    Client first = standing(condition);
    List<Client> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      others.add(waiting(condition));
    }
    assertReadBatches(0);
    first.goOn();
    for (Client other : others) {
      assertThat(other.matches()).isSameAs(first.matches());
    }
    assertReadBatches(BATCHES);
  }

  @Tag("long")
  @Test
  void clientThatLeavesDoesNotWait() throws Exception {
    Client first = standing("number >= 0");
    Client same = waiting("number >= 0");
    same.leave();
    same.assertCancelled();
    Client second = standing("number >= 1");
    Client queued = waiting("number >= 2");
    queued.leave();
    queued.assertCancelled();
    assertThat(first.matches.isDone()).isFalse();
    assertThat(second.matches.isDone()).isFalse();
    assertReadBatches(0);
    first.goOn();
    assertThat(first.matches().count()).isPositive();
  }

  @Tag("long")
  @Test
  void evaluationGoesOnWhileAnyClientWaits() throws Exception {
    Client first = standing("number >= 0");
    Client second = waiting("number >= 0");
    first.leave();
    assertThat(second.matches().count()).isPositive();
    assertReadBatches(BATCHES);
  }

  @Test
  void evaluationEndsOnceNoClientWaits() {
    Client first = standing("number >= 0");
    Client second = waiting("number >= 0");
    second.leave();
    second.assertCancelled();
    first.leave();
    first.assertCancelled();
    assertReadBatches(0);
  }

  @Test
  void conditionsBeyondTheQueueAreRejected() throws Exception {
    Client first = standing("number >= 0");
    Client second = standing("number >= 1");
    Client queued = waiting("number >= 2");
    // Workers are idle: they have parsed both.
    assertThat(queries.runningCount()).isZero();
    Client rejected = new Client("number >= 3", /* stands= */ false);
    assertThatThrownBy(rejected::matches)
        .hasCauseInstanceOf(OverloadedException.class)
        .hasMessageEndingWith(
            "Expected a turn to evaluate the condition but found all 2 taken (quiver.sql.workers)");
    assertReadBatches(0);
    first.goOn();
    assertThat(queued.matches().count()).isPositive();
    second.goOn();
    assertThat(second.matches().count()).isPositive();
    assertThat(new Client("number >= 3", /* stands= */ false).matches().count()).isPositive();
  }

  @Test
  void statementThatIsNotWantedReadsNoStatistics() throws IOException {
    try (Query query =
        queries.open("select number from data where number >= 0", TestWorkers.PRINCIPAL)) {
      assertThatThrownBy(() ->
              Cancellation.when(() -> true)
                  .call(() -> query.run("", List.of(), null, new ReadProgress())))
          .isInstanceOf(CancelledException.class);
      assertThat(queries.queries().readBatchCount()).isZero();
      assertThat(queries.queries().skippedBatchCount()).isZero();
    }
  }
}
