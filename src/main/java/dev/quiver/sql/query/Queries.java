package dev.quiver.sql.query;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.StatementTime;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.WorkerPools;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.syntax.Nesting;
import dev.quiver.sql.syntax.StatementHints;
import dev.quiver.sql.syntax.SyntaxTree;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.Datasets;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// SQL over the stored datasets. Shared by threads.
public final class Queries {

  private static final System.Logger LOG = System.getLogger(Queries.class.getName());

  private final Datasets datasets;
  private final SqlOptions options;
  private final WorkerPools pools;
  private final Spool spool;
  private final BatchCounts counts = new BatchCounts();
  private final NamedVersions named;

  public Queries(Datasets datasets, SqlOptions options, WorkerPools pools, Spool spool) {
    this.datasets = datasets;
    this.options = options;
    this.pools = pools;
    this.spool = spool;
    this.named = new NamedVersions(options.datasets());
  }

  /// Parses a statement and opens the versions that it reads.
  ///
  /// @param principal the origin of the statement, which needs to read the datasets that it names
  /// @throws SqlException if the statement is invalid
  /// @throws dev.quiver.arrow.parallel.OverloadedException if no worker becomes free in time
  public Query open(String sql, Principal principal) throws IOException {
    return open(pools.statements(), sql, principal, WorkerLease::of);
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
    Query query = open(pools.uploads(), sql, principal, WorkerLease::of);
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
    Query query = open(pools.uploads(), sql, principal, Queries::leaseAgain);
    return new ResultRows(query, sql, parameters, limits, progress);
  }

  private static WorkerLease leaseAgain(Workers running, Principal principal, Limit limit)
      throws IOException {
    return WorkerLease.again(running, principal, StatementTime.of(limit));
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
    return pools.isAvailable();
  }

  /// Rejects statements if they cannot run.
  public void requireAvailable() {
    pools.statements().requireAvailable();
  }

  private Query open(Workers running, String sql, Principal principal, Leasing leasing)
      throws IOException {
    running.requireAvailable();
    int byteSize = sql.getBytes(StandardCharsets.UTF_8).length;
    options.text().check(byteSize, "bytes of a statement", InputLocation.UNKNOWN);
    Nesting.check(sql);
    VisibleDatasets visible = new VisibleDatasets(datasets, principal.permissions());
    Explanation statement = Explanation.of(sql);
    Parsed parsed;
    try {
      WorkerLease leased = leasing.await(running, principal, running.timeout());
      parsed = leased.attempt(lease -> parsed(lease, statement.sql()));
    } catch (SqlException.Invalid e) {
      throw StatementHints.of(e, sql, new VisibleNames(visible));
    }
    return new Query(
        statement,
        parsed.tree,
        named.open(sql, parsed.tree, visible),
        visible,
        parsed.engineVersion,
        running,
        principal,
        options,
        spool,
        counts);
  }

  private record Parsed(SyntaxTree tree, String engineVersion) {}

  private static Parsed parsed(WorkerLease leased, String sql) throws IOException {
    try (WorkerLease lease = leased) {
      return new Parsed(SyntaxTree.of(sql, lease.parse(sql)), lease.engineVersion());
    }
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
}
