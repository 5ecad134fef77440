package dev.quiver.server.admin;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.MemoryExhaustion;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A task that repeats in its own background thread between a start and a stop. It may be restarted
/// even if the last run has not ended: runs never overlap.
final class PeriodicTask {

  private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final Object runLock = new Object();
  private volatile @Nullable ScheduledExecutorService executor;

  /// @param name the name of the thread
  PeriodicTask(String name) {
    this.name = name;
  }

  boolean isRunning() {
    ScheduledExecutorService started = executor;
    return started != null && !started.isShutdown();
  }

  /// Starts the repetition.
  ///
  /// @param task must not throw, since that would end the repetition. Its [Cancellation] is
  ///   requested once the run should end; a later start does not change that
  /// @param delay the time before the first run
  /// @param pause the time between two runs
  void start(Runnable task, Duration delay, Duration pause) {
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(name).daemon().factory());
    executor = started;
    started.scheduleWithFixedDelay(
        () -> run(task, Cancellation.when(started::isShutdown)),
        delay.toMillis(),
        pause.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private void run(Runnable task, Cancellation cancellation) {
    synchronized (runLock) {
      if (!cancellation.isRequested()) {
        try {
          cancellation.carried(task).run();
        } catch (OutOfMemoryError e) {
          MemoryExhaustion.endProcessIfCauseOf(e);
          throw e;
        }
      }
    }
  }

  /// Asks the task to end, and waits briefly until it has.
  ///
  /// @return whether the task has ended
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
