package dev.quiver.sql.vector;

import java.util.Arrays;

/// The items of several lists in runs of consecutive slots. Items of null lists and items between
/// lists are left out: they may be anything, and DuckDB converts items that no list has.
final class ItemRuns {

  private long[] starts = new long[16];
  private long[] lengths = new long[16];
  private int count;
  private long total;

  void clear() {
    count = 0;
    total = 0;
  }

  /// Adds the items of the next list, and returns how many items come before them.
  long add(long start, long length) {
    long position = total;
    total += length;
    if (length == 0) {
      return position;
    }
    if (count > 0 && starts[count - 1] + lengths[count - 1] == start) {
      lengths[count - 1] += length;
      return position;
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    starts[count] = start;
    lengths[count] = length;
    count++;
    return position;
  }

  long total() {
    return total;
  }

  /// Copies all items to the rows of a vector from `row` on.
  void fill(VectorFiller items, long vector, long row) {
    long target = row;
    for (int i = 0; i < count; i++) {
      items.fill(starts[i], Math.toIntExact(lengths[i]), vector, target);
      target += lengths[i];
    }
  }
}
