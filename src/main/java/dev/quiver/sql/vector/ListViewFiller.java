package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.SIZES;
import static dev.quiver.arrow.type.BufferRole.SLOT_OFFSETS;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.Vectors;

/// Lists that may lie anywhere in the child, and share items.
final class ListViewFiller extends VectorFiller {

  /// The minimum number of views per item for which all items are copied once, unused ones
  /// included.
  private static final int SHARED_MINIMUM = 4;

  private final Integers offsets;
  private final Integers sizes;
  private final VectorFiller items;
  private final ItemRuns runs = new ItemRuns();
  private long[] positions = {};

  ListViewFiller(ArrayData array, Vectors vectors, VectorFiller items) {
    super(array, vectors);
    this.offsets = Integers.of(array, SLOT_OFFSETS);
    this.sizes = Integers.of(array, SIZES);
    this.items = items;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    positions = positions.length < count ? new long[count] : positions;
    runs.clear();
    long first = Long.MAX_VALUE;
    long last = 0;
    for (int i = 0; i < count; i++) {
      long size = size(slot + i);
      long start = size == 0 ? 0 : offsets.get(slot + i);
      positions[i] = runs.add(start, size);
      first = size == 0 ? first : Math.min(first, start);
      last = Math.max(last, start + size);
    }
    boolean shared = runs.total() > 0 && runs.total() > SHARED_MINIMUM * (last - first);
    if (shared) {
      runs.clear();
      runs.add(first, last - first);
    }
    long target = ListVectors.extend(vectors, vector, runs.total());
    long entries = ListVectors.entries(vectors, vector, row);
    for (int i = 0; i < count; i++) {
      long size = size(slot + i);
      long position = shared && size > 0 ? offsets.get(slot + i) - first : positions[i];
      ListVectors.setEntry(entries, i, size == 0 ? 0 : target + position, size);
    }
    runs.fill(items, vectors.listChild(vector), target);
  }

  /// Returns the number of items of a list, which are within the child. A null list has none.
  private long size(long slot) {
    if (isNull(slot)) {
      return 0;
    }
    long size = sizes.get(slot);
    long offset = offsets.get(slot);
    if ((size | offset | items.array.length() - size - offset) < 0) {
      throw new ConversionException(
          "Expected a list within its items but found %d items at %d in column %s"
              .formatted(size, offset, array.field().name()));
    }
    return size;
  }
}
