package dev.quiver.server.read;

import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.statistics.LeafColumn;
import dev.quiver.arrow.text.JsonNumbers;
import dev.quiver.server.resource.ColumnStatisticsJson;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.store.file.BatchEntry;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The record batches of a version in its batch index, with or without statistics.
///
/// @param numbers the form of large numbers in statistics, or null for no statistics
public record BatchDescriptions(Snapshot snapshot, @Nullable JsonNumbers numbers) {

  /// The number of column statistics after which a page ends.
  private static final int STATISTICS_COUNT = 20_000;

  /// Returns at most `count` batches from index `from` on. If the batches have very many buffers,
  /// or their statistics very many columns, the list is shorter, but not empty.
  public List<Documents.Batch> batches(long from, int count) throws IOException {
    String path = DatasetPath.pinned(snapshot.summary()) + "/batches";
    List<Documents.Batch> batches = new ArrayList<>();
    if (numbers == null) {
      for (BatchEntry entry : snapshot.batches(from, count)) {
        batches.add(Documents.Batch.of(entry, path, null));
      }
      return batches;
    }
    List<LeafColumn> leaves = LeafColumn.of(snapshot.schema());
    int countMaximum = STATISTICS_COUNT / Math.max(1, leaves.size());
    List<BatchEntry> entries = snapshot.batches(from, Math.min(count, countMaximum));
    if (!entries.isEmpty()) {
      snapshot.prefetchStatistics(
          (int) entries.getFirst().index(), (int) entries.getLast().index() + 1, () -> {});
    }
    for (BatchEntry entry : entries) {
      BatchStatistics statistics = snapshot.statistics((int) entry.index());
      batches.add(
          Documents.Batch.of(
              entry,
              path,
              statistics == null ? null : ColumnStatisticsJson.of(leaves, statistics, numbers)));
    }
    return batches;
  }

  /// Returns the further parameters of a link to more batches.
  public String parameters() {
    return numbers == null
        ? ""
        : "&statistics=true"
            + (numbers == JsonNumbers.NUMBER
                ? ""
                : "&numbers=" + numbers.name().toLowerCase(Locale.ROOT));
  }
}
