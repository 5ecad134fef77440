package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A cast of decimals to a wider or narrower representation, whose digits are the same.
record DecimalCast(Field to, long fromByteWidth, long byteWidth) implements Cast {

  static Cast of(Field from, Field to) {
    return new DecimalCast(to, byteWidth(from), byteWidth(to));
  }

  private static long byteWidth(Field field) {
    return ((ArrowType.Decimal) field.type()).bitWidth() / Byte.SIZE;
  }

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    MemorySegment source = array.buffer(BufferRole.DATA);
    MemorySegment validity = array.validity();
    MemorySegment data = allocator.allocate(array.length() * byteWidth, Long.BYTES).fill((byte) 0);
    long shared = Math.min(fromByteWidth, byteWidth);
    for (long i = 0; i < array.length(); i++) {
      if (validity.byteSize() == 0 || Bitmaps.get(validity, i)) {
        MemorySegment value = source.asSlice(i * fromByteWidth, fromByteWidth);
        MemorySegment cast = data.asSlice(i * byteWidth, byteWidth);
        MemorySegment.copy(value, 0, cast, 0, shared);
        byte sign = (byte) (LittleEndian.getInt8(value, shared - 1) >> Byte.SIZE - 1);
        cast.asSlice(shared).fill(sign);
        requireFits(value.asSlice(shared), sign);
      }
    }
    return Casts.withBuffers(array, to, data);
  }

  /// Requires the bytes that are left out to repeat the sign.
  private void requireFits(MemorySegment rest, byte sign) {
    for (long i = 0; i < rest.byteSize(); i++) {
      if (LittleEndian.getInt8(rest, i) != sign) {
        throw InvalidCastException.withoutValue(
            "a value of " + to.describeType(), "a larger one", to);
      }
    }
  }
}
