package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A builder of booleans, which take a byte of DuckDB and a bit of Arrow.
final class BooleanBuilder extends ColumnBuilder {

  private final GrowingMemory bits = new GrowingMemory();

  BooleanBuilder(Field field, Vectors vectors) {
    super(field, vectors);
  }

  @Override
  public long byteSize(long row, int count) {
    return Bitmaps.byteSize(count);
  }

  @Override
  void appendValues(long row, int count, SegmentAllocator allocator) {
    long first = validity.length();
    long added = Bitmaps.byteSize(first + count) - bits.byteSize();
    long start = bits.extend(added, allocator);
    bits.memory().asSlice(start, added).fill((byte) 0);
    for (int i = 0; i < count; i++) {
      if (!isNull(row + i) && NativeMemory.getInt8(data() + row + i) != 0) {
        Bitmaps.set(bits.memory(), first + i);
      }
    }
  }

  @Override
  public ArrayData take() {
    return array(List.of(bits.take()), List.of());
  }
}
