package dev.quiver.store.read;

import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.statistics.LeafColumn;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The columns of a version whose timestamps in nanoseconds with a zone are all whole microseconds,
/// by the statistics of all batches of the version.
final class MicrosecondColumns {

  private static final int[] NONE = {};

  private MicrosecondColumns() {}

  /// Returns the indices of the columns.
  ///
  /// @param check runs before each read of a remote store, and throws if no further one is wanted
  static int[] of(Snapshot snapshot, Runnable check) throws IOException {
    Schema schema = snapshot.schema();
    int count = schema.fields().size();
    int[] tested =
        IntStream.range(0, count)
            .filter(i -> schema.fields().get(i).hasZonedNanoseconds())
            .toArray();
    if (tested.length == 0) {
      return NONE;
    }
    List<LeafColumn> leaves = LeafColumn.of(schema);
    BitSet whole = columns(leaves, tested);
    int batchCount = whole.isEmpty() ? 0 : snapshot.batchCount();
    snapshot.prefetchStatistics(0, batchCount, check);
    for (int batch = 0; batch < batchCount && !whole.isEmpty(); batch++) {
      retain(whole, leaves, snapshot.statistics(batch));
    }
    return whole.stream().toArray();
  }

  /// Returns the columns all of whose leaves can have statistics.
  private static BitSet columns(List<LeafColumn> leaves, int[] tested) {
    BitSet columns = new BitSet();
    IntStream.of(tested).forEach(columns::set);
    if (leaves.size() == LeafColumn.COUNT_MAXIMUM) {
      int last = leaves.getLast().indices().getFirst();
      columns.clear(last, Math.max(last, columns.length()));
    }
    return columns;
  }

  private static void retain(
      BitSet columns, List<LeafColumn> leaves, @Nullable BatchStatistics statistics) {
    if (statistics == null || statistics.columns().size() < leaves.size()) {
      columns.clear();
      return;
    }
    for (int i = 0; i < leaves.size(); i++) {
      int column = leaves.get(i).indices().getFirst();
      if (columns.get(column)
          && leaves.get(i).field().hasZonedNanoseconds()
          && !statistics.columns().get(i).isWholeMicroseconds()) {
        columns.clear(column);
      }
    }
  }
}
