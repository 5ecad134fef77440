package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.parallel.Cancellation;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The runs of a periodic task end with a stop, and no later start revives them.
@Timeout(60)
class PeriodicTaskTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final BlockingQueue<Cancellation> begun = new LinkedBlockingQueue<>();

  @Test
  void restartDoesNotResumeAStoppedRun() throws InterruptedException {
    PeriodicTask task = new PeriodicTask("repeated");
    CountDownLatch end = new CountDownLatch(1);
    task.start(() -> hold(end), Duration.ZERO, LONG);
    Cancellation first = begun.take();
    assertThat(first.isRequested()).isFalse();
    // An interrupted thread does not wait in stop.
    Thread.currentThread().interrupt();
    task.stop();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(task.isRunning()).isFalse();
    assertThat(first.isRequested()).isTrue();

    task.start(this::begin, Duration.ZERO, LONG);
    assertThat(task.isRunning()).isTrue();
    assertThat(first.isRequested()).as("the first run").isTrue();
    while (begun.isEmpty() && !isRunBlocked()) {
      Thread.onSpinWait();
    }
    assertThat(begun).as("runs at the same time").isEmpty();
    end.countDown();
    Cancellation second = begun.take();
    assertThat(second.isRequested()).isFalse();
    assertThat(task.stop()).isTrue();
    assertThat(second.isRequested()).isTrue();
  }

  @Test
  void repeatsATaskUntilItIsStopped() throws InterruptedException {
    PeriodicTask task = new PeriodicTask("repeated");
    assertThat(task.isRunning()).isFalse();
    assertThat(task.stop()).as("stop before the start").isTrue();
    task.start(this::begin, Duration.ZERO, Duration.ofMillis(1));
    begun.take();
    begun.take();
    assertThat(task.stop()).isTrue();
    begun.clear();
    task.start(this::begin, LONG, LONG);
    assertThat(task.stop()).isTrue();
    assertThat(begun).as("runs before the delay").isEmpty();
  }

  private static boolean isRunBlocked() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread ->
            thread.getName().equals("repeated") && thread.getState() == Thread.State.BLOCKED);
  }

  private void begin() {
    begun.add(Cancellation.current());
  }

  private void hold(CountDownLatch end) {
    begin();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
