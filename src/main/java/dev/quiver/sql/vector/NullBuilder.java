package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A builder of arrays without values.
final class NullBuilder extends ColumnBuilder {

  private long length;

  NullBuilder(Field field, Vectors vectors) {
    super(field, vectors);
  }

  @Override
  public long byteSize(long row, int count) {
    return 0;
  }

  @Override
  public void append(long row, int count, SegmentAllocator allocator) {
    length += count;
  }

  @Override
  void appendValues(long row, int count, SegmentAllocator allocator) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ArrayData take() {
    ArrayData array = new ArrayData(field, length, length, List.of(), List.of(), null);
    length = 0;
    return array;
  }
}
