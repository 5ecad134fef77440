package dev.quiver.foreign;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.RecordBatch;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The kinds of values that the columns of a CSV file have in its first rows.
public final class CsvKinds {

  private final List<Map<TextKind, Values>> columns = new ArrayList<>();

  /// The values of one kind in a column.
  record Values(long count, long firstRow, String firstValue) {}

  CsvKinds(int columnCount) {
    for (int i = 0; i < columnCount; i++) {
      columns.add(new EnumMap<>(TextKind.class));
    }
  }

  /// Adds the kinds in the result of a statement of [CsvFile#sampleSql].
  ///
  /// @param result all its batches
  public CsvKinds add(List<RecordBatch> result) {
    result.forEach(this::add);
    return this;
  }

  private void add(RecordBatch batch) {
    List<Array> arrays = batch.columns().stream().map(Array::of).toList();
    Array.FixedWidth indices = (Array.FixedWidth) arrays.get(0);
    Array.FixedWidth kinds = (Array.FixedWidth) arrays.get(1);
    Array.FixedWidth counts = (Array.FixedWidth) arrays.get(2);
    Array.FixedWidth rows = (Array.FixedWidth) arrays.get(3);
    Array.Bytes values = (Array.Bytes) arrays.get(4);
    for (long i = 0; i < batch.length(); i++) {
      columns
          .get((int) indices.integer(i))
          .put(
              TextKind.values()[(int) kinds.integer(i)],
              new Values(counts.integer(i), rows.integer(i), values.text(i)));
    }
  }

  /// Returns the values of a column by their kinds.
  Map<TextKind, Values> column(int index) {
    return columns.get(index);
  }
}
