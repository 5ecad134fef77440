package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// Numbers that both sides store alike.
final class FixedWidthFiller extends VectorFiller {

  private final MemorySegment data;
  private final int byteWidth;

  FixedWidthFiller(ArrayData array, Vectors vectors, int byteWidth) {
    super(array, vectors);
    this.data = array.buffer(DATA);
    this.byteWidth = byteWidth;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long target = vectors.data(vector) + row * byteWidth;
    NativeMemory.copyTo(target, data, slot * byteWidth, (long) count * byteWidth);
  }
}
