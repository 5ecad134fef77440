package dev.quiver.sql.execution;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A worker of a pool that has started, and has had no statement of any principal yet. A principal
/// without a worker takes it, and the next one starts in the background. Shared by threads.
final class SpareWorker implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(SpareWorker.class.getName());

  /// The time for which the statement that took the last one has the processors for itself.
  private static final long DELAY_MILLIS = 250;

  /// The pause after a spare worker that did not start.
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Duration WARM_UP_TIMEOUT = Duration.ofSeconds(60);

  /// The number of times that a worker runs the statements of the service. After them, the first
  /// statement of its principal takes hardly longer than the next ones.
  private static final int WARM_UP_ROUNDS = 20;

  private final Start start;
  private final Consumer<WorkerProcess> end;

  /// The worker that is ready or starting; null if none is.
  private @Nullable Spare next;

  private @Nullable Long failedAt;
  private boolean closed;

  /// Starts a worker.
  @FunctionalInterface
  interface Start {
    WorkerProcess start() throws IOException;
  }

  /// A worker from the decision that it starts until it is taken.
  private static final class Spare {

    /// Open until a statement waits for the worker.
    final CountDownLatch wanted = new CountDownLatch(1);

    /// Completed when the worker is ready, with null if it does not start.
    final CompletableFuture<@Nullable WorkerProcess> worker = new CompletableFuture<>();

    /// Waits for the worker, which comes as soon as it can then.
    @Nullable WorkerProcess await() {
      wanted.countDown();
      return worker.join();
    }

    boolean isWanted() {
      return wanted.getCount() == 0;
    }

    boolean isWantedWithin(long millis) throws InterruptedException {
      return wanted.await(millis, TimeUnit.MILLISECONDS);
    }
  }

  /// @param end ends a worker
  SpareWorker(Start start, Consumer<WorkerProcess> end) {
    this.start = start;
    this.end = end;
  }

  /// Takes the spare worker, or returns null if absent. Waits for one that is starting, which takes
  /// less time than to start another one beside it.
  @Nullable WorkerProcess take() {
    Spare taken;
    synchronized (this) {
      taken = next;
      next = null;
    }
    WorkerProcess worker = taken == null ? null : taken.await();
    if (worker != null && !worker.isAlive()) {
      end.accept(worker);
      return null;
    }
    return worker;
  }

  /// Returns whether a worker can be taken that has run all its statements of the service.
  synchronized boolean isWarm() {
    WorkerProcess ready = next == null ? null : next.worker.getNow(null);
    return ready != null && ready.isWarm && ready.isAlive();
  }

  /// Starts the next spare worker in the background, unless one is ready or starting, or one failed
  /// to start shortly before.
  ///
  /// @param surplus workers that end before, so that there are never more at a time
  void prepare(List<WorkerProcess> surplus) {
    Spare prepared = new Spare();
    if (!replace(prepared)) {
      surplus.forEach(end);
      return;
    }
    try {
      Thread.ofPlatform().name("sql-worker-spare").daemon().start(() -> start(prepared, surplus));
    } catch (OutOfMemoryError e) {
      // The system grants no more threads, and the statement of the caller goes on.
      LOG.log(System.Logger.Level.WARNING, "No spare worker started", e);
      finish(prepared, null);
      surplus.forEach(end);
    }
  }

  private synchronized boolean replace(Spare prepared) {
    boolean paused = failedAt != null && System.nanoTime() - failedAt < PAUSE_NANOS;
    if (closed || paused || next != null) {
      return false;
    }
    next = prepared;
    return true;
  }

  private void start(Spare prepared, List<WorkerProcess> surplus) {
    WorkerProcess worker = null;
    boolean ready = false;
    try {
      surplus.forEach(end);
      boolean _ = prepared.isWantedWithin(DELAY_MILLIS);
      worker = start.start();
      warmUp(worker, prepared);
      ready = true;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "No spare worker started", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Error e) {
      LOG.log(System.Logger.Level.WARNING, "No spare worker started", e);
    } finally {
      if (worker != null && !ready) {
        end.accept(worker);
      }
      finish(prepared, ready ? worker : null);
    }
  }

  /// Runs statements of the service, until a statement of a client waits for the worker.
  private static void warmUp(WorkerProcess worker, Spare prepared) throws IOException {
    try (Deadline _ = new Deadline(worker, WARM_UP_TIMEOUT)) {
      WarmUp statements = worker.warmUp();
      for (int i = 0; i < WARM_UP_ROUNDS && !prepared.isWanted(); i++) {
        statements.run(prepared::isWanted);
      }
      worker.isWarm = !prepared.isWanted();
    }
  }

  private void finish(Spare prepared, @Nullable WorkerProcess worker) {
    if (worker == null) {
      synchronized (this) {
        failedAt = System.nanoTime();
        // Another one may be there after a statement has taken this one.
        next = next == prepared ? null : next;
      }
    }
    prepared.worker.complete(worker);
  }

  /// Forgets a worker that has ended by itself. The next statement starts another one.
  ///
  /// @return whether it was the spare worker
  synchronized boolean forget(WorkerProcess worker) {
    boolean present = next != null && worker.equals(next.worker.getNow(null));
    if (present) {
      next = null;
    }
    return present;
  }

  /// Waits for a worker that is starting, whose process was ended.
  @Override
  public void close() {
    Spare last;
    synchronized (this) {
      closed = true;
      last = next;
    }
    if (last != null) {
      var _ = last.await();
    }
  }
}
