package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Steps;
import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The workers of a pool. Each runs one statement at a time, and many in its life. All statements
/// of a worker have the same principal, because freed memory of one may be visible to the next.
///
/// If the principal of a statement has no idle worker, it gets the [SpareWorker], and the worker
/// that is idle longest ends if there would be too many. Beside the workers of statements, the same
/// number may be idle. Otherwise principals that take turns at a few workers would wait for the
/// start of a process each time. Without a spare worker, all together are at most that number. A
/// worker that had a statement before it was warm ends once the spare worker can take its place.
/// Shared by threads.
public final class Workers implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Workers.class.getName());

  /// The number of requests after which a worker is replaced, so that nothing that the engine leaks
  /// accumulates. Each statement is parsed by one request and run by another.
  static final int REQUESTS_MAXIMUM = 2_000;

  /// The requests after which a worker has compiled what its statements need.
  private static final int WARM_REQUESTS = 400;

  private final @Nullable WorkerStarter starter;
  private final String unavailable;
  private final WorkerPoolOptions options;
  private final Admission admission;
  private final SpareWorker spare = new SpareWorker(this::start, this::end);

  /// The workers without a statement, the last used first.
  private final Deque<WorkerProcess> idle = new ArrayDeque<>();

  /// All workers, with or without a statement.
  private final Set<WorkerProcess> running = new HashSet<>();

  private final LongAdder started = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder killed = new LongAdder();
  private final LongAdder failedStarts = new LongAdder();

  /// Whether the last worker that was to start did not.
  private volatile boolean startFailed;

  private boolean closed;

  public Workers(EngineLibrary library, WorkerPoolOptions options) {
    this(library, "", options);
  }

  /// @param library null if there can be no worker
  /// @param unavailable the reason then, as a sentence
  Workers(@Nullable EngineLibrary library, String unavailable, WorkerPoolOptions options) {
    this.starter = library == null ? null : new WorkerStarter(library, options);
    this.unavailable = unavailable;
    this.options = options;
    int count = Math.toIntExact(options.workers().maximum());
    this.admission =
        new Admission(
            "Expected an idle worker but found all %d busy (%s)"
                .formatted(count, options.workers().name()),
            count,
            options.queue().maximum(),
            options.patience());
  }

  /// Waits for a worker of a principal, and starts one if it has no idle one. The caller passes it
  /// to [#release].
  ///
  /// @throws OverloadedException if too many statements wait, or wait for too long
  /// @throws CancelledException if the statement is no longer wanted
  WorkerProcess acquire(Principal principal) throws IOException {
    return acquire(principal, admission::enter);
  }

  /// Waits for a worker for a statement that had one before. It goes before new ones, and is not
  /// rejected.
  ///
  /// @throws CancelledException if the statement is no longer wanted
  WorkerProcess acquireAgain(Principal principal) throws IOException {
    return acquire(principal, admission::enterAgain);
  }

  /// Waits for a permit.
  @FunctionalInterface
  private interface Wait {
    Permit await() throws IOException;
  }

  /// Fails if there can be no worker.
  ///
  /// @throws SqlException.Unavailable then
  public void requireAvailable() {
    var _ = requireStarter();
  }

  private WorkerStarter requireStarter() {
    WorkerStarter present = starter;
    if (present == null) {
      throw new SqlException.Unavailable(unavailable);
    }
    return present;
  }

  /// Waits for a worker that has had no statement, for one that had a worker before. It goes before
  /// new statements, and is not rejected.
  ///
  /// @throws CancelledException if the statement is no longer wanted
  WorkerProcess acquireFresh(Principal principal) throws IOException {
    return acquire(principal, admission::enterAgain, /* fresh= */ true);
  }

  private WorkerProcess acquire(Principal principal, Wait wait) throws IOException {
    return acquire(principal, wait, /* fresh= */ false);
  }

  private WorkerProcess acquire(Principal principal, Wait wait, boolean fresh) throws IOException {
    requireAvailable();
    long begun = System.nanoTime();
    try {
      return leased(principal, wait.await(), fresh);
    } finally {
      Steps.record("worker wait", System.nanoTime() - begun, Map.of());
    }
  }

  private WorkerProcess leased(Principal principal, Permit permit, boolean fresh)
      throws IOException {
    try {
      List<WorkerProcess> surplus = new ArrayList<>();
      WorkerProcess worker = takeIdle(fresh ? null : principal, surplus);
      if (worker == null) {
        worker = spare.take();
      }
      if (worker == null) {
        surplus.forEach(this::end);
        surplus = List.of();
        worker = start();
      }
      worker.assign(principal);
      worker.permit = permit;
      if (options.spare()) {
        spare.prepare(surplus);
      } else {
        surplus.forEach(this::end);
      }
      return worker;
    } catch (IOException | RuntimeException | Error e) {
      permit.close();
      throw e;
    }
  }

  /// Takes the last used idle worker of a principal, or null if absent. The caller may then use
  /// another one: of other principals, only so many idle workers stay.
  ///
  /// @param principal null to take none
  /// @param surplus receives the workers that the caller ends
  private synchronized @Nullable WorkerProcess takeIdle(
      @Nullable Principal principal, List<WorkerProcess> surplus) {
    if (closed) {
      throw ending();
    }
    WorkerProcess taken = null;
    for (WorkerProcess worker : List.copyOf(idle)) {
      if (!worker.isAlive()) {
        idle.remove(worker);
        surplus.add(worker);
      } else if (taken == null && principal != null && worker.belongsTo(principal)) {
        idle.remove(worker);
        if (isCold(worker) && hasWarmSpare()) {
          surplus.add(worker);
        } else {
          taken = worker;
        }
      }
    }
    long kept = options.spare() ? options.workers().maximum() : admission.available();
    while (taken == null && idle.size() > kept) {
      surplus.add(idle.removeLast());
    }
    return taken;
  }

  /// Returns whether the spare worker has run all its statements of the service.
  boolean hasWarmSpare() {
    return spare.isWarm();
  }

  /// Returns whether a worker still interprets most of its code, since a statement waited for it
  /// when it started.
  private static boolean isCold(WorkerProcess worker) {
    return !worker.isWarm && worker.requestCount < WARM_REQUESTS;
  }

  /// Returns whether the workers end, whatever they do.
  synchronized boolean isClosed() {
    return closed;
  }

  static OverloadedException ending() {
    return new OverloadedException("Expected a worker but found the service ending");
  }

  /// Takes a worker back.
  ///
  /// @param healthy whether it can run another statement
  void release(WorkerProcess worker, boolean healthy) {
    // Once the worker is kept, it may have another one.
    try (Permit _ = worker.permit) {
      worker.requestCount++;
      boolean kept =
          healthy
              && worker.isAlive()
              && worker.requestCount < REQUESTS_MAXIMUM
              && isEmptied(worker);
      if (!kept || !keep(worker)) {
        end(worker);
      }
    }
  }

  /// Returns whether a worker has no file of its last statement anymore.
  private static boolean isEmptied(WorkerProcess worker) {
    try {
      worker.removeFiles();
      return true;
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING, "A worker''s files were not removed: {0}", e.getMessage());
      return false;
    }
  }

  private synchronized boolean keep(WorkerProcess worker) {
    if (!closed) {
      idle.push(worker);
    }
    return !closed;
  }

  private void end(WorkerProcess worker) {
    boolean present;
    synchronized (this) {
      present = running.remove(worker);
    }
    // Its statement and the end of the service may both end it.
    if (present) {
      worker.close();
      ended.increment();
    }
  }

  /// Cleans up after a worker that ended by itself. If it has a statement, that one does.
  private void endIdle(WorkerProcess worker) {
    boolean present;
    synchronized (this) {
      present = idle.remove(worker) || spare.forget(worker);
    }
    if (present) {
      end(worker);
    }
  }

  private WorkerProcess start() throws IOException {
    WorkerProcess worker;
    if (isClosed()) {
      throw ending();
    }
    try {
      worker = requireStarter().start();
    } catch (IOException e) {
      if (isClosed()) {
        throw ending();
      }
      startFailed = true;
      failedStarts.increment();
      StorageFullException.throwIfCause(e, options.spoolKey());
      LOG.log(System.Logger.Level.WARNING, "A worker did not start", e);
      throw new SqlException.WorkerUnavailable("Expected a worker but found that none starts");
    }
    startFailed = false;
    started.increment();
    synchronized (this) {
      running.add(worker);
      if (!closed) {
        worker.onExit(() -> endIdle(worker));
        return worker;
      }
    }
    end(worker);
    throw ending();
  }

  WorkerPoolOptions options() {
    return options;
  }

  /// Returns the limit on the milliseconds that a statement may run.
  public Limit timeout() {
    return options.timeout();
  }

  /// Returns the number of statements that have a worker.
  public int busyCount() {
    return admission.takenCount();
  }

  /// Returns the threads that one more of the statements that have a worker may have: all of them
  /// if it is the only one.
  int threadShare() {
    return Math.max(1, options.threadCount() / Math.max(1, busyCount()));
  }

  /// Returns the number of statements that wait for a worker.
  public int waitingCount() {
    return admission.waitingCount();
  }

  /// Returns the number of workers that have started since the service did.
  public long startedCount() {
    return started.sum();
  }

  /// Returns the number of workers that have ended since the service started.
  public long endedCount() {
    return ended.sum();
  }

  /// Counts a worker that was killed.
  void countKilled() {
    killed.increment();
  }

  /// Returns the number of workers that were killed, since their statements went on after their
  /// deadlines.
  public long killedCount() {
    return killed.sum();
  }

  /// Returns how often a worker did not start.
  public long failedStartCount() {
    return failedStarts.sum();
  }

  /// Returns whether the last worker that was to start did not.
  public boolean isFailing() {
    return startFailed;
  }

  /// Returns the number of workers, with or without a statement, and the spare one.
  public synchronized int aliveCount() {
    return running.size();
  }

  /// Returns the bytes of memory of all workers, without mapped files; 0 where the system does not
  /// tell.
  public long memoryByteSize() {
    List<WorkerProcess> workers;
    synchronized (this) {
      workers = List.copyOf(running);
    }
    return workers.stream().mapToLong(WorkerProcess::memoryByteSize).sum();
  }

  /// Ends all workers. Their statements fail.
  @Override
  public void close() {
    List<WorkerProcess> ending;
    synchronized (this) {
      closed = true;
      idle.clear();
      ending = List.copyOf(running);
    }
    if (starter != null) {
      starter.close();
    }
    spare.close();
    ending.forEach(this::end);
  }
}
