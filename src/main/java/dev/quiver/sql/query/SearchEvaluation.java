package dev.quiver.sql.query;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.search.RowSearch;
import dev.quiver.arrow.search.TextSearch;
import dev.quiver.sql.execution.SqlOptions;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// A search for a text in the rows of a version, in this process. Only columns with texts are read,
/// and only batches that have rows to search.
final class SearchEvaluation {

  private final Snapshot snapshot;
  private final TextSearch search;
  private final BatchCounts counts;
  private final EvaluationLimits limits;

  /// Searches that no thread uses at the moment.
  private final Queue<RowSearch> idle = new ConcurrentLinkedQueue<>();

  /// Starts its time.
  SearchEvaluation(SqlOptions options, Snapshot snapshot, String text, BatchCounts counts)
      throws IOException {
    this.limits = new EvaluationLimits(options, "search");
    this.snapshot = snapshot;
    this.search = TextSearch.of(text, snapshot.schema());
    this.counts = counts;
  }

  /// Returns the rows with the text.
  ///
  /// @param among the rows to search, or null for all of the snapshot
  /// @param id identifies the text and these rows
  RowMatches matches(@Nullable RowMatches among, String id) throws IOException {
    if (search.columns().length == 0) {
      return new RowMatches.Builder().build(id);
    }
    RowMatches searched = among == null ? all() : among;
    RowMatches batches = whole(searched);
    counts.add(snapshot, batches);
    limits.checkRows(snapshot, batches);
    SliceMatches found = new SliceMatches(snapshot, searched);
    snapshot
        .select(search.columns(), batches)
        .forEachSlice(
            (batch, from, to, _) -> {
              limits.checkMemory(TextSearch.heapByteSize(batch));
              return find(batch, from, to);
            },
            slice -> {
              found.add(slice);
              limits.check(found.heapByteSize());
              return true;
            });
    return found.build(id);
  }

  private RowMatches all() throws IOException {
    RowMatches.Builder rows = new RowMatches.Builder();
    for (int batch = 0; batch < snapshot.batchCount(); batch++) {
      if (snapshot.rowsBefore(batch + 1) > snapshot.firstRow()) {
        rows.add(batch, EvaluationLimits.rows(snapshot, batch));
      }
    }
    return rows.build("all");
  }

  /// Returns all rows of the batches that have some of the rows.
  private RowMatches whole(RowMatches rows) throws IOException {
    RowMatches.Builder batches = new RowMatches.Builder();
    for (int i = 0; i < rows.batchCount(); i++) {
      batches.add(rows.batch(i), EvaluationLimits.rows(snapshot, rows.batch(i)));
    }
    return batches.build("batches");
  }

  private SliceMatches.Slice find(RecordBatch batch, long from, long to) {
    RowSearch free = idle.poll();
    RowSearch rows = free == null ? search.rows(limits::check) : free;
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch slice = Slices.rows(batch, from, to, arena);
      return new SliceMatches.Slice(from, rows.find(slice), to == batch.length());
    } finally {
      idle.add(rows);
    }
  }
}
