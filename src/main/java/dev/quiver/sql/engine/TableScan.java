package dev.quiver.sql.engine;

import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.vector.ColumnTypes;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One use of a table in a running statement. Several threads take batches from it.
final class TableScan {

  private final StatementTables statement;
  private final Table table;
  private final int[] columnIndices;
  private final int[] sources;
  private final AtomicInteger nextBatch = new AtomicInteger();

  /// @param usedColumns the index of the field for each vector; a negative number for a vector that
  ///   need not be filled
  /// @throws dev.quiver.sql.library.UnsupportedTypeException if DuckDB lacks the type of a column
  TableScan(Library library, StatementTables statement, Table table, int[] usedColumns) {
    this.statement = statement;
    this.table = table;
    this.columnIndices =
        IntStream.of(usedColumns).filter(index -> index >= 0).sorted().distinct().toArray();
    this.sources =
        IntStream.of(usedColumns)
            .map(index -> index < 0 ? -1 : Arrays.binarySearch(columnIndices, index))
            .toArray();
    ColumnTypes types = new ColumnTypes(library.types());
    for (int index : columnIndices) {
      Field field = table.schema().fields().get(index);
      types.require(field);
    }
  }

  StatementTables statement() {
    return statement;
  }

  /// Returns the index of the column of [#next]'s batches for each vector, or -1 if the vector need
  /// not be filled.
  int[] sources() {
    return sources;
  }

  /// Returns how many threads can read at once.
  int batchCount() {
    return table.batchCount();
  }

  /// Returns the next batch, or null after the last one.
  @Nullable TableBatch next() {
    int index = nextBatch.getAndIncrement();
    // Each thread asks once more after the last batch, so the number stays small.
    return index < table.batchCount() ? table.read(index, columnIndices) : null;
  }
}
