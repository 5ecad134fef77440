package dev.quiver.sql.query;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.sql.execution.ResultBuffer;
import dev.quiver.sql.execution.Run;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlException.Invalid;
import dev.quiver.sql.execution.SqlException.Reason;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.syntax.ConditionHints;
import dev.quiver.sql.syntax.ConditionTree;
import dev.quiver.sql.syntax.SqlNames;
import dev.quiver.sql.worker.RunRequest;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// The evaluation of a condition on a version: first of its comparisons with literals in this
/// process, then of the whole condition by the engine, for the rows that are left. The engine gets
/// groups of batches, so that none of its results is long.
final class ConditionEvaluation {

  /// The rows of a group. One batch may have more.
  private static final long GROUP_ROW_COUNT = 16 << 20;

  /// The name of the version in the statements of the engine.
  private static final String TABLE = "rows";

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Workers workers;
  private final Principal principal;
  private final SqlOptions options;
  private final Spool spool;
  private final Snapshot snapshot;
  private final String condition;
  private final BatchCounts counts;

  /// The name of the column with the numbers of rows, which no condition can guess.
  private final String numberColumn = "row_" + Long.toHexString(RANDOM.nextLong());

  private final RowMatches.Builder found = new RowMatches.Builder();
  private final EvaluationLimits limits;

  /// The schema with the names that conditions use.
  private final Schema schema;

  /// The name that conditions may put before those of columns: that of the dataset, unless a column
  /// has it, which may be a struct.
  private final String qualifier;

  private final ConditionHints hints;

  /// Starts its time.
  ConditionEvaluation(
      Workers workers,
      Principal principal,
      SqlOptions options,
      Spool spool,
      Snapshot snapshot,
      String condition,
      BatchCounts counts)
      throws IOException {
    this.workers = workers;
    this.principal = principal;
    this.options = options;
    this.spool = spool;
    this.snapshot = snapshot;
    this.condition = condition;
    this.counts = counts;
    this.limits = new EvaluationLimits(options, "where");
    this.schema = ColumnNames.named(snapshot.schema());
    String dataset = snapshot.summary().name().value();
    this.qualifier =
        schema.fields().stream().anyMatch(field -> ColumnNames.areEqual(dataset, field.name()))
            ? TABLE
            : dataset;
    this.hints = new ConditionHints(condition, dataset, schema);
  }

  /// Returns the matches.
  ///
  /// @param id identifies the condition
  RowMatches matches(String id) throws IOException {
    hints.check();
    try {
      return evaluate(id);
    } catch (Invalid | SqlException.Value e) {
      throw hints.explained(e);
    }
  }

  private RowMatches evaluate(String id) throws IOException {
    ConditionTree tree = parse();
    int[] columns = columns(tree);
    ComparedRows compared = new ComparedRows(snapshot, tree.root(), qualifier);
    RowMatches batches = compared.batches(() -> limits.check(0));
    counts.add(snapshot, batches);
    limits.checkRows(snapshot, batches);
    RowMatches candidates = compared.rows(batches, id, limits::checkMemory, limits::check);
    if (compared.isWhole()) {
      return candidates;
    }
    int count = candidates.batchCount();
    int from = 0;
    do {
      int to = from;
      long rowCount = 0;
      while (to < count && (to == from || rowCount + rows(candidates, to) <= GROUP_ROW_COUNT)) {
        rowCount += rows(candidates, to);
        to++;
      }
      // Without rows, the engine still has to accept the condition.
      evaluate(CandidateRows.of(snapshot, candidates, from, to), columns);
      from = to;
    } while (from < count);
    return found.build(id);
  }

  private long rows(RowMatches candidates, int index) throws IOException {
    return EvaluationLimits.rows(snapshot, candidates.batch(index));
  }

  private ConditionTree parse() throws IOException {
    List<String> statements = ConditionTree.statements(condition);
    return WorkerLease.of(workers, principal, options.conditionTimeout())
        .attempt(lease -> {
          try (lease) {
            return ConditionTree.of(
                condition, lease.parse(statements.getFirst()), lease.parse(statements.getLast()));
          }
        });
  }

  /// Returns the indices of the columns that a condition names.
  ///
  /// @throws Invalid unless each name belongs to exactly one column, in any case: the engine
  ///   ignores case
  private int[] columns(ConditionTree tree) {
    List<String> names = schema.fields().stream().map(Field::name).toList();
    SortedSet<Integer> columns = new TreeSet<>();
    for (Map.Entry<String, Integer> use : tree.columns(qualifier).entrySet()) {
      String name = use.getKey();
      int[] found =
          IntStream.range(0, names.size())
              .filter(i -> ColumnNames.areEqual(names.get(i), name))
              .toArray();
      if (found.length == 0) {
        String near = hints.near(name, use.getValue());
        throw invalid(
            "Expected a column but found "
                + name
                + (near == null ? "" : "; the nearest is " + near),
            use,
            hints.unknownColumn(name, use.getValue()));
      }
      if (found.length > 1) {
        throw invalid(
            "Expected the name of one column but found %s, which %d columns have in some case"
                .formatted(name, found.length),
            use,
            "Store the columns under names that differ in more than their case, such as with"
                + " rename.");
      }
      columns.add(found[0]);
    }
    return columns.stream().mapToInt(Integer::intValue).toArray();
  }

  private Invalid invalid(String message, Map.Entry<String, Integer> use, String hint) {
    return new Invalid(
        Reason.INVALID_SQL, message, condition, use.getValue(), use.getKey().length(), hint);
  }

  /// Adds the matches of a group.
  private void evaluate(CandidateRows group, int[] columns) throws IOException {
    Run run =
        new Run(
            "SELECT \"%s\" FROM \"%s\" AS %s WHERE (\n"
                .formatted(numberColumn, TABLE, SqlNames.quoted(qualifier)),
            condition,
            "\n)",
            List.of(),
            List.of(Map.entry(TABLE, snapshot)),
            /* counted= */ false,
            group.batches(),
            /* predicate= */ null,
            /* leading= */ null,
            group.numbering(numberColumn, columns),
            /* passed= */ List.of());
    // Fetching remote data takes time that no worker has to wait.
    RunRequest request = run.request();
    var _ =
        WorkerLease.again(workers, principal, limits.rest())
            .attempt(lease -> evaluate(lease, run, request, group));
    group.addTo(found);
    limits.checkMemory(found.heapByteSize());
  }

  /// Marks the matches in a group. A second time marks the same ones.
  private CandidateRows evaluate(
      WorkerLease leased, Run run, RunRequest request, CandidateRows group) throws IOException {
    try (WorkerLease lease = leased;
        ResultBuffer buffer = new ResultBuffer(spool, options.result())) {
      lease.run(run, request, buffer, _ -> {});
      try (ResultBatches batches = ResultBatches.of(buffer, spool.folder())) {
        for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
          mark(batch, group);
        }
      }
    }
    return group;
  }

  private static void mark(RecordBatch batch, CandidateRows group) {
    Array.FixedWidth numbers = (Array.FixedWidth) Array.of(batch.columns().getFirst());
    for (long i = 0; i < batch.length(); i++) {
      group.mark(numbers.integer(i));
    }
  }
}
