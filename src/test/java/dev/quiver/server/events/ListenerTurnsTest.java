package dev.quiver.server.events;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListenerTurnsTest {

  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final ListenerTurns turns = new ListenerTurns(timer);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  /// The timer never ends a turn.
  @Test
  void aFewStartAtOnceAndTheOthersInOrder() {
    ScheduledThreadPoolExecutor never =
        new ScheduledThreadPoolExecutor(1) {
          @Override
          public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
          }
        };
    ListenerTurns patient = new ListenerTurns(never);
    List<Integer> started = new ArrayList<>();
    List<ListenerTurns.Turn> current = new ArrayList<>();
    for (int i = 0; i < ListenerTurns.MAXIMUM + 3; i++) {
      int number = i;
      patient.add(turn -> {
        started.add(number);
        current.add(turn);
      });
    }
    assertThat(started).hasSize(ListenerTurns.MAXIMUM);
    current.get(5).end();
    current.get(5).end();
    assertThat(started).hasSize(ListenerTurns.MAXIMUM + 1).endsWith(ListenerTurns.MAXIMUM);
    current.get(1).end();
    current.get(2).end();
    assertThat(started).isSorted().hasSize(ListenerTurns.MAXIMUM + 3);
    never.shutdownNow();
  }

  @Test
  void slowOnesDoNotHoldUpOthers() {
    List<Integer> started = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 3 * ListenerTurns.MAXIMUM; i++) {
      int number = i;
      turns.add(_ -> started.add(number));
    }
    eventually(() -> assertThat(started).hasSize(3 * ListenerTurns.MAXIMUM));
  }

  @Test
  void aTurnThatCannotStartLeavesItsPlace() {
    AtomicInteger started = new AtomicInteger();
    for (int i = 0; i < 3 * ListenerTurns.MAXIMUM; i++) {
      turns.add(_ -> {
        started.incrementAndGet();
        throw new IllegalStateException("ended");
      });
    }
    assertThat(started).hasValue(3 * ListenerTurns.MAXIMUM);
  }

  @Test
  void eachHasATurn() {
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(8);
        ExecutorService callers = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 10_000; i++) {
        callers.execute(() ->
            turns.add(turn ->
                threads.execute(() -> {
                  most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                  atOnce.decrementAndGet();
                  done.incrementAndGet();
                  turn.end();
                })));
      }
      eventually(() -> assertThat(done).hasValue(10_000));
    }
    assertThat(most.get()).isLessThanOrEqualTo(ListenerTurns.MAXIMUM);
  }
}
