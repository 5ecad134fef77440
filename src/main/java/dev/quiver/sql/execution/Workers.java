package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.sql.worker.WorkerStatus;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Steps;
import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The workers of the service. Each runs one statement at a time, and many in its life. All
/// statements of a worker have the same principal, because freed memory of one may be visible to
/// the next. Shared by threads.
public final class Workers implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Workers.class.getName());

  /// The number of requests after which a worker is replaced, so that nothing that the engine leaks
  /// accumulates. Each statement is parsed by one request and run by another.
  static final int REQUESTS_MAXIMUM = 2_000;

  private final @Nullable EngineLibrary library;
  private final String unavailable;
  private final WorkerPoolOptions options;
  private final Admission admission;

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

  private final AtomicBoolean logged = new AtomicBoolean();
  private boolean closed;

  /// Null before the first worker.
  private volatile @Nullable WorkerCache cache;

  /// Whether the system limits the memory of a process; null before the first worker.
  private @Nullable Boolean memoryIsLimited;

  public Workers(EngineLibrary library, WorkerPoolOptions options) {
    this(library, "", options);
  }

  /// @param library null if there can be no worker
  /// @param unavailable the reason then, as a sentence
  Workers(@Nullable EngineLibrary library, String unavailable, WorkerPoolOptions options) {
    this.library = library;
    this.unavailable = unavailable;
    this.options = options;
    int count = Math.toIntExact(options.workers().maximum());
    this.admission =
        new Admission(
            "Expected a worker for the statement but found all %d busy (%s)"
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
    var _ = requireLibrary();
  }

  private EngineLibrary requireLibrary() {
    EngineLibrary present = library;
    if (present == null) {
      throw new SqlException.Unavailable(unavailable);
    }
    return present;
  }

  private WorkerProcess acquire(Principal principal, Wait wait) throws IOException {
    requireAvailable();
    long begun = System.nanoTime();
    try {
      return leased(principal, wait.await());
    } finally {
      Steps.record("worker wait", System.nanoTime() - begun, Map.of());
    }
  }

  private WorkerProcess leased(Principal principal, Permit permit) throws IOException {
    try {
      WorkerProcess present = takeIdle(principal);
      WorkerProcess worker = present == null ? start(principal) : present;
      worker.permit = permit;
      return worker;
    } catch (IOException | RuntimeException | Error e) {
      permit.close();
      throw e;
    }
  }

  /// Takes the last used idle worker of a principal, or null if absent. The caller may then start
  /// one: of other principals, only as many idle workers stay as are permitted beside it.
  private @Nullable WorkerProcess takeIdle(Principal principal) {
    WorkerProcess taken = null;
    List<WorkerProcess> surplus = new ArrayList<>();
    synchronized (this) {
      if (closed) {
        throw ending();
      }
      for (WorkerProcess worker : List.copyOf(idle)) {
        if (!worker.isAlive()) {
          idle.remove(worker);
          surplus.add(worker);
        } else if (taken == null && worker.principal().equals(principal)) {
          idle.remove(worker);
          taken = worker;
        }
      }
      while (taken == null && idle.size() > admission.available()) {
        surplus.add(idle.removeLast());
      }
    }
    surplus.forEach(this::end);
    return taken;
  }

  private static OverloadedException ending() {
    return new OverloadedException("Expected a worker but found the service ending");
  }

  /// Returns the command of a worker, after a check that the library is unchanged.
  private WorkerCommand command() throws IOException {
    EngineLibrary present = requireLibrary();
    synchronized (present) {
      Boolean limited = memoryIsLimited;
      if (limited == null) {
        WorkerFolders.removeLeftovers();
        if (options.readsFiles()) {
          Files.createDirectories(options.spoolFolder());
        }
        limited = WorkerCommand.limitsMemory(options);
        memoryIsLimited = limited;
      }
      Path folder = PrivateFolder.create(options.spoolFolder().resolve("engine"));
      String classPath = WorkerCommand.classPath(System.getProperty("java.class.path"));
      WorkerCache starts = cache;
      if (starts == null) {
        starts = new WorkerCache(folder.toAbsolutePath(), classPath);
        cache = starts;
      }
      return new WorkerCommand(
          present.unpack(folder), options, limited, classPath, starts.options());
    }
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
      present = idle.remove(worker);
    }
    if (present) {
      end(worker);
    }
  }

  private WorkerProcess start(Principal principal) throws IOException {
    WorkerProcess worker;
    try {
      WorkerCommand command = command();
      worker = start(command, principal);
      if (!options.readsFiles() && !logged.getAndSet(true)) {
        log(worker.status(), command.memoryIsLimited());
      }
    } catch (IOException e) {
      startFailed = true;
      failedStarts.increment();
      StorageFullException.throwIfCause(e, options.spoolKey());
      LOG.log(System.Logger.Level.WARNING, "A worker did not start", e);
      throw new SqlException.WorkerLost(
          "Expected a worker for the statement but found that none starts");
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

  private WorkerProcess start(WorkerCommand command, Principal principal) throws IOException {
    WorkerCache present = Objects.requireNonNull(cache);
    if (command.cacheOptions().isEmpty()) {
      WorkerProcess worker = WorkerProcess.start(command, principal);
      present.makeLater(command);
      return worker;
    }
    try {
      return WorkerProcess.start(command, principal);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "A worker did not start with its cache", e);
      present.discard();
      return WorkerProcess.start(command.withCacheOptions(List.of()), principal);
    }
  }

  private static void log(WorkerStatus status, boolean memoryIsLimited) {
    LOG.log(
        System.Logger.Level.INFO,
        "Workers run DuckDB {0}, {1} and {2}",
        status.engineVersion(),
        memoryIsLimited
            ? "their memory limited by the system"
            : "their memory NOT limited by the system",
        status.fileAccessDenied()
            ? "without access to files"
            : "WITHOUT Landlock, which this system lacks");
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

  /// Returns the number of workers, with or without a statement.
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
    WorkerCache present = cache;
    if (present != null) {
      present.close();
    }
    ending.forEach(WorkerProcess::kill);
    ending.forEach(this::end);
  }
}
