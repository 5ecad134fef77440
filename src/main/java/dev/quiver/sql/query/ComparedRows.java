package dev.quiver.sql.query;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.statistics.BatchFilter;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.where.Conjuncts;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;
import tools.jackson.databind.JsonNode;

/// The rows of a version that pass the comparisons of a condition, found in this process.
///
/// Batches that have none by their statistics are not read, and of the others only the columns that
/// are compared.
final class ComparedRows {

  /// The number of batches after which the check runs again.
  private static final int CHECKED_BATCHES = 256;

  private final Snapshot snapshot;
  private final Schema schema;
  private final Conjuncts conjuncts;

  /// Filters that no thread uses at the moment.
  private final Queue<BatchFilter> filters = new ConcurrentLinkedQueue<>();

  /// @param condition the expression in a syntax tree
  /// @param table the name of the table, which may qualify a column
  ComparedRows(Snapshot snapshot, JsonNode condition, String table) throws IOException {
    this.snapshot = snapshot;
    this.schema = snapshot.schema();
    this.conjuncts = Conjuncts.of(condition, ColumnNames.named(schema), table);
  }

  /// Returns the comparisons.
  Predicate.Conjunction predicate() {
    return conjuncts.predicate();
  }

  /// Returns whether the condition has no further parts.
  boolean isWhole() {
    return conjuncts.isWhole();
  }

  /// Returns the batches that may have such rows, from the first row of the snapshot on.
  ///
  /// @param check throws if the work may not go on; runs in this thread while statistics are read,
  ///   which may be far away
  RowMatches batches(Runnable check) throws IOException {
    RowMatches.Builder batches = new RowMatches.Builder();
    BatchFilter filter = conjuncts.isEmpty() ? null : filter();
    int count = snapshot.batchCount();
    int first = 0;
    while (first < count && snapshot.rowsBefore(first + 1) <= snapshot.firstRow()) {
      first++;
    }
    if (filter != null && first < count) {
      snapshot.prefetchStatistics(first, count, check);
    }
    for (int batch = first; batch < count; batch++) {
      if (batch % CHECKED_BATCHES == 0) {
        check.run();
      }
      long rowCount = snapshot.rowsBefore(batch + 1) - snapshot.rowsBefore(batch);
      if (filter == null || mayMatch(filter, batch, rowCount)) {
        batches.add(batch, rowCount);
      }
    }
    return batches.build("batches");
  }

  private BatchFilter filter() {
    return BatchFilter.of(conjuncts.predicate(), schema);
  }

  private boolean mayMatch(BatchFilter filter, int batch, long rowCount) throws IOException {
    BatchStatistics statistics = snapshot.statistics(batch);
    return statistics == null || filter.mayMatch(rowCount, statistics);
  }

  /// Returns the rows.
  ///
  /// @param batches that may have such rows
  /// @param id identifies the condition
  /// @param memory checks the bytes of heap that a batch takes; runs in several threads
  /// @param check throws if the work may not go on, with the bytes of heap so far; runs in this
  ///   thread alone, since it may look at the connection of a client
  RowMatches rows(RowMatches batches, String id, LongConsumer memory, LongConsumer check)
      throws IOException {
    SliceMatches rows = new SliceMatches(snapshot, batches);
    if (conjuncts.isEmpty()) {
      for (int i = 0; i < batches.batchCount(); i++) {
        rows.addAll();
      }
      return rows.build(id);
    }
    filters.add(filter());
    snapshot
        .select(filters.element().columns(), batches)
        .forEachSlice(
            (batch, from, to, _) -> {
              memory.accept(BatchFilter.heapByteSize(batch));
              return select(batch, from, to);
            },
            selected -> {
              rows.add(selected);
              check.accept(rows.heapByteSize());
              return true;
            });
    return rows.build(id);
  }

  private SliceMatches.Slice select(RecordBatch batch, long from, long to) {
    BatchFilter idle = filters.poll();
    BatchFilter filter = idle == null ? filter() : idle;
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch slice = Slices.rows(batch, from, to, arena);
      return new SliceMatches.Slice(from, filter.select(slice).words(), to == batch.length());
    } finally {
      filters.add(filter);
    }
  }
}
