package dev.quiver.sql.engine;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.Vectors;
import dev.quiver.sql.vector.VectorFiller;
import dev.quiver.sql.vector.VectorFillers;
import org.jspecify.annotations.Nullable;

/// The place of one thread in a [TableScan]: its batch and the rows that are still to be read.
///
/// The engine may continue on another thread, but never on two at once.
final class BatchCursor implements AutoCloseable {

  /// The rows that fit into one chunk.
  private static final int CHUNK_ROW_COUNT = 2048;

  private final VectorFillers fillers;
  private final Vectors vectors;
  private @Nullable TableBatch batch;
  private VectorFiller[] columns = {};
  private long row;
  private long rowCount;

  BatchCursor(Library library) {
    this.fillers = new VectorFillers(library);
    this.vectors = library.vectors();
  }

  /// Fills the chunk with the next rows, or with none at the end.
  void fill(TableScan source, long chunk) {
    while (row == rowCount) {
      if (!open(source)) {
        vectors.setRowCount(chunk, 0);
        return;
      }
    }
    int count = (int) Math.min(CHUNK_ROW_COUNT, rowCount - row);
    int[] sources = source.sources();
    for (int i = 0; i < sources.length; i++) {
      if (sources[i] >= 0) {
        columns[sources[i]].fill(row, count, vectors.column(chunk, i), 0);
      }
    }
    vectors.setRowCount(chunk, count);
    row += count;
  }

  private boolean open(TableScan source) {
    closeBatch();
    TableBatch next = source.next();
    if (next == null) {
      return false;
    }
    batch = next;
    RecordBatch rows = next.rows();
    rowCount = rows.length();
    if (rowCount > 0) {
      columns = fillers.create(rows.columns(), !next.outlivesClose());
    }
    return true;
  }

  /// Closes the batch, and frees what was kept for the next one.
  @Override
  public void close() {
    try {
      closeBatch();
    } finally {
      fillers.close();
    }
  }

  private void closeBatch() {
    TableBatch open = batch;
    batch = null;
    row = 0;
    rowCount = 0;
    columns = new VectorFiller[0];
    if (open != null) {
      open.close();
    }
  }
}
