package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A builder of arrays whose slots have a fixed number of bytes. By default both sides store values
/// alike.
class FixedWidthBuilder extends ColumnBuilder {

  final int byteWidth;
  private final GrowingMemory values = new GrowingMemory();

  FixedWidthBuilder(Field field, Vectors vectors, int byteWidth) {
    super(field, vectors);
    this.byteWidth = byteWidth;
  }

  @Override
  public final long byteSize(long row, int count) {
    return (long) count * byteWidth;
  }

  @Override
  final void appendValues(long row, int count, SegmentAllocator allocator) {
    long start = values.extend((long) count * byteWidth, allocator);
    MemorySegment target = values.memory().asSlice(start, (long) count * byteWidth);
    copy(row, count, target);
    if (hasNulls()) {
      for (int i = 0; i < count; i++) {
        if (isNull(row + i)) {
          target.asSlice((long) i * byteWidth, byteWidth).fill((byte) 0);
        }
      }
    }
  }

  /// Copies the values of rows. Values of null rows are undefined.
  void copy(long row, int count, MemorySegment target) {
    NativeMemory.copyFrom(data() + row * byteWidth, target, 0, (long) count * byteWidth);
  }

  @Override
  public ArrayData take() {
    return array(List.of(values.take()), List.of());
  }
}
