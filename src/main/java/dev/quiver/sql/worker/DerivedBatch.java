package dev.quiver.sql.worker;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.sql.engine.TableBatch;
import java.lang.foreign.Arena;

/// Rows that were made from a batch, and may share its memory. The memory of both lives until it is
/// closed.
///
/// @param arena has the memory of what the batch lacks
record DerivedBatch(RecordBatch rows, TableBatch batch, Arena arena, boolean outlivesClose)
    implements TableBatch {

  @Override
  public void close() {
    try (batch) {
      arena.close();
    }
  }
}
