package dev.quiver.sql.execution;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/// The time at which a statement is interrupted, and shortly after which its worker is killed.
///
/// Some computations of the engine never look whether they are interrupted. Others start after an
/// interruption has passed, so it is repeated.
final class Deadline implements AutoCloseable {

  /// The time between the interruption and the end of the process.
  static final Duration GRACE = Duration.ofSeconds(2);

  private static final long REPEAT_MILLIS = 200;

  /// Writes to workers, one of which may be stuck and not read: kills, which free this thread, have
  /// their own.
  private static final ScheduledThreadPoolExecutor INTERRUPTIONS = timer("sql-interruptions");

  private static final ScheduledThreadPoolExecutor KILLS = timer("sql-kills");

  private enum State {
    COUNTING,
    KILLED,
    CLOSED
  }

  private final WorkerProcess worker;
  private final AtomicReference<State> state = new AtomicReference<>(State.COUNTING);
  private Future<?> interruption;
  private ScheduledFuture<?> end;
  private volatile boolean passed;

  /// Starts to count.
  Deadline(WorkerProcess worker, Duration timeout) {
    this.worker = worker;
    this.interruption = interruptAfter(timeout.toMillis(), this::pass);
    this.end = killAfter(timeout.plus(GRACE).toMillis());
  }

  private static ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().name(name).daemon().factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  private Future<?> interruptAfter(long millis, Runnable action) {
    return INTERRUPTIONS.scheduleWithFixedDelay(
        action, millis, REPEAT_MILLIS, TimeUnit.MILLISECONDS);
  }

  private ScheduledFuture<?> killAfter(long millis) {
    return KILLS.schedule(this::kill, millis, TimeUnit.MILLISECONDS);
  }

  /// Ends the statement soon, since nothing waits for it anymore.
  synchronized void expire() {
    if (state.get() == State.COUNTING) {
      interruption.cancel(false);
      interruption = interruptAfter(0, this::interrupt);
      if (end.getDelay(TimeUnit.MILLISECONDS) > GRACE.toMillis() && end.cancel(false)) {
        end = killAfter(GRACE.toMillis());
      }
    }
  }

  private void pass() {
    passed = true;
    interrupt();
  }

  /// A worker that was given back has another statement, so it is not interrupted.
  private synchronized void interrupt() {
    if (state.get() == State.COUNTING) {
      worker.interrupt();
    }
  }

  private void kill() {
    if (state.compareAndSet(State.COUNTING, State.KILLED)) {
      worker.kill();
    }
  }

  /// Returns whether the statement ran out of time.
  boolean hasPassed() {
    return passed;
  }

  /// Returns whether the worker was killed, or is about to be.
  boolean isKilled() {
    return state.get() == State.KILLED;
  }

  /// Stops to count. From here on, the worker is neither interrupted nor killed.
  @Override
  public synchronized void close() {
    state.compareAndSet(State.COUNTING, State.CLOSED);
    interruption.cancel(false);
    end.cancel(false);
  }
}
