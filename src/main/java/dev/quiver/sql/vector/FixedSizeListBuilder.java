package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A builder of lists of a fixed size.
final class FixedSizeListBuilder extends ColumnBuilder {

  private final ColumnBuilder items;
  private final int size;

  FixedSizeListBuilder(Field field, Vectors vectors, ColumnBuilder items, int size) {
    super(field, vectors);
    this.items = items;
    this.size = size;
  }

  @Override
  public void attach(long vector) {
    super.attach(vector);
    items.attach(vectors.arrayChild(vector));
  }

  @Override
  public long byteSize(long row, int count) {
    return items.byteSize(row * size, Math.multiplyExact(count, size));
  }

  @Override
  void appendValues(long row, int count, SegmentAllocator allocator) {
    items.append(row * size, Math.multiplyExact(count, size), allocator);
  }

  @Override
  public ArrayData take() {
    return array(List.of(), List.of(items.take()));
  }
}
