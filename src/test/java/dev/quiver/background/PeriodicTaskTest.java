package dev.quiver.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A repetition ends with the start that began it, and no later start revives it.
@Timeout(60)
class PeriodicTaskTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final BlockingQueue<BooleanSupplier> begun = new LinkedBlockingQueue<>();

  @Test
  void restartDoesNotResumeAStoppedRun() throws InterruptedException {
    PeriodicTask repetition = new PeriodicTask("repeated");
    CountDownLatch end = new CountDownLatch(1);
    repetition.start(goes -> hold(goes, end), Duration.ZERO, LONG);
    BooleanSupplier first = begun.take();
    assertThat(first.getAsBoolean()).isTrue();
    // So that the stop does not wait.
    Thread.currentThread().interrupt();
    repetition.stop();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(repetition.isRunning()).isFalse();
    assertThat(first.getAsBoolean()).isFalse();

    repetition.start(begun::add, Duration.ZERO, LONG);
    assertThat(repetition.isRunning()).isTrue();
    assertThat(first.getAsBoolean()).as("that of before").isFalse();
    while (begun.isEmpty() && !oneIsBlocked()) {
      Thread.onSpinWait();
    }
    assertThat(begun).as("at the same time").isEmpty();
    end.countDown();
    BooleanSupplier second = begun.take();
    assertThat(second.getAsBoolean()).isTrue();
    assertThat(repetition.stop()).isTrue();
    assertThat(second.getAsBoolean()).isFalse();
  }

  @Test
  void repeatsUntilStopped() throws InterruptedException {
    PeriodicTask repetition = new PeriodicTask("repeated");
    assertThat(repetition.isRunning()).isFalse();
    assertThat(repetition.stop()).as("what was not started").isTrue();
    repetition.start(begun::add, Duration.ZERO, Duration.ofMillis(1));
    begun.take();
    begun.take();
    assertThat(repetition.stop()).isTrue();
    begun.clear();
    repetition.start(begun::add, LONG, LONG);
    assertThat(repetition.stop()).isTrue();
    assertThat(begun).as("what had not begun").isEmpty();
  }

  private static boolean oneIsBlocked() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread ->
            thread.getName().equals("repeated") && thread.getState() == Thread.State.BLOCKED);
  }

  private void hold(BooleanSupplier goes, CountDownLatch end) {
    begun.add(goes);
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
