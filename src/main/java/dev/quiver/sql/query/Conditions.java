package dev.quiver.sql.query;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.parallel.SharedTasks;
import dev.quiver.sql.execution.EngineLibrary;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.sql.execution.WorkerPools;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.syntax.Nesting;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// Conditions on the rows of one dataset.
///
/// Comparisons of a column with literals are evaluated in this process, and statistics show which
/// batches need not be read for them. The engine says which of the remaining rows match everything
/// else, over only the columns that a condition names. The selected rows themselves never pass
/// through it, so they keep their types, dictionaries and metadata exactly. A text is searched for
/// in this process, among the rows that match the rest.
///
/// The matches of a condition are remembered. They say how long a response is, where its ranges
/// lie, and which rows the next window has. Requests that need the same unknown ones at the same
/// time share their evaluation, which ends early if all their clients leave. Each may take as much
/// memory as its limit allows.
///
/// Shared by threads.
public final class Conditions {

  /// The part of the heap for remembered matches.
  private static final int HEAP_PART = 32;

  /// The characters of a hash, of four bits each.
  private static final int HASH_LENGTH = 32;

  private final Workers workers;
  private final SqlOptions options;
  private final Spool spool;
  private final BatchCounts counts = new BatchCounts();
  private final LruCache<String, RowMatches> matches =
      new LruCache<>(Runtime.getRuntime().maxMemory() / HEAP_PART);
  private final SharedTasks<String, RowMatches> evaluations = new SharedTasks<>();

  private final EvaluationTurns turns;

  public Conditions(WorkerPools pools, SqlOptions options, EvaluationTurns turns, Spool spool) {
    this.workers = pools.statements();
    this.options = options;
    this.turns = turns;
    this.spool = spool;
  }

  /// Returns the rows of a version that match a condition.
  ///
  /// @param principal the origin of the condition
  /// @throws SqlException if the condition is invalid, or fails for a row
  /// @throws CancelledException if the client leaves
  /// @throws OverloadedException if too many conditions wait for their evaluation, or wait for too
  ///   long, or no worker becomes free in time
  public RowMatches matches(Snapshot snapshot, RowCondition condition, Principal principal)
      throws IOException {
    String where = condition.where();
    String search = condition.search();
    RowMatches matching = where == null ? null : matches(snapshot, where, principal);
    if (search == null) {
      return Objects.requireNonNull(matching);
    }
    String id = id(snapshot, condition);
    return shared(
        snapshot,
        id,
        () -> new SearchEvaluation(options, snapshot, search, counts).matches(matching, id));
  }

  /// Returns the rows of a version that match a condition in SQL.
  ///
  /// @see #matches(Snapshot, RowCondition, Principal)
  public RowMatches matches(Snapshot snapshot, String where, Principal principal)
      throws IOException {
    workers.requireAvailable();
    int byteSize = where.getBytes(StandardCharsets.UTF_8).length;
    options.text().check(byteSize, "bytes of a condition", InputLocation.detail("parameter where"));
    Nesting.check(where);
    String id = id(snapshot, new RowCondition(where, null));
    return shared(
        snapshot,
        id,
        () ->
            new ConditionEvaluation(workers, principal, options, spool, snapshot, where, counts)
                .matches(id));
  }

  private RowMatches shared(Snapshot snapshot, String id, LruCache.Loader<RowMatches> evaluation)
      throws IOException {
    String key = snapshot.summary().id() + "." + id;
    RowMatches present = matches.get(key);
    if (present == null) {
      present = evaluations.get(key, _ -> inTurn(key, evaluation));
    }
    snapshot.share(key, present.heapByteSize());
    return present;
  }

  /// Returns the id of the matches of a condition, which may be invalid.
  public static String id(Snapshot snapshot, RowCondition condition) {
    String where = condition.where();
    String search = condition.search();
    // The engine decides what matches, so its version belongs to the id.
    String ofWhere =
        where == null ? "" : EngineLibrary.VERSION + "\n" + snapshot.firstRow() + "\n" + where;
    if (search == null) {
      return "where-" + hash(ofWhere);
    }
    // The runtime decides which characters are the same.
    List<Object> ofSearch =
        List.of(Runtime.version().feature(), snapshot.firstRow(), search.length(), search, ofWhere);
    return "search-" + hash(ofSearch.toString());
  }

  private static String hash(String text) {
    return Sha256.hex(text).substring(0, HASH_LENGTH);
  }

  private RowMatches inTurn(String key, LruCache.Loader<RowMatches> evaluation) throws IOException {
    return turns.run(
        "evaluate the condition",
        // Another request may have found them since this one looked.
        () -> matches.get(key, /* heavy= */ false, evaluation, RowMatches::heapByteSize));
  }

  /// Returns the number of record batches that were read for conditions.
  public long readBatchCount() {
    return counts.read();
  }

  /// Returns the number of record batches that were not read for conditions, since no row of them
  /// could match.
  public long skippedBatchCount() {
    return counts.skipped();
  }
}
