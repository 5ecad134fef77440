package dev.quiver.sql.vector;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// A builder of intervals of months, days and nanoseconds. DuckDB has microseconds.
final class IntervalBuilder extends FixedWidthBuilder {

  private static final int BYTE_WIDTH = 16;
  private static final int NANOSECONDS = 1000;

  IntervalBuilder(Field field, Vectors vectors) {
    super(field, vectors, BYTE_WIDTH);
  }

  @Override
  void copy(long row, int count, MemorySegment target) {
    for (int i = 0; i < count; i++) {
      long address = data() + (row + i) * BYTE_WIDTH;
      long microseconds = NativeMemory.getInt64(address + Long.BYTES);
      long nanoseconds = microseconds * NANOSECONDS;
      if (Math.multiplyHigh(microseconds, NANOSECONDS) != nanoseconds >> 63 && !isNull(row + i)) {
        throw new ConversionException(
            "Expected an interval whose nanoseconds have 64 bits but found %d microseconds in column %s"
                .formatted(microseconds, field.name()));
      }
      LittleEndian.setInt64(target, (long) i << 4, NativeMemory.getInt64(address));
      LittleEndian.setInt64(target, ((long) i << 4) + Long.BYTES, nanoseconds);
    }
  }
}
