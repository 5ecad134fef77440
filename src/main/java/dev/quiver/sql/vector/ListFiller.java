package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.OFFSETS;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.Vectors;

/// Lists delimited by offsets.
class ListFiller extends VectorFiller {

  private final Integers offsets;
  private final VectorFiller items;
  private final ItemRuns runs = new ItemRuns();
  private long[] positions = {};

  ListFiller(ArrayData array, Vectors vectors, VectorFiller items) {
    super(array, vectors);
    this.offsets = Integers.of(array, OFFSETS);
    this.items = items;
  }

  @Override
  final void fillValues(long slot, int count, long vector, long row) {
    if (count == 0) {
      return;
    }
    positions = positions.length <= count ? new long[count + 1] : positions;
    runs.clear();
    long end = offsets.get(slot);
    for (int i = 0; i < count; i++) {
      long start = end;
      end = offsets.get(slot + i + 1);
      if ((start | end - start | items.array.length() - end) < 0) {
        throw new ConversionException(
            "Expected ascending offsets within the items but found others in column "
                + array.field().name());
      }
      boolean hidden = isNull(slot + i);
      if (!hidden) {
        checkItems(start, end);
      }
      positions[i] = runs.add(start, hidden ? 0 : end - start);
    }
    positions[count] = runs.total();
    long target = ListVectors.extend(vectors, vector, runs.total());
    long entries = ListVectors.entries(vectors, vector, row);
    for (int i = 0; i < count; i++) {
      ListVectors.setEntry(entries, i, target + positions[i], positions[i + 1] - positions[i]);
    }
    runs.fill(items, vectors.listChild(vector), target);
  }

  /// Checks the items of a list that is not null.
  void checkItems(long start, long end) {}
}
