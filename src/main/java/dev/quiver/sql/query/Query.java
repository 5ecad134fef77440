package dev.quiver.sql.query;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.sql.execution.ResultBuffer;
import dev.quiver.sql.execution.ResultStream;
import dev.quiver.sql.execution.Run;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.StatementTime;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.syntax.CatalogTable;
import dev.quiver.sql.syntax.StatementHints;
import dev.quiver.sql.syntax.SyntaxTree;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.sql.worker.PassedColumn;
import dev.quiver.sql.worker.RunRequest;
import dev.quiver.sql.worker.StoredTable;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A statement that was parsed, and the versions that it reads. It may be run once. Used by one
/// thread.
public final class Query implements AutoCloseable {

  /// The time that the start of a result is held back, so that a failure has its own status.
  private static final Duration HOLD_BACK = Duration.ofMillis(200);

  private final Explanation statement;
  private final SyntaxTree tree;
  private final SequencedMap<String, Snapshot> snapshots;
  private final VisibleDatasets visible;
  private final String engineVersion;
  private final Workers workers;
  private final Principal principal;
  private final SqlOptions options;
  private final Spool spool;
  private final BatchCounts counts;
  private RewrittenStatement rewriting;
  private StatementTime time;
  private @Nullable WorkerLease lease;
  private @Nullable ResultBuffer result;
  private @Nullable ResultBatches results;

  Query(
      Explanation statement,
      SyntaxTree tree,
      SequencedMap<String, Snapshot> snapshots,
      VisibleDatasets visible,
      String engineVersion,
      Workers workers,
      Principal principal,
      SqlOptions options,
      Spool spool,
      BatchCounts counts) {
    this.statement = statement;
    this.rewriting = RewrittenStatement.none(statement.sql());
    this.visible = visible;
    this.tree = tree;
    this.snapshots = snapshots;
    this.engineVersion = engineVersion;
    this.workers = workers;
    this.time = StatementTime.of(workers.timeout());
    this.principal = principal;
    this.options = options;
    this.spool = spool;
    this.counts = counts;
  }

  SyntaxTree tree() {
    return tree;
  }

  /// Returns whether the statement has the same result again if it reads the same versions.
  public boolean isRepeatable() {
    return tree.isRepeatable();
  }

  /// Returns the version of the engine, such as `v2.0.0`.
  public String engineVersion() {
    return engineVersion;
  }

  /// Returns the origin of the statement.
  public Principal principal() {
    return principal;
  }

  /// Returns the versions that the statement reads, by the names that it gives them.
  public SequencedMap<String, VersionSummary> versions() {
    SequencedMap<String, VersionSummary> versions = new LinkedHashMap<>();
    snapshots.forEach((name, snapshot) -> versions.put(name, snapshot.summary()));
    return versions;
  }

  /// Waits for a worker, runs the statement, and waits for the start of its result.
  ///
  /// @param prefix empty, or `EXPLAIN `
  /// @param timeout the time that the client grants, if that is less than the statement may have;
  ///   or null
  /// @param progress counts the rows that are read
  /// @return the result, which lives as long as this
  /// @throws SqlException if the statement fails at once
  public ResultBatches run(
      String prefix, List<Parameter> parameters, @Nullable Duration timeout, ReadProgress progress)
      throws IOException {
    time = StatementTime.of(workers.timeout(), timeout);
    // EXPLAIN reads no rows.
    boolean explains = statement.explains() || !prefix.isEmpty();
    Run run = explains ? whole(Explanation.PREFIX, parameters) : reduced(parameters);
    // Fetching remote data takes time that no worker has to wait.
    RunRequest request = run.request();
    WorkerLease leased = WorkerLease.again(workers, principal, time);
    return hinted(() ->
        leased.attempt(running -> {
          progress.begin(explains ? 0 : rowCount(request));
          return start(running, run, request, progress);
        }));
  }

  /// Runs the statement, and waits for the start of its result. Until then, nothing of it was sent.
  private ResultBatches start(
      WorkerLease running, Run run, RunRequest request, ReadProgress progress) throws IOException {
    lease = running;
    ResultBuffer buffer = new ResultBuffer(spool, options.result());
    result = buffer;
    try {
      running.run(run, request, buffer, progress::advance);
      buffer.awaitStart(HOLD_BACK);
      ResultBatches read = ResultBatches.of(buffer, spool.folder());
      results = read;
      return read;
    } catch (SqlException.WorkerLost e) {
      buffer.close();
      throw e;
    }
  }

