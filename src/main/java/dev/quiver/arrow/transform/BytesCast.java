package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Casts of text or binary with 32-bit offsets to other layouts.
final class BytesCast {

  private static final int VIEW_PREFIX_BYTE_SIZE = 4;

  private BytesCast() {}

  static Cast of(Field to) {
    return switch (to.type()) {
      case ArrowType.FixedSizeBinary(int byteWidth) ->
          (array, allocator) -> fixedSize(array, to, byteWidth, allocator);
      case ArrowType.ViewBytes _ -> (array, allocator) -> views(array, to, allocator);
      default -> (array, allocator) -> large(array, to, allocator);
    };
  }

  private static ArrayData large(ArrayData array, Field to, SegmentAllocator allocator) {
    Array.VariableBinary source = (Array.VariableBinary) Array.of(array);
    MemorySegment offsets = WideOffsets.of(source.offsets(), array.length(), allocator);
    return Casts.withBuffers(array, to, offsets, source.values());
  }

  /// Returns views whose only data buffer has all values, since its offsets fit into a view.
  private static ArrayData views(ArrayData array, Field to, SegmentAllocator allocator) {
    Array.VariableBinary source = (Array.VariableBinary) Array.of(array);
    MemorySegment views =
        allocator
            .allocate(array.length() * Array.BinaryView.VIEW_BYTE_SIZE, Long.BYTES)
            .fill((byte) 0);
    for (long i = 0; i < array.length(); i++) {
      if (!source.isNull(i)) {
        int start = LittleEndian.getInt32(source.offsets(), i << 2);
        int byteSize = LittleEndian.getInt32(source.offsets(), i + 1 << 2) - start;
        MemorySegment view = views.asSlice(i * Array.BinaryView.VIEW_BYTE_SIZE);
        LittleEndian.setInt32(view, 0, byteSize);
        if (byteSize <= Array.BinaryView.INLINE_BYTE_SIZE_MAX) {
          MemorySegment.copy(source.values(), start, view, 4, byteSize);
        } else {
          MemorySegment.copy(source.values(), start, view, 4, VIEW_PREFIX_BYTE_SIZE);
          LittleEndian.setInt32(view, 12, start);
        }
      }
    }
    return Casts.withBuffers(array, to, views, source.values());
  }

  private static ArrayData fixedSize(
      ArrayData array, Field to, int byteWidth, SegmentAllocator allocator) {
    Array.VariableBinary source = (Array.VariableBinary) Array.of(array);
    long byteSize = Math.multiplyExact(array.length(), (long) byteWidth);
    MemorySegment data = allocator.allocate(byteSize, Long.BYTES).fill((byte) 0);
    for (long i = 0; i < array.length(); i++) {
      if (!source.isNull(i)) {
        MemorySegment value = source.bytes(i);
        if (value.byteSize() != byteWidth) {
          throw InvalidCastException.withoutValue(
              byteWidth + " bytes", Long.toString(value.byteSize()), to);
        }
        MemorySegment.copy(value, 0, data, i * byteWidth, byteWidth);
      }
    }
    return Casts.withBuffers(array, to, data);
  }
}
