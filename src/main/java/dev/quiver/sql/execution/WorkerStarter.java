package dev.quiver.sql.execution;

import dev.quiver.sql.worker.WorkerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Starts the workers of a pool, and ends their processes with it. Shared by threads.
final class WorkerStarter implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(WorkerStarter.class.getName());

  private final EngineLibrary library;
  private final WorkerPoolOptions options;

  /// The processes that have not ended, also those that are not ready yet.
  private final Set<Process> processes = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean logged = new AtomicBoolean();
  private volatile boolean closed;

  /// Null before the first worker.
  private volatile @Nullable WorkerCache cache;

  /// Whether the system limits the memory of a process; null before the first worker.
  private @Nullable Boolean memoryIsLimited;

  WorkerStarter(EngineLibrary library, WorkerPoolOptions options) {
    this.library = library;
    this.options = options;
  }

  /// Starts a worker and waits until it is ready.
  ///
  /// @throws SqlException.Unavailable if the library cannot be loaded
  /// @throws IOException if it does not start
  WorkerProcess start() throws IOException {
    WorkerCommand command = command();
    WorkerProcess worker = start(command);
    if (!options.readsFiles() && !logged.getAndSet(true)) {
      log(worker.status(), command.memoryIsLimited());
    }
    return worker;
  }

  /// Returns the command of a worker, after a check that the library is unchanged.
  private WorkerCommand command() throws IOException {
    synchronized (library) {
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
          library.unpack(folder), options, limited, classPath, starts.options());
    }
  }

  private WorkerProcess start(WorkerCommand command) throws IOException {
    WorkerCache present = Objects.requireNonNull(cache);
    if (command.cacheOptions().isEmpty()) {
      WorkerProcess worker = WorkerProcess.start(command, this::watch);
      present.makeLater(command);
      return worker;
    }
    try {
      return WorkerProcess.start(command, this::watch);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "A worker did not start with its cache", e);
      if (closed) {
        throw e;
      }
      present.discard();
      return WorkerProcess.start(command.withCacheOptions(List.of()), this::watch);
    }
  }

  private void watch(Process process) {
    processes.add(process);
    process.onExit().thenRun(() -> processes.remove(process));
    if (closed) {
      process.destroyForcibly();
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

  /// Ends all processes, also those that are not ready yet.
  @Override
  public void close() {
    closed = true;
    WorkerCache present = cache;
    if (present != null) {
      present.close();
    }
    processes.forEach(Process::destroyForcibly);
  }
}
