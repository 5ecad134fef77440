package dev.quiver.server.events;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Lets streams continue a few at a time. Otherwise, a version would start a thread for each of its
/// listeners, although each needs it for a fraction of a millisecond.
///
/// A stream that takes longer no longer counts: like any slow client, it has its own thread, and
/// others do not wait for it.
final class ListenerTurns {

  static final int MAXIMUM = 16;

  private static final Logger LOG = System.getLogger(ListenerTurns.class.getName());
  private static final long PATIENCE_MILLIS = 250;

  private final ScheduledExecutorService timer;
  private final Queue<Task> waiting = new ConcurrentLinkedQueue<>();
  private final Semaphore free = new Semaphore(MAXIMUM);

  ListenerTurns(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /// The start of a turn.
  interface Task {

    /// Starts work on another thread, which ends the turn.
    void start(Turn turn);
  }

  /// Starts a task when its turn comes.
  void add(Task task) {
    waiting.add(task);
    startNext();
  }

  private void startNext() {
    while (!waiting.isEmpty() && free.tryAcquire()) {
      Task next = waiting.poll();
      if (next == null) {
        free.release();
      } else {
        start(next);
      }
    }
  }

  private void start(Task task) {
    Turn turn = new Turn();
    try {
      task.start(turn);
    } catch (IllegalStateException e) {
      // The container has ended the request, and notified the stream.
      LOG.log(Level.DEBUG, "A stream could not continue", e);
      free.release();
      return;
    }
    turn.endLater();
  }

  /// One of the turns at the same time.
  final class Turn {

    private final AtomicBoolean isEnded = new AtomicBoolean();
    private volatile @Nullable Future<?> patience;

    private void endLater() {
      patience = timer.schedule(this::end, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      if (isEnded.get()) {
        cancel();
      }
    }

    void end() {
      if (isEnded.compareAndSet(false, true)) {
        cancel();
        free.release();
        startNext();
      }
    }

    private void cancel() {
      Future<?> scheduled = patience;
      if (scheduled != null) {
        scheduled.cancel(/* mayInterruptIfRunning= */ false);
      }
    }
  }
}
