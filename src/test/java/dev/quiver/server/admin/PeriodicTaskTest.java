package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The runs of a periodic task end with a stop, and no later start revives them.
@Timeout(60)
class PeriodicTaskTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final BlockingQueue<BooleanSupplier> begun = new LinkedBlockingQueue<>();

  @Test
  void restartDoesNotResumeAStoppedRun() throws InterruptedException {
    PeriodicTask task = new PeriodicTask("repeated");
    CountDownLatch end = new CountDownLatch(1);
    task.start(running -> hold(running, end), Duration.ZERO, LONG);
    BooleanSupplier first = begun.take();
    assertThat(first.getAsBoolean()).isTrue();
    // An interrupted thread does not wait in stop.
    Thread.currentThread().interrupt();
    task.stop();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(task.isRunning()).isFalse();
    assertThat(first.getAsBoolean()).isFalse();

    task.start(begun::add, Duration.ZERO, LONG);
    assertThat(task.isRunning()).isTrue();
    assertThat(first.getAsBoolean()).as("the first run").isFalse();
    while (begun.isEmpty() && !isRunBlocked()) {
      Thread.onSpinWait();
    }
    assertThat(begun).as("runs at the same time").isEmpty();
    end.countDown();
    BooleanSupplier second = begun.take();
    assertThat(second.getAsBoolean()).isTrue();
    assertThat(task.stop()).isTrue();
    assertThat(second.getAsBoolean()).isFalse();
  }

  @Test
  void repeatsATaskUntilItIsStopped() throws InterruptedException {
    PeriodicTask task = new PeriodicTask("repeated");
    assertThat(task.isRunning()).isFalse();
    assertThat(task.stop()).as("stop before the start").isTrue();
    task.start(begun::add, Duration.ZERO, Duration.ofMillis(1));
    begun.take();
    begun.take();
    assertThat(task.stop()).isTrue();
    begun.clear();
    task.start(begun::add, LONG, LONG);
    assertThat(task.stop()).isTrue();
    assertThat(begun).as("runs before the delay").isEmpty();
  }

  private static boolean isRunBlocked() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread ->
            thread.getName().equals("repeated") && thread.getState() == Thread.State.BLOCKED);
  }

  private void hold(BooleanSupplier running, CountDownLatch end) {
    begun.add(running);
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
