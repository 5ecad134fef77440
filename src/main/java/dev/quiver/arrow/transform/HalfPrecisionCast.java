package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A cast of float32 to float16.
record HalfPrecisionCast(Field to) implements Cast {

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    MemorySegment source = array.buffer(BufferRole.DATA);
    MemorySegment validity = array.validity();
    MemorySegment data = allocator.allocate(array.length() * Short.BYTES, Long.BYTES);
    for (long i = 0; i < array.length(); i++) {
      float value = source.get(LittleEndian.FLOAT32, i << 2);
      short half = Float.floatToFloat16(value);
      boolean valid = validity.byteSize() == 0 || Bitmaps.get(validity, i);
      if (valid && Float.compare(Float.float16ToFloat(half), value) != 0) {
        throw InvalidCastException.of("a value of float16", value, to);
      }
      LittleEndian.setInt16(data, i << 1, valid ? half : 0);
    }
    return Casts.withBuffers(array, to, data);
  }
}
