package dev.quiver.arrow.parallel;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The order in which threads get permits, and the threads that leave without one.
@Timeout(60)
class PermitQueueTest {

  private static final Duration LONG = Duration.ofDays(1);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<Integer> acquired = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  /// A waiting thread.
  private record Waiter(Thread thread, Future<Boolean> acquired) {}

  private Waiter startWaiting(PermitQueue permits, int number, BooleanSupplier wanted)
      throws Exception {
    return startWaiting(() -> permits.acquire(Long.MAX_VALUE, LONG, wanted), number);
  }

  private Waiter startWaiting(Callable<Boolean> acquire, int number) throws Exception {
    CompletableFuture<Thread> started = new CompletableFuture<>();
    Future<Boolean> result =
        threads.submit(() -> {
          started.complete(Thread.currentThread());
          boolean has = acquire.call();
          if (has) {
            acquired.add(number);
          }
          return has;
        });
    Thread thread = started.get();
    eventually(() -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
    return new Waiter(thread, result);
  }

  private static boolean tryAcquire(PermitQueue permits) throws InterruptedException {
    return permits.acquire(
        0,
        LONG,
        () -> {
          throw new AssertionError("asked without need");
        });
  }

  @Test
  void givesPermitsInTheOrderInWhichTheyWereAskedFor() throws Exception {
    PermitQueue permits = new PermitQueue(2);
    assertThat(tryAcquire(permits)).isTrue();
    assertThat(tryAcquire(permits)).isTrue();
    assertThat(tryAcquire(permits)).isFalse();
    List<Waiter> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiters.add(startWaiting(permits, i, () -> true));
    }
    for (int i = 0; i < 5; i++) {
      permits.release();
      // A thread that asks now does not pass those that wait.
      assertThat(tryAcquire(permits)).isFalse();
      assertThat(acquired.take()).isEqualTo(i);
    }
    for (Waiter waiter : waiters) {
      assertThat(waiter.acquired().get()).isTrue();
    }
    permits.release();
    assertThat(tryAcquire(permits)).isTrue();
  }

  @Test
  void workThatHasBegunGoesFirstAndIsNotTurnedAway() throws Exception {
    PermitQueue permits = new PermitQueue(1);
    assertThat(tryAcquire(permits)).isTrue();
    startWaiting(permits, 1, () -> true);
    Waiter second = startWaiting(() -> permits.acquireAgain(() -> true), 2);
    Waiter third = startWaiting(() -> permits.acquireAgain(() -> true), 3);
    assertThat(permits.waitingCount()).isEqualTo(3);
    for (int next : new int[] {2, 3, 1}) {
      permits.release();
      assertThat(acquired.take()).isEqualTo(next);
      assertThat(tryAcquire(permits)).isFalse();
    }
    assertThat(second.acquired().get()).isTrue();
    assertThat(third.acquired().get()).isTrue();
    AtomicBoolean wanted = new AtomicBoolean(true);
    Waiter fourth = startWaiting(() -> permits.acquireAgain(wanted::get), 4);
    wanted.set(false);
    assertThat(fourth.acquired().get()).isFalse();
    permits.release();
    assertThat(permits.acquireAgain(() -> true)).isTrue();
  }

  @Test
  void limitsTheLengthOfTheQueue() throws Exception {
    PermitQueue permits = new PermitQueue(1);
    assertThat(tryAcquire(permits)).isTrue();
    startWaiting(permits, 1, () -> true);
    startWaiting(permits, 2, () -> true);
    assertThat(permits.acquire(2, LONG, () -> true)).isFalse();
    assertThat(permits.acquire(3, Duration.ZERO, () -> true)).isFalse();
    permits.release();
    assertThat(acquired.take()).isEqualTo(1);
    permits.release();
    assertThat(acquired.take()).isEqualTo(2);
  }

  @Test
  void unwantedThreadLeavesTheQueueToTheNext() throws Exception {
    PermitQueue permits = new PermitQueue(1);
    assertThat(tryAcquire(permits)).isTrue();
    AtomicBoolean wanted = new AtomicBoolean(true);
    Waiter first = startWaiting(permits, 1, wanted::get);
    startWaiting(permits, 2, () -> true);
    wanted.set(false);
    assertThat(first.acquired().get()).isFalse();
    permits.release();
    assertThat(acquired.take()).isEqualTo(2);
  }

  /// The permit arrives before the thread looks by itself.
  @Test
  void asksALastTimeBeforeItGivesAPermit() throws Exception {
    for (int round = 0; round < 20; round++) {
      PermitQueue permits = new PermitQueue(1);
      assertThat(tryAcquire(permits)).isTrue();
      AtomicBoolean wanted = new AtomicBoolean(true);
      AtomicInteger questions = new AtomicInteger();
      Waiter waiter =
          startWaiting(
              permits,
              1,
              () -> {
                questions.incrementAndGet();
                return wanted.get();
              });
      wanted.set(false);
      permits.release();
      assertThat(waiter.acquired().get()).isFalse();
      assertThat(questions).hasValueGreaterThanOrEqualTo(2);
      assertThat(tryAcquire(permits)).isTrue();
    }
  }

  @Test
  void interruptedThreadLeavesTheQueueToTheNext() throws Exception {
    PermitQueue permits = new PermitQueue(1);
    assertThat(tryAcquire(permits)).isTrue();
    Waiter first = startWaiting(permits, 1, () -> true);
    startWaiting(permits, 2, () -> true);
    first.thread().interrupt();
    assertThatThrownBy(first.acquired()::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    permits.release();
    assertThat(acquired.take()).isEqualTo(2);
  }
}
