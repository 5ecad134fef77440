package dev.quiver.sql.query;

import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/// The record batches that conditions or statements have read, and the ones that statistics have
/// spared them.
final class BatchCounts {

  private final LongAdder read = new LongAdder();
  private final LongAdder skipped = new LongAdder();

  /// @param batches that are read
  void add(Snapshot snapshot, RowMatches batches) throws IOException {
    read.add(batches.batchCount());
    skipped.add(snapshot.batchCount() - batches.batchCount());
  }

  long read() {
    return read.sum();
  }

  long skipped() {
    return skipped.sum();
  }
}
