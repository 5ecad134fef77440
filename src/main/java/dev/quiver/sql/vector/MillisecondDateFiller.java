package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// Dates in milliseconds, which must be whole days.
final class MillisecondDateFiller extends VectorFiller {

  private static final long DAY_MILLISECONDS = 86_400_000;

  private final MemorySegment data;

  MillisecondDateFiller(ArrayData array, Vectors vectors) {
    super(array, vectors);
    this.data = array.buffer(DATA);
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long target = vectors.data(vector) + row * Integer.BYTES;
    long lost = 0;
    for (int i = 0; i < count; i++) {
      long value = LittleEndian.getInt64(data, slot + i << 3);
      int days = (int) (value / DAY_MILLISECONDS);
      lost |= value - days * DAY_MILLISECONDS;
      NativeMemory.setInt32(target + ((long) i << 2), days);
    }
    if (lost != 0) {
      requireAll(slot, count, "a date of whole days", this::fits);
    }
  }

  private boolean fits(long slot) {
    long value = LittleEndian.getInt64(data, slot << 3);
    return value == (int) (value / DAY_MILLISECONDS) * DAY_MILLISECONDS;
  }
}
