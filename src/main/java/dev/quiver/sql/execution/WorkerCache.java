package dev.quiver.sql.execution;

import dev.quiver.arrow.codec.Sha256;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The classes of workers as one of them has loaded and linked them, and the profiles of their
/// methods: an AOT cache of the JVM, with which others start in less time and compile earlier. A
/// worker without clients makes it once for each release.
///
/// A failure leaves workers as they are without it. The JVM ignores a cache of other classes,
/// options or versions of itself. Services that share the folder may make it at the same time: a
/// file takes its place as a whole.
final class WorkerCache implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(WorkerCache.class.getName());

  /// The time that the first statements have for themselves.
  private static final long DELAY_SECONDS = 10;

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int KEY_LENGTH = 16;

  /// The number of times that the worker runs the statements of the service. The profiles of fewer
  /// rounds do not tell which methods to compile.
  private static final int ROUNDS = 40;

  private final Path folder;
  private final Path file;
  private final boolean possible;
  private final AtomicBoolean begun = new AtomicBoolean();
  private @Nullable WorkerProcess maker;
  private boolean closed;

  /// @param folder a private folder
  /// @param classPath the absolute class path of workers
  WorkerCache(Path folder, String classPath) throws IOException {
    this.folder = folder;
    StringBuilder key = new StringBuilder(Runtime.version() + System.getProperty("java.home"));
    boolean onlyFiles = true;
    for (String entry : classPath.split(Pattern.quote(File.pathSeparator))) {
      BasicFileAttributes attributes =
          Files.readAttributes(Path.of(entry), BasicFileAttributes.class);
      onlyFiles &= attributes.isRegularFile();
      key.append('\n').append(entry).append(attributes.size());
      key.append(attributes.lastModifiedTime());
    }
    // The JVM makes no cache of classes in folders.
    this.possible = onlyFiles;
    String name = Sha256.hex(key.toString()).substring(0, KEY_LENGTH);
    this.file = folder.resolve("worker-" + name + ".aot");
  }

  /// Returns the options with which a worker uses the cache, if it is there.
  List<String> options() {
    return possible && Files.isRegularFile(file) ? List.of("-XX:AOTCache=" + file) : List.of();
  }

  /// Makes the cache soon, unless it is there or was tried.
  void makeLater(WorkerCommand command) {
    if (possible && !Files.exists(file) && !begun.getAndSet(true)) {
      CompletableFuture.delayedExecutor(
              DELAY_SECONDS,
              TimeUnit.SECONDS,
              action -> Thread.ofPlatform().name("sql-worker-cache").daemon().start(action))
          .execute(() -> make(command));
    }
  }

  /// Makes the cache.
  void make(WorkerCommand command) {
    Path made = folder.resolve("worker-" + UUID.randomUUID() + ".tmp");
    try {
      WorkerCommand making = command.withCacheOptions(List.of("-XX:AOTCacheOutput=" + made));
      try (WorkerProcess worker = WorkerProcess.start(making, _ -> {})) {
        // After close(), the process is ended there or here.
        if (begin(worker)) {
          WarmUp statements = worker.warmUp();
          for (int i = 0; i < ROUNDS; i++) {
            statements.run(() -> false);
          }
          if (worker.end(PATIENCE) && Files.isRegularFile(made)) {
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            deleteExcept(file);
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "Workers start without a cache of their classes", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      delete(made);
      delete(Path.of(made + ".config"));
    }
  }

  private synchronized boolean begin(WorkerProcess worker) {
    maker = worker;
    return !closed;
  }

  /// Deletes the caches of other releases, and what services that were killed have left.
  private void deleteExcept(Path kept) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path other : files.filter(found -> !found.equals(kept)).toList()) {
        String name = other.getFileName().toString();
        if (name.matches("worker-.*[.]aot") || name.matches("worker-.*[.]tmp.*") && isOld(other)) {
          delete(other);
        }
      }
    }
  }

  /// Another service may be making its cache now.
  private static boolean isOld(Path file) throws IOException {
    Instant written = Files.getLastModifiedTime(file).toInstant();
    return written.plus(PATIENCE).isBefore(Instant.now());
  }

  /// Deletes the cache, with which a worker did not start.
  void discard() {
    begun.set(true);
    delete(file);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "A file was not deleted", e);
    }
  }

  /// Ends the worker that makes the cache.
  @Override
  public void close() {
    WorkerProcess present;
    synchronized (this) {
      closed = true;
      present = maker;
    }
    if (present != null) {
      present.kill();
    }
  }
}
