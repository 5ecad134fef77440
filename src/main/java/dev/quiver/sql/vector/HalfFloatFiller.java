package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// Half-precision numbers, widened.
final class HalfFloatFiller extends VectorFiller {

  private final MemorySegment data;

  HalfFloatFiller(ArrayData array, Vectors vectors) {
    super(array, vectors);
    this.data = array.buffer(DATA);
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long target = vectors.data(vector) + row * Float.BYTES;
    for (int i = 0; i < count; i++) {
      short half = LittleEndian.getInt16(data, slot + i << 1);
      NativeMemory.setFloat32(target + ((long) i << 2), Float.float16ToFloat(half));
    }
  }
}
