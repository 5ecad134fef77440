package dev.quiver.arrow.parallel;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
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

  private Future<@Nullable Integer> start(String key, BooleanSupplier wanted) throws Exception {
    return start(key, wanted, this::count);
  }

  private Future<@Nullable Integer> start(
      String key, BooleanSupplier wanted, SharedTasks.Task<Integer> task) throws Exception {
    CompletableFuture<Thread> started = new CompletableFuture<>();
    Future<@Nullable Integer> result =
        threads.submit(() -> {
          started.complete(Thread.currentThread());
          return tasks.get(key, wanted, task);
        });
    Thread thread = started.get();
    eventually(
        () -> assertThat(thread.getState()).isIn(Thread.State.TIMED_WAITING, Thread.State.WAITING));
    return result;
  }

  @Test
  void threadsThatAskBeforeATaskBeginsShareIt() throws Exception {
    List<Future<@Nullable Integer>> results = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      results.add(start("key", () -> true));
    }
    Future<@Nullable Integer> other = start("other", () -> true);
    mayBegin.countDown();
    mayEnd.countDown();
    Integer shared = results.getFirst().get();
    for (Future<@Nullable Integer> result : results) {
      assertThat(result.get()).isEqualTo(shared);
    }
    assertThat(other.get()).isNotEqualTo(shared);
    assertThat(runs).hasValue(2);
  }

  @Test
  void threadsThatAskDuringATaskShareTheNext() throws Exception {
    Future<@Nullable Integer> first = start("key", () -> true);
    mayBegin.countDown();
    begun.await();
    CountDownLatch next = new CountDownLatch(1);
    SharedTasks.Task<Integer> second =
        progress -> {
          await(next);
          progress.begin();
          return 10;
        };
    List<Future<@Nullable Integer>> later = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      later.add(start("key", () -> true, second));
    }
    mayEnd.countDown();
    assertThat(first.get()).isEqualTo(1);
    next.countDown();
    for (Future<@Nullable Integer> result : later) {
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
    List<Future<@Nullable Integer>> results = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      results.add(start("key", () -> true, failing));
    }
    mayBegin.countDown();
    mayEnd.countDown();
    for (Future<@Nullable Integer> result : results) {
      assertThatThrownBy(result::get)
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseMessage("broken");
    }
    assertThat(runs).hasValue(1);
  }

  @Test
  void aThreadThatNoLongerWantsTheResultLeaves() throws Exception {
    Future<@Nullable Integer> first = start("key", () -> true);
    AtomicBoolean wanted = new AtomicBoolean(true);
    Future<@Nullable Integer> second = start("key", wanted::get);
    wanted.set(false);
    assertThat(second.get()).isNull();
    mayBegin.countDown();
    mayEnd.countDown();
    assertThat(first.get()).isEqualTo(1);
  }

  /// The thread that runs a task goes on for those that share it, until none of them is left.
  @Test
  void aTaskIsWantedAsLongAsAnyThreadWantsIt() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    AtomicBoolean second = new AtomicBoolean(true);
    CompletableFuture<SharedTasks.Progress> running = new CompletableFuture<>();
    Future<@Nullable Integer> runner =
        start(
            "key",
            first::get,
            progress -> {
              running.complete(progress);
              return count(progress);
            });
    Future<@Nullable Integer> follower = start("key", second::get);
    SharedTasks.Progress progress = running.get();
    assertThat(progress.isWanted()).isTrue();
    first.set(false);
    assertThat(progress.isWanted()).isTrue();
    second.set(false);
    assertThat(follower.get()).isNull();
    assertThat(progress.isWanted()).isFalse();
    // No other thread shares a task that ends without a result.
    Future<@Nullable Integer> later =
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
}
