package dev.quiver.sql.execution;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The workers for each kind of work, so that none of it waits for another kind. Shared by threads.
public final class WorkerPools implements AutoCloseable {

  private final boolean available;
  private final Workers statements;
  private final Workers uploads;
  private final Workers files;

  /// @param library null if there can be no worker
  /// @param unavailable the reason then
  private WorkerPools(SqlOptions options, @Nullable EngineLibrary library, String unavailable) {
    this.available = library != null;
    this.statements = new Workers(library, unavailable, options.pool());
    this.uploads = new Workers(library, unavailable, options.uploadPool());
    this.files = new Workers(library, unavailable, options.filePool());
  }

  /// Returns pools whose workers start when they are needed. If the platform has no library of the
  /// engine, they never do.
  public static WorkerPools of(SqlOptions options) {
    return of(options, System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /// Returns pools for a platform.
  public static WorkerPools of(SqlOptions options, String system, String architecture) {
    EngineLibrary library = EngineLibrary.of(system, architecture);
    return library == null
        ? unavailable(
            options,
            "SQL is not available: the engine has no library for %s on %s"
                .formatted(system, architecture))
        : new WorkerPools(options, library, "");
  }

  /// Returns pools without workers.
  ///
  /// @param reason why SQL is not available, as a sentence
  public static WorkerPools unavailable(SqlOptions options, String reason) {
    return new WorkerPools(options, null, reason);
  }

  /// Returns the workers of statements and conditions.
  public Workers statements() {
    return statements;
  }

  /// Returns the workers of statements whose results are stored, which run as long as their rows
  /// are written.
  public Workers uploads() {
    return uploads;
  }

  /// Returns the workers that read and write files of other formats.
  public Workers files() {
    return files;
  }

  /// Returns whether statements can run.
  public boolean isAvailable() {
    return available;
  }

  /// Returns the number of statements that are parsed or run.
  public int runningCount() {
    return statements.busyCount() + uploads.busyCount();
  }

  /// Returns the number of statements that wait for a worker.
  public int waitingCount() {
    return statements.waitingCount() + uploads.waitingCount();
  }

  /// Returns the number of workers that have started.
  public long startedCount() {
    return all().mapToLong(Workers::startedCount).sum();
  }

  /// Returns the number of workers that have ended.
  public long endedCount() {
    return all().mapToLong(Workers::endedCount).sum();
  }

  /// Returns the number of workers that were killed, since their statements went on after their
  /// deadlines.
  public long killedCount() {
    return all().mapToLong(Workers::killedCount).sum();
  }

  /// Returns how often a worker did not start.
  public long failedStartCount() {
    return all().mapToLong(Workers::failedStartCount).sum();
  }

  /// Returns whether the last worker that was to start did not, of statements or of files.
  public boolean isFailing() {
    return all().anyMatch(Workers::isFailing);
  }

  /// Returns the number of workers, with or without a statement.
  public int aliveCount() {
    return all().mapToInt(Workers::aliveCount).sum();
  }

  /// Returns the bytes of memory of all workers, without mapped files.
  public long memoryByteSize() {
    return all().mapToLong(Workers::memoryByteSize).sum();
  }

  private Stream<Workers> all() {
    return Stream.of(statements, uploads, files);
  }

  @Override
  public void close() {
    all().forEach(Workers::close);
  }
}
