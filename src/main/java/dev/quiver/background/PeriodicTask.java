package dev.quiver.background;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What is done again and again in the background, in a thread of its own, from a start to a stop.
/// It may be started again after a stop, also when that did not wait for the end: it is never done
/// twice at a time.
final class PeriodicTask {

  /// What is done.
  interface Task {

    /// Throws nothing.
    ///
    /// @param goesOn false once it should end; a later start does not change that
    void run(BooleanSupplier goesOn);
  }

  private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final Object turn = new Object();
  private volatile @Nullable ScheduledExecutorService executor;

  /// @param name of the thread
  PeriodicTask(String name) {
    this.name = name;
  }

  boolean isRunning() {
    ScheduledExecutorService started = executor;
    return started != null && !started.isShutdown();
  }

  /// @param delay before the first time
  /// @param pause between one time and the next
  void start(Task task, Duration delay, Duration pause) {
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(name).daemon().factory());
    executor = started;
    started.scheduleWithFixedDelay(
        () -> run(task, () -> !started.isShutdown()),
        delay.toMillis(),
        pause.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private void run(Task task, BooleanSupplier goesOn) {
    synchronized (turn) {
      if (goesOn.getAsBoolean()) {
        task.run(goesOn);
      }
    }
  }

  /// Tells the task that it should end, and waits for it, though not for long.
  ///
  /// @return whether it has ended
  boolean stop() {
    ScheduledExecutorService stopped = executor;
    if (stopped == null) {
      return true;
    }
    stopped.shutdown();
    try {
      return stopped.awaitTermination(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
