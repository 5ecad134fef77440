package dev.quiver.arrow.parallel;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which threads share a task, and which run it.
@Timeout(60)
class SharedTasksTest {

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SharedTasks<String, Integer> tasks = new SharedTasks<>();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch mayBegin = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  /// Waits before it begins, and again before it ends.
  private int count(SharedTasks.Progress progress) {
    await(mayBegin);
    progress.begin();
    begun.countDown();
    await(mayEnd);
    return runs.incrementAndGet();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Future<Integer> start(String key, BooleanSupplier wanted) throws Exception {
    return start(key, wanted, this::count);
  }

  private Future<Integer> start(String key, BooleanSupplier wanted, SharedTasks.Task<Integer> task)
      throws Exception {
    CompletableFuture<Thread> started = new CompletableFuture<>();
    Callable<Integer> get =
        () -> {
          started.complete(Thread.currentThread());
          return Cancellation.when(() -> !wanted.getAsBoolean()).call(() -> tasks.get(key, task));
        };
    Future<Integer> result = threads.submit(Cancellation.NEVER.carried(get));
    Thread thread = started.get();
    eventually(
        () -> assertThat(thread.getState()).isIn(Thread.State.TIMED_WAITING, Thread.State.WAITING));
    return result;
  }

  private static void assertCancelled(Future<Integer> result) {
    assertThatThrownBy(result::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CancelledException.class);
  }

  @Test
  void threadsThatAskBeforeATaskBeginsShareIt() throws Exception {
    List<Future<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      results.add(start("key", () -> true));
    }
    Future<Integer> other = start("other", () -> true);
    mayBegin.countDown();
    mayEnd.countDown();
    Integer shared = results.getFirst().get();
    for (Future<Integer> result : results) {
      assertThat(result.get()).isEqualTo(shared);
    }
    assertThat(other.get()).isNotEqualTo(shared);
    assertThat(runs).hasValue(2);
  }

  @Test
  void threadsThatAskDuringATaskShareTheNext() throws Exception {
    Future<Integer> first = start("key", () -> true);
    mayBegin.countDown();
    begun.await();
    CountDownLatch next = new CountDownLatch(1);
    SharedTasks.Task<Integer> second =
        progress -> {
          await(next);
          progress.begin();
          return 10;
        };
    List<Future<Integer>> later = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      later.add(start("key", () -> true, second));
    }
    mayEnd.countDown();
    assertThat(first.get()).isEqualTo(1);
    next.countDown();
    for (Future<Integer> result : later) {
      assertThat(result.get()).isEqualTo(10);
    }
    assertThat(runs).hasValue(1);
  }

  @Test
  void failuresAreShared() throws Exception {
    SharedTasks.Task<Integer> failing =
        progress -> {
          count(progress);
          throw new IOException("broken");
        };
    List<Future<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      results.add(start("key", () -> true, failing));
    }
    mayBegin.countDown();
    mayEnd.countDown();
    for (Future<Integer> result : results) {
      assertThatThrownBy(result::get)
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseMessage("broken");
    }
    assertThat(runs).hasValue(1);
  }

  @Test
  void aThreadThatNoLongerWantsTheResultLeaves() throws Exception {
    Future<Integer> first = start("key", () -> true);
    AtomicBoolean wanted = new AtomicBoolean(true);
    Future<Integer> second = start("key", wanted::get);
    wanted.set(false);
    assertCancelled(second);
    mayBegin.countDown();
    mayEnd.countDown();
    assertThat(first.get()).isEqualTo(1);
  }

  /// The thread that runs a task goes on for those that share it, until none of them is left.
  @Test
  void aTaskIsWantedAsLongAsAnyThreadWantsIt() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    AtomicBoolean second = new AtomicBoolean(true);
    CompletableFuture<Cancellation> running = new CompletableFuture<>();
    Future<Integer> runner =
        start(
            "key",
            first::get,
            progress -> {
              running.complete(Cancellation.current());
              return count(progress);
            });
    Future<Integer> follower = start("key", second::get);
    Cancellation shared = running.get();
    assertThat(shared.isRequested()).isFalse();
    first.set(false);
    assertThat(shared.isRequested()).isFalse();
    second.set(false);
    assertCancelled(follower);
    assertThat(shared.isRequested()).isTrue();
    // No other thread shares a task that ends without a result.
    Future<Integer> later =
        start(
            "key",
            () -> true,
            _ -> {
              await(mayEnd);
              return 10;
            });
    mayBegin.countDown();
    mayEnd.countDown();
    assertThat(later.get()).isEqualTo(10);
    runner.get();
  }

  /// The share of one client that is full says nothing of that of another.
  @Test
  void rejectionOfOneClaimantIsNotThatOfAnother() throws Exception {
    Claimant alice = new Claimant("alice", /* isAlone= */ false);
    Claimant bob = new Claimant("bob", /* isAlone= */ false);
    SharedTasks.Task<Integer> rejectsAlice =
        _ -> {
          await(mayEnd);
          if (Claimant.current().equals(alice)) {
            throw new OverloadedException("full");
          }
          return runs.incrementAndGet();
        };
    Future<Integer> first = alice.call(() -> start("a", () -> true, rejectsAlice));
    Future<Integer> second = alice.call(() -> start("a", () -> true, rejectsAlice));
    Future<Integer> third = bob.call(() -> start("a", () -> true, rejectsAlice));
    mayEnd.countDown();
    assertThat(third.get()).isOne();
    for (Future<Integer> rejected : List.of(first, second)) {
      assertThatThrownBy(rejected::get).hasCauseInstanceOf(OverloadedException.class);
    }
  }
}
