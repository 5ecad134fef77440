package dev.quiver.sql.vector;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// A builder of UUIDs, sixteen bytes in order, from integers whose highest bit is flipped.
final class UuidBuilder extends FixedWidthBuilder {

  private static final int BYTE_WIDTH = 16;

  UuidBuilder(Field field, Vectors vectors) {
    super(field, vectors, BYTE_WIDTH);
  }

  @Override
  void copy(long row, int count, MemorySegment target) {
    for (int i = 0; i < count; i++) {
      long address = data() + (row + i) * BYTE_WIDTH;
      long high = NativeMemory.getInt64(address + Long.BYTES) ^ Long.MIN_VALUE;
      LittleEndian.setInt64(target, (long) i << 4, Long.reverseBytes(high));
      long low = NativeMemory.getInt64(address);
      LittleEndian.setInt64(target, ((long) i << 4) + 8, Long.reverseBytes(low));
    }
  }
}
