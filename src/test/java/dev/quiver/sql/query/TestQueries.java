package dev.quiver.sql.query;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.WorkerPools;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.util.List;

/// The objects of the service for statements, conditions and files, wired as its configuration
/// wires them.
public final class TestQueries implements AutoCloseable {

  private final WorkerPools pools;
  private final Spool spool;
  private final Queries queries;
  private final Conditions conditions;
  private final ColumnProfiles profiles;
  private final ForeignFiles files;

  private TestQueries(Datasets datasets, SqlOptions options, WorkerPools pools) {
    this.pools = pools;
    this.spool = new Spool(options.pool().spoolFolder(), options.spooled());
    this.queries = new Queries(datasets, options, pools, spool);
    EvaluationTurns turns = new EvaluationTurns(options.pool());
    this.conditions = new Conditions(pools, options, turns, spool);
    this.profiles = new ColumnProfiles(options, turns);
    this.files =
        new ForeignFiles(
            pools.files(),
            options.filePool(),
            options.pages(),
            options.workbook(),
            spool,
            new InFlightBytes(new Limit("bytes", 64 << 20)));
  }

  public static TestQueries of(Datasets datasets, SqlOptions options) {
    return new TestQueries(datasets, options, WorkerPools.of(options));
  }

  static TestQueries of(Datasets datasets, SqlOptions options, String system, String architecture) {
    return new TestQueries(datasets, options, WorkerPools.of(options, system, architecture));
  }

  public static TestQueries unavailable(Datasets datasets, SqlOptions options, String reason) {
    return new TestQueries(datasets, options, WorkerPools.unavailable(options, reason));
  }

  public Query open(String sql, Principal principal) throws IOException {
    return queries.open(sql, principal);
  }

  ResultRows rows(String sql, List<Parameter> parameters, Principal principal, Limits limits)
      throws IOException {
    return queries.rows(sql, parameters, principal, limits);
  }

  ResultRows rows(
      String sql,
      List<Parameter> parameters,
      Principal principal,
      Limits limits,
      ReadProgress progress)
      throws IOException {
    return queries.rows(sql, parameters, principal, limits, progress);
  }

  Queries queries() {
    return queries;
  }

  Conditions conditions() {
    return conditions;
  }

  ColumnProfiles profiles() {
    return profiles;
  }

  public ForeignFiles files() {
    return files;
  }

  int runningCount() {
    return pools.runningCount();
  }

  int waitingCount() {
    return pools.waitingCount();
  }

  long startedCount() {
    return pools.startedCount();
  }

  long endedCount() {
    return pools.endedCount();
  }

  long spooledByteSize() {
    return spool.taken();
  }

  @Override
  public void close() {
    pools.close();
    spool.close();
  }
}
