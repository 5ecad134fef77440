package dev.quiver.sql.query;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.sql.execution.EngineLibrary;
import dev.quiver.sql.execution.Spool;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.Datasets;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.access.Principal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// SQL over the stored datasets.
public final class Queries implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Queries.class.getName());

  private final Datasets datasets;
  private final SqlOptions options;
  private final @Nullable Workers workers;
  private final String unavailable;
  private final Spool spool;
  private final Conditions conditions;
  private final ColumnProfiles profiles;
  private final @Nullable Workers uploadWorkers;
  private final @Nullable Workers fileWorkers;
  private final ForeignFiles files;
  private final ParquetFiles parquetFiles;
  private final BatchCounts counts = new BatchCounts();
  private final NamedVersions named;

  /// @param library null if SQL is not available
  /// @param unavailable the reason then
  private Queries(
      Datasets datasets, SqlOptions options, @Nullable EngineLibrary library, String unavailable) {
    this.datasets = datasets;
    this.options = options;
    this.named = new NamedVersions(datasets, options.datasets());
    this.workers = library == null ? null : new Workers(library, options.pool());
    this.uploadWorkers = library == null ? null : new Workers(library, options.uploadPool());
    this.fileWorkers = library == null ? null : new Workers(library, options.filePool());
    this.unavailable = unavailable;
    this.spool = new Spool(options.pool().spoolFolder(), options.spooled());
    spool.removeLeftovers();
    EvaluationTurns turns = new EvaluationTurns(options.pool());
    this.conditions = new Conditions(workers, options, turns, spool, unavailable);
    this.profiles = new ColumnProfiles(options, turns);
    this.files =
        new ForeignFiles(fileWorkers, options.filePool(), options.pages(), spool, unavailable);
    this.parquetFiles = new ParquetFiles(fileWorkers, options.filePool(), spool, unavailable);
  }

  /// Returns queries that run in workers, the first of which starts with the first statement. If
  /// the platform has no library of the engine, all queries fail.
  public static Queries of(Datasets datasets, SqlOptions options) {
    return of(datasets, options, System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static Queries of(Datasets datasets, SqlOptions options, String system, String architecture) {
    EngineLibrary library = EngineLibrary.of(system, architecture);
    return library == null
        ? unavailable(
            datasets,
            options,
            "SQL is not available: the engine has no library for %s on %s"
                .formatted(system, architecture))
        : new Queries(datasets, options, library, "");
  }

  /// Returns queries that all fail.
  ///
  /// @param reason why SQL is not available, as a sentence
  public static Queries unavailable(Datasets datasets, SqlOptions options, String reason) {
    return new Queries(datasets, options, null, reason);
  }

  /// Parses a statement and opens the versions that it reads.
  ///
  /// @param principal the origin of the statement, which needs to read the datasets that it names
  /// @throws SqlException if the statement is invalid
  /// @throws dev.quiver.arrow.parallel.OverloadedException if no worker becomes free in time
  public Query open(String sql, Principal principal) throws IOException {
    return open(workers, sql, principal, WorkerLease::of);
  }

  /// Begins to run a statement whose result is stored. It has workers of its own, since it takes as
  /// long as its rows are written.
  ///
  /// @param principal the origin of the statement, which needs to read the datasets that it names
  /// @param limits on the schema of the result
  /// @throws SqlException if the statement fails at once; while the rows are read, too
  /// @throws dev.quiver.arrow.parallel.OverloadedException if no worker becomes free in time
  public ResultRows rows(String sql, List<Parameter> parameters, Principal principal, Limits limits)
      throws IOException {
    Query query = open(uploadWorkers, sql, principal, WorkerLease::of);
    return new ResultRows(query, sql, parameters, limits, new ReadProgress());
  }

  /// Begins to run a statement as [#rows(String, List, Principal, Limits)] does, which was admitted
  /// before. It is not turned away, however long it waits for a worker.
  ///
  /// @param progress counts the rows that are read of the versions
  public ResultRows rows(
      String sql,
      List<Parameter> parameters,
      Principal principal,
      Limits limits,
      ReadProgress progress)
      throws IOException {
    Query query = open(uploadWorkers, sql, principal, Queries::leaseAgain);
    return new ResultRows(query, sql, parameters, limits, progress);
  }

  private static WorkerLease leaseAgain(Workers running, Principal principal, Limit limit)
      throws IOException {
    return WorkerLease.again(running, principal, limit, null);
  }

  /// Checks that a statement can be parsed, is allowed and names datasets, unless no worker becomes
  /// free in time to look at it.
  ///
  /// @param principal the origin of the statement, which needs to read the datasets
  /// @throws SqlException if the statement is invalid
  public void check(String sql, Principal principal) throws IOException {
    try (Query _ = open(sql, principal)) {
      // It is valid, as far as that is known before it is bound.
    } catch (OverloadedException e) {
      LOG.log(System.Logger.Level.DEBUG, "A statement was not checked: {0}", e.getMessage());
    }
  }

  /// A wait for a worker that parses a statement.
  @FunctionalInterface
  private interface Leasing {

    WorkerLease await(Workers running, Principal principal, Limit timeout) throws IOException;
  }

  /// Returns whether statements can run.
  public boolean isAvailable() {
    return workers != null;
  }

  /// Rejects statements if they cannot run.
  public void requireAvailable() {
    if (!isAvailable()) {
      throw new SqlException.Unavailable(unavailable);
    }
  }

  private Query open(@Nullable Workers running, String sql, Principal principal, Leasing leasing)
      throws IOException {
    if (running == null) {
      throw new SqlException.Unavailable(unavailable);
    }
    int byteSize = sql.getBytes(StandardCharsets.UTF_8).length;
    options.text().check(byteSize, "bytes of a statement", InputLocation.UNKNOWN);
    SyntaxTree tree;
    String engineVersion;
    try (WorkerLease lease = leasing.await(running, principal, running.timeout())) {
      tree = SyntaxTree.of(sql, lease.parse(sql));
      engineVersion = lease.engineVersion();
    }
    VisibleDatasets visible = new VisibleDatasets(datasets, principal.permissions());
    return new Query(
        sql,
        tree,
        named.open(sql, tree, visible),
        engineVersion,
        running,
        principal,
        options,
        spool,
        counts);
  }

  /// Returns the number of statements that are parsed or run.
  public int runningCount() {
    return statementWorkers().mapToInt(Workers::busyCount).sum();
  }

  /// Returns the number of statements that wait for a worker.
  public int waitingCount() {
    return statementWorkers().mapToInt(Workers::waitingCount).sum();
  }

  /// Returns the number of workers that have started.
  public long startedCount() {
    return allWorkers().mapToLong(Workers::startedCount).sum();
  }

  /// Returns the number of workers that have ended.
  public long endedCount() {
    return allWorkers().mapToLong(Workers::endedCount).sum();
  }

  /// Returns the number of workers that were killed, since their statements went on after their
  /// deadlines.
  public long killedCount() {
    return allWorkers().mapToLong(Workers::killedCount).sum();
  }

  /// Returns how often a worker did not start.
  public long failedStartCount() {
    return allWorkers().mapToLong(Workers::failedStartCount).sum();
  }

  /// Returns whether the last worker that was to start did not, of statements or of files.
  public boolean isFailing() {
    return allWorkers().anyMatch(Workers::isFailing);
  }

  /// Returns the number of workers, with or without a statement.
  public int aliveCount() {
    return allWorkers().mapToInt(Workers::aliveCount).sum();
  }

  /// Returns the bytes of memory of all workers, without mapped files.
  public long workerMemoryByteSize() {
    return allWorkers().mapToLong(Workers::memoryByteSize).sum();
  }

  private Stream<Workers> statementWorkers() {
    return Stream.of(workers, uploadWorkers).filter(Objects::nonNull);
  }

  private Stream<Workers> allWorkers() {
    return Stream.of(workers, uploadWorkers, fileWorkers).filter(Objects::nonNull);
  }

  /// Returns the number of files of other formats that are read or written.
  public int readFileCount() {
    return files.readCount() + (fileWorkers == null ? 0 : fileWorkers.busyCount());
  }

  /// Returns the number of files of other formats that wait for a worker, or for their turn.
  public int waitingFileCount() {
    return files.waitingCount() + (fileWorkers == null ? 0 : fileWorkers.waitingCount());
  }

  /// Returns the bytes of results that wait on disk for their clients, and of files of other
  /// formats that are received, read, written or kept.
  public long spooledByteSize() {
    return spool.taken();
  }

  /// Returns the number of record batches that were read by statements whose `WHERE` compares the
  /// columns of their only dataset with literals.
  public long readBatchCount() {
    return counts.read();
  }

  /// Returns the number of record batches that were not read by such statements, since no row of
  /// them could match.
  public long skippedBatchCount() {
    return counts.skipped();
  }

  /// Returns the folder for files that wait or are read.
  public Spool spool() {
    return spool;
  }

  /// Returns the files of other formats, which have workers of their own.
  public ForeignFiles files() {
    return files;
  }

  /// Returns the Parquet files of versions, which the same workers write.
  public ParquetFiles parquetFiles() {
    return parquetFiles;
  }

  /// Returns the conditions that these workers evaluate.
  public Conditions conditions() {
    return conditions;
  }

  /// Returns the statistics of columns, which need no worker.
  public ColumnProfiles profiles() {
    return profiles;
  }

  @Override
  public void close() {
    allWorkers().forEach(Workers::close);
    spool.close();
  }
}