  /// Waits for a worker, runs the statement, and waits for the schema of its result. The worker
  /// waits for the caller to read the rest.
  ///
  /// @param limits on the schema
  /// @param progress counts the rows that are read
  /// @return the result, which closes this at its end
  ResultStream stream(List<Parameter> parameters, Limits limits, ReadProgress progress)
      throws IOException {
    Run run = statement.explains() ? whole(Explanation.PREFIX, parameters) : reduced(parameters);
    RunRequest request = run.request();
    WorkerLease leased = WorkerLease.again(workers, principal, time);
    return hinted(() ->
        leased.attempt(running -> {
          lease = running;
          progress.begin(rowCount(request));
          return ResultStream.of(
              running.stream(run, request, progress::advance), limits, this::close);
        }));
  }

  private static long rowCount(RunRequest request) {
    return request.tables().stream().mapToLong(StoredTable::rowCount).sum();
  }

  /// Waits for a worker and has it check the statement, without running it.
  ///
  /// @param prefix empty, or `EXPLAIN `
  /// @throws SqlException if the statement is invalid
  public void bind(String prefix, List<Parameter> parameters) throws IOException {
    boolean explains = statement.explains() || !prefix.isEmpty();
    Run run = whole(explains ? Explanation.PREFIX : "", parameters);
    RunRequest request = run.request();
    WorkerLease leased = WorkerLease.again(workers, principal, time);
    hinted(() ->
        leased.attempt(binding -> {
          try (binding) {
            binding.bind(run, request);
            return run;
          }
        }));
  }

  private List<PassedColumn> passed() throws IOException {
    return SelectedColumns.of(tree.query(), snapshots);
  }

  /// Runs a step of this statement, whose failure gets a hint.
  private <T> T hinted(Step<T> step) throws IOException {
    try {
      return step.run();
    } catch (SqlException.Invalid e) {
      throw StatementHints.of(rewriting.inOriginal(e), statement.sql(), new VisibleNames(visible));
    } catch (SqlException.Value e) {
      throw StatementHints.of(e, statement.sql());
    }
  }

  /// A step of a statement, which may find that it is invalid.
  @FunctionalInterface
  private interface Step<T> {

    T run() throws IOException;
  }

  private Run whole(String prefix, List<Parameter> parameters) throws IOException {
    rewriting = rewritten(parameters);
    Run run =
        new Run(prefix, rewriting.text(), parameters, tables(), !tree.usesColumns(), null, null);
    // A plan has other columns.
    return prefix.isEmpty() ? run.passing(passed()) : run;
  }

  /// Returns the statement with the lists of datasets that it reads.
  private RewrittenStatement rewritten(List<Parameter> parameters) throws IOException {
    StatementTime.Running reading = time.begin();
    CatalogRows rows = new CatalogRows(visible, options.catalog(), reading, parameters);
    List<RewrittenStatement.Edit> edits = new ArrayList<>();
    for (CatalogTable table : tree.catalog()) {
      edits.add(
          new RewrittenStatement.Edit(
              table.place().position(), table.place().length(), rows.text(table)));
    }
    time = reading.rest();
    return new RewrittenStatement(statement.sql(), edits);
  }

  private List<Map.Entry<String, Snapshot>> tables() {
    return List.copyOf(snapshots.entrySet());
  }

  /// Returns the statement, which need not read rows that its comparisons with literals reject: not
  /// the batches that have no other rows by their statistics, nor such rows of other batches. Nor
  /// need it read rows that come after those that it limits its result to.
  private Run reduced(List<Parameter> parameters) throws IOException {
    SyntaxTree.Filter filter = tree.filter();
    if (filter == null) {
      Run run = whole("", parameters);
      return snapshots.size() == 1 && tree.catalog().isEmpty()
          ? run.leading(LeadingQuery.of(tree.query(), snapshots.firstEntry().getValue().schema()))
          : run;
    }
    Snapshot snapshot = snapshots.firstEntry().getValue();
    if (!ColumnNames.areKept(snapshot.schema())) {
      // In SQL, a name may denote another column.
      return whole("", parameters);
    }
    ComparedRows compared = new ComparedRows(snapshot, filter.condition(), filter.table());
    Predicate.Conjunction predicate = compared.predicate();
    if (predicate.parts().isEmpty()) {
      return whole("", parameters);
    }
    RowMatches found = compared.batches(Cancellation.current()::throwIfRequested);
    counts.add(snapshot, found);
    int[] batches =
        found.batchCount() == snapshot.batchCount()
            ? null
            : IntStream.range(0, found.batchCount()).map(found::batch).toArray();
    return new Run(
            "", statement.sql(), parameters, tables(), !tree.usesColumns(), batches, predicate)
        .passing(passed());
  }

  /// Ends the statement, if it still runs. Its worker keeps the stored files mapped until then.
  @Override
  public void close() throws IOException {
    // A resource that is null is skipped.
    try (WorkerLease _ = lease;
        ResultBuffer _ = result;
        ResultBatches _ = results) {
      closeAll(snapshots.values());
    }
  }

  static void closeAll(Iterable<Snapshot> snapshots) throws IOException {
    IOException first = null;
    for (Snapshot snapshot : snapshots) {
      try {
        snapshot.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
