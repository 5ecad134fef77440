package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A builder of lists or maps with 32-bit offsets. A vector has the first item and the length of
/// each list, and all items in a child.
final class ListBuilder extends ColumnBuilder {

  private static final int ENTRY_BYTE_SIZE = 16;

  private final ColumnBuilder items;
  private final GrowingMemory offsets = new GrowingMemory();
  private long itemCount;

  ListBuilder(Field field, Vectors vectors, ColumnBuilder items) {
    super(field, vectors);
    this.items = items;
  }

  @Override
  public void attach(long vector) {
    super.attach(vector);
    items.attach(vectors.listChild(vector));
  }

  @Override
  public long byteSize(long row, int count) {
    long byteSize = (long) count * Integer.BYTES;
    for (long i = row; i < row + count; ) {
      long next = runEnd(i, row + count);
      byteSize += items.byteSize(start(i), runLength(i, next));
      i = next;
    }
    return byteSize;
  }

  @Override
  void appendValues(long row, int count, SegmentAllocator allocator) {
    if (offsets.byteSize() == 0) {
      offsets.extend(Integer.BYTES, allocator);
      LittleEndian.setInt32(offsets.memory(), 0, 0);
    }
    long offset = offsets.extend((long) count * Integer.BYTES, allocator);
    for (int i = 0; i < count; i++) {
      itemCount += length(row + i);
      if (itemCount > Integer.MAX_VALUE) {
        throw new ConversionException(
            "Expected at most %d items of lists in column %s but found %d"
                .formatted(Integer.MAX_VALUE, field.name(), itemCount));
      }
      LittleEndian.setInt32(offsets.memory(), offset + ((long) i << 2), (int) itemCount);
    }
    for (long i = row; i < row + count; ) {
      long next = runEnd(i, row + count);
      items.append(start(i), runLength(i, next), allocator);
      i = next;
    }
  }

  /// Returns the row after the last one whose items follow the rows before without a gap.
  private long runEnd(long row, long end) {
    long itemEnd = start(row) + length(row);
    long next = row + 1;
    while (next < end && (length(next) == 0 || start(next) == itemEnd)) {
      itemEnd += length(next);
      next++;
    }
    return next;
  }

  private int runLength(long row, long end) {
    long length = 0;
    for (long i = row; i < end; i++) {
      length += length(i);
    }
    return Math.toIntExact(length);
  }

  private long start(long row) {
    return length(row) == 0 ? 0 : NativeMemory.getInt64(data() + row * ENTRY_BYTE_SIZE);
  }

  private long length(long row) {
    return isNull(row) ? 0 : NativeMemory.getInt64(data() + row * ENTRY_BYTE_SIZE + Long.BYTES);
  }

  @Override
  public ArrayData take() {
    itemCount = 0;
    return array(List.of(offsets.take()), List.of(items.take()));
  }
}
