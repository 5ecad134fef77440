package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// Booleans, which take a bit of Arrow, or a byte of `arrow.bool8` that is not zero if true. They
/// take a byte of DuckDB.
final class BooleanFiller extends VectorFiller {

  private final MemorySegment data;
  private final boolean bytes;

  BooleanFiller(ArrayData array, Vectors vectors) {
    super(array, vectors);
    this.data = array.buffer(DATA);
    this.bytes = !(array.field().type() instanceof ArrowType.Bool);
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long target = vectors.data(vector) + row;
    for (int i = 0; i < count; i++) {
      long index = slot + i;
      int value =
          bytes
              ? LittleEndian.getInt8(data, index) != 0 ? 1 : 0
              : LittleEndian.getInt8(data, index >>> 3) >>> (index & 7) & 1;
      NativeMemory.setInt8(target + i, (byte) value);
    }
  }
}
