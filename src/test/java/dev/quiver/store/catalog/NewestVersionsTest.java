package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.AgingDatasets;
import dev.quiver.store.Datasets;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.UnreliableStore.Operation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The questions about latest versions that a remote store is asked.
class NewestVersionsTest {

  private static final DatasetReference FLIGHTS = DatasetReference.parse("flights");

  @TempDir private Path folder;
  private AgingDatasets aging;
  private Remote store;

  /// The datasets of a replica whose questions are counted.
  private Datasets replica;

  @BeforeEach
  void open() throws IOException {
    aging = new AgingDatasets(folder);
    store = new Remote(aging.store);
    replica = aging.on(store);
  }

  /// A store whose questions take requests.
  private static final class Remote extends UnreliableStore {

    private final List<Operation> asked = Collections.synchronizedList(new ArrayList<>());

    Remote(BlobStore store) {
      super(store);
      setFault(this::note);
    }

    private void note(Moment moment) {
      boolean isQuestion =
          switch (moment.operation()) {
            case LIST, EXISTS, PUT, DELETE -> true;
            default -> false;
          };
      if (!moment.after() && isQuestion && moment.key().startsWith(StoreKeys.MANIFESTS)) {
        asked.add(moment.operation());
      }
    }

    /// Returns how often the store was asked since the last call, by operation.
    Map<Operation, Integer> taken() {
      Map<Operation, Integer> counts = new TreeMap<>();
      synchronized (asked) {
        asked.forEach(operation -> counts.merge(operation, 1, Integer::sum));
        asked.clear();
      }
      return counts;
    }

    @Override
    public boolean isRemote() {
      return true;
    }
  }

  private long version() throws IOException {
    return replica.summary(FLIGHTS).version();
  }

  @Test
  void asksForTheSuccessorOfTheVersionLastSeen() throws IOException {
    aging.put();
    assertThat(version()).isEqualTo(1);
    assertThat(store.taken()).containsOnlyKeys(Operation.LIST);
    assertThat(version()).isEqualTo(1);
    assertThat(store.taken()).isEqualTo(Map.of(Operation.EXISTS, 1));
    aging.put();
    assertThat(version()).isEqualTo(2);
    assertThat(store.taken()).isEqualTo(Map.of(Operation.EXISTS, 2));
  }

  @Test
  void listsIfSeveralVersionsWereCommittedSince() throws IOException {
    aging.put();
    version();
    aging.put();
    aging.put();
    aging.put();
    store.taken();
    assertThat(version()).isEqualTo(4);
    assertThat(store.taken()).isEqualTo(Map.of(Operation.EXISTS, 2, Operation.LIST, 1));
  }

  /// All versions up to the one last seen and its successor may have been deleted then.
  @Test
  void listsIfTheLastLookWasLongAgo() throws IOException {
    aging.put();
    version();
    aging.put();
    aging.put();
    aging.clock.advanceHours(49);
    aging.collectGarbage();
    assertThat(aging.versions()).isEqualTo(List.of(3L));
    store.taken();
    assertThat(version()).isEqualTo(3);
    assertThat(store.taken()).containsOnlyKeys(Operation.LIST);
  }

  @Test
  void asksAboutAMissingNameByListing() throws IOException {
    aging.put(replica);
    assertThat(store.taken()).isEqualTo(Map.of(Operation.LIST, 1, Operation.PUT, 1));
    assertThat(version()).isEqualTo(1);
    assertThat(store.taken()).isEqualTo(Map.of(Operation.EXISTS, 1));
  }

  @Test
  void writePutsTheSuccessorAndAsksAgainIfItIsRefused() throws IOException {
    aging.put(replica);
    store.taken();
    aging.put(replica);
    assertThat(store.taken()).isEqualTo(Map.of(Operation.EXISTS, 1, Operation.PUT, 1));
    store.setFault(moment -> {
      store.note(moment);
      if (!moment.after()
          && moment.operation() == Operation.PUT
          && moment.key().startsWith(StoreKeys.MANIFESTS)) {
        store.setFault(store::note);
        aging.put();
      }
    });
    aging.put(replica);
    assertThat(version()).isEqualTo(4);
    assertThat(store.taken()).isEqualTo(Map.of(Operation.EXISTS, 3, Operation.PUT, 2));
    assertThat(aging.versions()).isEqualTo(List.of(4L, 3L, 2L, 1L));
  }

  /// A thread that asks while a question is in flight shares the next one, which begins later.
  @Test
  void threadsShareQuestions() throws Exception {
    aging.put();
    version();
    store.taken();
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(1);
    store.setFault(moment -> {
      store.note(moment);
      if (moment.operation() == Operation.EXISTS && first.getCount() > 0) {
        first.countDown();
        await(all);
      }
    });
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Long> answered = threads.submit(this::version);
      await(first);
      // The answer of the question in flight is too old for those that ask from now on.
      aging.put();
      List<Future<Long>> later =
          IntStream.range(0, 8).mapToObj(_ -> threads.submit(this::version)).toList();
      while (waiting() < 8) {
        Thread.sleep(Duration.ofMillis(1));
      }
      all.countDown();
      assertThat(answered.get()).isGreaterThanOrEqualTo(1);
      for (Future<Long> each : later) {
        assertThat(each.get()).isEqualTo(2);
      }
    }
    assertThat(store.taken()).isEqualTo(Map.of(Operation.EXISTS, 3));
  }

  /// Returns the number of threads that wait for a question or for its answer.
  private static long waiting() {
    return Thread.getAllStackTraces().values().stream()
            .filter(stack ->
                List.of(stack).stream()
                    .anyMatch(frame -> frame.getClassName().contains("SharedTasks")))
            .filter(stack ->
                List.of(stack).stream()
                    .anyMatch(frame ->
                        frame.getMethodName().equals("await")
                            || frame.getMethodName().equals("lock")))
            .count()
        - 1;
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
