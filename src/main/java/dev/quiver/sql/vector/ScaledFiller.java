package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// Times in a unit that DuckDB lacks, as 64-bit integers in a finer one.
final class ScaledFiller extends VectorFiller {

  private final MemorySegment data;
  private final boolean wide;
  private final long factor;

  /// @param wide whether the array has 64-bit integers, not 32-bit ones
  /// @param factor the array's unit in the vector's unit
  ScaledFiller(ArrayData array, Vectors vectors, boolean wide, long factor) {
    super(array, vectors);
    this.data = array.buffer(DATA);
    this.wide = wide;
    this.factor = factor;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long target = vectors.data(vector) + row * Long.BYTES;
    if (!wide) {
      for (int i = 0; i < count; i++) {
        long value = LittleEndian.getInt32(data, slot + i << 2);
        NativeMemory.setInt64(target + ((long) i << 3), value * factor);
      }
      return;
    }
    long overflow = 0;
    for (int i = 0; i < count; i++) {
      long value = LittleEndian.getInt64(data, slot + i << 3);
      long scaled = value * factor;
      // The high half of the product only repeats the sign of the low one if nothing is lost.
      overflow |= Math.multiplyHigh(value, factor) ^ scaled >> 63;
      NativeMemory.setInt64(target + ((long) i << 3), scaled);
    }
    if (overflow != 0) {
      requireAll(slot, count, "a time in microseconds of at most 64 bits", this::fits);
    }
  }

  private boolean fits(long slot) {
    long value = LittleEndian.getInt64(data, slot << 3);
    return Math.multiplyHigh(value, factor) == value * factor >> 63;
  }
}
