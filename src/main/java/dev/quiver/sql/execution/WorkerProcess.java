package dev.quiver.sql.execution;

import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.sql.worker.Failure;
import dev.quiver.sql.worker.FrameChannel;
import dev.quiver.sql.worker.FrameType;
import dev.quiver.sql.worker.Payload;
import dev.quiver.sql.worker.WorkerFrame;
import dev.quiver.sql.worker.WorkerStatus;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.ProcessFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A running worker, of one principal once it has had a statement. It has no environment of the
/// service, and folders of its own, which go with it.
final class WorkerProcess implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(WorkerProcess.class.getName());

  private static final long START_SECONDS = 60;

  /// Begins the last words of a JVM that the system grants no more memory, in its log.
  private static final String MEMORY_EXHAUSTED = "insufficient memory for the Java Runtime";

  /// Ends the last words of a JVM without heap, in its log.
  private static final String HEAP_EXHAUSTED = "java.lang.OutOfMemoryError";

  /// The start of the line with KiB of memory that no file has.
  private static final String ANONYMOUS_MEMORY = "RssAnon:";

  private final Path folder;
  private final @Nullable Path filesFolder;
  private final Process process;
  private final FrameChannel channel;
  private final WorkerStatus status;

  /// The origin of all its statements; null before the first one.
  private @Nullable Principal principal;

  /// The completed requests of the worker. Used by the thread that has the worker.
  int requestCount;

  /// Whether it had run all statements of the service before its first one of a principal, and so
  /// has compiled what statements need.
  boolean isWarm;

  /// The permit of the statement that has the worker.
  Permit permit = Permit.UNLIMITED;

  private WorkerProcess(
      Path folder,
      @Nullable Path filesFolder,
      Process process,
      FrameChannel channel,
      WorkerStatus status) {
    this.folder = folder;
    this.filesFolder = filesFolder;
    this.process = process;
    this.channel = channel;
    this.status = status;
  }

  /// Starts a worker and waits until it is ready.
  ///
  /// @param launched accepts the process before it is ready
  /// @throws SqlException.Unavailable if the library cannot be loaded
  /// @throws IOException if it does not start; the message has the end of its log
  static WorkerProcess start(WorkerCommand command, Consumer<Process> launched) throws IOException {
    Path folder = WorkerFolders.create();
    Path filesFolder = null;
    Process process = null;
    try {
      if (command.options().readsFiles()) {
        // The engine compares real paths.
        filesFolder = ProcessFolders.createIn(command.options().spoolFolder()).toRealPath();
      }
      Path socket = WorkerFolders.socket(folder);
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket), 1);
        Process started = launch(command, folder, socket, filesFolder);
        process = started;
        launched.accept(started);
        // Ends the waiting below if the worker ends.
        started.onExit().thenRun(() -> closeQuietly(server));
        CompletableFuture<Void> watch =
            CompletableFuture.runAsync(
                started::destroyForcibly,
                CompletableFuture.delayedExecutor(START_SECONDS, TimeUnit.SECONDS));
        FrameChannel channel = new FrameChannel(server.accept());
        try {
          WorkerStatus status = awaitReady(channel);
          watch.cancel(false);
          return new WorkerProcess(folder, filesFolder, started, channel, status);
        } catch (IOException | RuntimeException e) {
          closeQuietly(channel);
          throw e;
        }
      }
    } catch (IOException | RuntimeException e) {
      if (process != null) {
        end(process);
      }
      String log = WorkerFolders.log(folder);
      ProcessFolders.delete(folder);
      if (filesFolder != null) {
        ProcessFolders.delete(filesFolder);
      }
      if (e instanceof SqlException.Unavailable unavailable) {
        throw unavailable;
      }
      throw new IOException("A worker did not start: " + log, e);
    }
  }

  private static WorkerStatus awaitReady(FrameChannel channel) throws IOException {
    WorkerFrame frame = channel.read();
    if (frame.type() == FrameType.FAILED) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The engine''s library was not loaded: {0}",
          Failure.read(Payload.of(frame)).message());
      throw new SqlException.Unavailable(
          "SQL is not available: the engine's library cannot be loaded on this system");
    }
    if (frame.type() != FrameType.READY) {
      throw new IOException("Expected a worker that is ready but found " + frame.type());
    }
    return WorkerStatus.read(Payload.of(frame));
  }

  private static Process launch(
      WorkerCommand command, Path folder, Path socket, @Nullable Path filesFolder)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command.arguments(folder, socket, filesFolder));
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    Path log = WorkerFolders.logFile(folder);
    Process process =
        builder
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    process.getOutputStream().close();
    return process;
  }

  /// Returns whether all its statements have this origin.
  boolean belongsTo(Principal origin) {
    return origin.equals(principal);
  }

  /// Sets the origin of all its statements. Used by the thread that has the worker.
  ///
  /// @throws IllegalStateException if it has another one
  void assign(Principal origin) {
    if (principal != null && !belongsTo(origin)) {
      throw new IllegalStateException("The worker belongs to another principal");
    }
    principal = origin;
  }

  /// Returns statements of the service for a worker that has had none of a principal.
  WarmUp warmUp() throws IOException {
    return new WarmUp(channel, folder);
  }

  WorkerStatus status() {
    return status;
  }

  /// Returns the folder whose files its statements reach.
  ///
  /// @throws IllegalStateException if they reach none
  Path filesFolder() {
    if (filesFolder == null) {
      throw new IllegalStateException("The worker reaches no files");
    }
    return filesFolder;
  }

  /// Removes the files that its statements reach.
  void removeFiles() throws IOException {
    if (filesFolder != null) {
      WorkerFolders.empty(filesFolder);
    }
  }

  FrameChannel channel() {
    return channel;
  }

  long processId() {
    return process.pid();
  }

  /// Returns the bytes of memory of the process without mapped files, as Linux reports it, or 0.
  long memoryByteSize() {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    try (Stream<String> lines = Files.lines(status, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith(ANONYMOUS_MEMORY))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .sum();
    } catch (IOException | UncheckedIOException e) {
      // Another system, or the process has ended.
      return 0;
    }
  }

  /// Asks the worker to end its statement.
  void interrupt() {
    try {
      channel.write(FrameType.INTERRUPT);
    } catch (IOException e) {
      // It has ended.
    }
  }

  /// Ends the worker at once. Reading from it meets the end of the connection.
  void kill() {
    process.destroyForcibly();
  }

  /// Closes the connection, and waits for the worker to end by itself.
  ///
  /// @return whether it has ended without a failure
  boolean end(Duration patience) throws InterruptedException {
    closeQuietly(channel);
    return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
  }

  /// Runs an action when the process ends, or now if it has.
  void onExit(Runnable action) {
    var _ = process.onExit().thenRun(action);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Describes how a worker that has ended, or is about to, did so.
  String exit() {
    try {
      return process.waitFor(1, TimeUnit.SECONDS)
          ? "exit code " + process.exitValue()
          : "still running";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "still running";
    }
  }

  /// Returns the end of what the worker wrote to its standard output and error.
  String log() {
    return WorkerFolders.log(folder);
  }

  /// Returns whether the worker ended since it had no more memory of its own.
  static boolean hasExhaustedMemory(String log) {
    return log.contains(MEMORY_EXHAUSTED) || log.contains(HEAP_EXHAUSTED);
  }

  /// Ends the process and removes its folder.
  @Override
  public void close() {
    closeQuietly(channel);
    end(process);
    ProcessFolders.delete(folder);
    if (filesFolder != null) {
      ProcessFolders.delete(filesFolder);
    }
  }

  /// Waits even in an interrupted thread: a killed process ends at once, and must not write to its
  /// folder anymore.
  private static void end(Process process) {
    process.destroyForcibly();
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      LOG.log(System.Logger.Level.DEBUG, "A socket of a worker did not close", e);
    }
  }
}
