package dev.quiver.sql.vector;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// A builder of 128-bit decimals from decimals in fewer bytes.
final class DecimalBuilder extends FixedWidthBuilder {

  private static final int BYTE_WIDTH = 16;

  private final int sourceByteSize;

  DecimalBuilder(Field field, Vectors vectors, int sourceByteSize) {
    super(field, vectors, BYTE_WIDTH);
    this.sourceByteSize = sourceByteSize;
  }

  @Override
  void copy(long row, int count, MemorySegment target) {
    if (sourceByteSize == BYTE_WIDTH) {
      super.copy(row, count, target);
      return;
    }
    long source = data() + row * sourceByteSize;
    for (int i = 0; i < count; i++) {
      long value =
          switch (sourceByteSize) {
            case 2 -> NativeMemory.getInt16(source + ((long) i << 1));
            case 4 -> NativeMemory.getInt32(source + ((long) i << 2));
            default -> NativeMemory.getInt64(source + ((long) i << 3));
          };
      LittleEndian.setInt64(target, (long) i << 4, value);
      LittleEndian.setInt64(target, ((long) i << 4) + 8, value >> 63);
    }
  }
}
