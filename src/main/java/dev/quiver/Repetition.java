package dev.quiver;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What is done again and again in the background, in a thread of its own, from a start to a stop.
/// It may be started again after a stop.
final class Repetition {

  private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private volatile boolean isRunning;
  private @Nullable ScheduledExecutorService executor;

  /// @param name of the thread
  Repetition(String name) {
    this.name = name;
  }

  boolean isRunning() {
    return isRunning;
  }

  /// @param task what is done; it throws nothing
  /// @param delay before the first time
  /// @param pause between one time and the next
  void start(Runnable task, Duration delay, Duration pause) {
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(name).daemon().factory());
    executor = started;
    isRunning = true;
    started.scheduleWithFixedDelay(task, delay.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Tells the task that it should end, and waits for it, though not for long.
  ///
  /// @return whether it has ended
  boolean stop() {
    isRunning = false;
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
