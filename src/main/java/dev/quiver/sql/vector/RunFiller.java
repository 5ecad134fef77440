package dev.quiver.sql.vector;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.sql.library.Library;

/// Runs of equal values. The values of the runs are a vector of their own, from which each run
/// selects one as often as it is long.
final class RunFiller extends VectorFiller {

  private final Library library;
  private final Array.RunEndEncoded runs;
  private final VectorFiller values;
  private final boolean whole;
  private int[] rows = {};

  RunFiller(ArrayData array, Library library, VectorFiller values, boolean whole) {
    super(array, library.vectors());
    this.library = library;
    this.runs = (Array.RunEndEncoded) Array.of(array);
    this.values = values;
    this.whole = whole;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    if (count == 0) {
      return;
    }
    rows = rows.length < count ? new int[count] : rows;
    long first = runs.run(slot);
    long run = first;
    long end = runs.runEnds().integer(run);
    for (int i = 0; i < count; i++) {
      while (slot + i >= end) {
        run++;
        end = runs.runEnds().integer(run);
      }
      rows[i] = (int) (run - first);
    }
    int runCount = (int) (run - first + 1);
    try (TemporaryVector selected =
        TemporaryVector.create(library, values.array.field(), runCount)) {
      values.fill(first, runCount, selected.vector(), 0);
      selected.select(rows, count, vector, row, whole);
    }
  }

  @Override
  void setNull(long vector, long[] nullRows, int count) {
    values.setNull(vector, nullRows, count);
  }
}
