package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A builder of text or binary values with 32-bit offsets.
///
/// A vector has 16 bytes per value: the length, then the value or, if it is longer than twelve
/// bytes, its address at byte 8.
final class BytesBuilder extends ColumnBuilder {

  private static final int REFERENCE_BYTE_SIZE = 16;
  private static final int INLINE_BYTE_SIZE_MAX = 12;

  private final GrowingMemory offsets = new GrowingMemory();
  private final GrowingMemory values = new GrowingMemory();

  BytesBuilder(Field field, Vectors vectors) {
    super(field, vectors);
  }

  @Override
  public long byteSize(long row, int count) {
    long byteSize = (long) count * Integer.BYTES;
    for (int i = 0; i < count; i++) {
      byteSize += isNull(row + i) ? 0 : length(row + i);
    }
    return byteSize;
  }

  @Override
  void appendValues(long row, int count, SegmentAllocator allocator) {
    if (offsets.byteSize() == 0) {
      offsets.extend(Integer.BYTES, allocator);
      LittleEndian.setInt32(offsets.memory(), 0, 0);
    }
    long added = byteSize(row, count) - (long) count * Integer.BYTES;
    if (values.byteSize() + added > Integer.MAX_VALUE) {
      throw new ConversionException(
          "Expected values of at most %d bytes in column %s but found %d"
              .formatted(Integer.MAX_VALUE, field.name(), values.byteSize() + added));
    }
    long offsetsStart = offsets.extend((long) count * Integer.BYTES, allocator);
    long start = values.extend(added, allocator);
    long offsetsAddress =
        NativeMemory.address(offsets.memory(), offsetsStart, (long) count * Integer.BYTES);
    long valuesAddress = NativeMemory.address(values.memory(), start, added) - start;
    long end = start;
    for (int i = 0; i < count; i++) {
      if (!isNull(row + i)) {
        long reference = data() + (row + i) * REFERENCE_BYTE_SIZE;
        long byteSize = length(row + i);
        long source =
            byteSize <= INLINE_BYTE_SIZE_MAX
                ? reference + Integer.BYTES
                : NativeMemory.getInt64(reference + Long.BYTES);
        NativeMemory.copy(source, valuesAddress + end, byteSize);
        end += byteSize;
      }
      NativeMemory.setInt32(offsetsAddress + ((long) i << 2), (int) end);
    }
  }

  private long length(long row) {
    return Integer.toUnsignedLong(NativeMemory.getInt32(data() + row * REFERENCE_BYTE_SIZE));
  }

  @Override
  public ArrayData take() {
    return array(List.of(offsets.take(), values.take()), List.of());
  }
}
