package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// UUIDs: sixteen bytes in order, which DuckDB has as an integer of 128 bits whose highest bit is
/// flipped, so that integers compare like the bytes.
final class UuidFiller extends VectorFiller {

  private static final int BYTE_SIZE = 16;

  private final MemorySegment data;

  UuidFiller(ArrayData array, Vectors vectors) {
    super(array, vectors);
    this.data = array.buffer(DATA);
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long target = vectors.data(vector) + row * BYTE_SIZE;
    for (int i = 0; i < count; i++) {
      long source = (slot + i) * BYTE_SIZE;
      long high = Long.reverseBytes(LittleEndian.getInt64(data, source));
      long low = Long.reverseBytes(LittleEndian.getInt64(data, source + Long.BYTES));
      NativeMemory.setInt64(target + (long) i * BYTE_SIZE, low);
      NativeMemory.setInt64(target + (long) i * BYTE_SIZE + Long.BYTES, high ^ Long.MIN_VALUE);
    }
  }
}
