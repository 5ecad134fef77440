package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Casts of text or binary to other layouts.
final class BytesCast {

  private static final int VIEW_PREFIX_BYTE_SIZE = 4;

  private BytesCast() {}

  static Cast of(Field to) {
    return switch (to.type()) {
      case ArrowType.FixedSizeBinary(int byteWidth) ->
          (array, allocator) -> fixedSize(array, to, byteWidth, allocator);
      case ArrowType.ViewBytes _ -> (array, allocator) -> views(array, to, allocator);
      default -> (array, allocator) -> variable(array, to, allocator);
    };
  }

  private static ArrayData variable(ArrayData array, Field to, SegmentAllocator allocator) {
    int byteWidth = Integers.byteWidth(to, BufferRole.OFFSETS);
    Contiguous source = Contiguous.of(array, to, byteWidth, allocator);
    return Casts.withBuffers(array, to, source.offsets.segment(), source.values);
  }

  /// Returns views whose only data buffer has all values, since its offsets fit into a view.
  private static ArrayData views(ArrayData array, Field to, SegmentAllocator allocator) {
    Contiguous source = Contiguous.of(array, to, Integer.BYTES, allocator);
    Array slots = Array.of(array);
    MemorySegment views =
        allocator
            .allocate(array.length() * Array.BinaryView.VIEW_BYTE_SIZE, Long.BYTES)
            .fill((byte) 0);
    for (long i = 0; i < array.length(); i++) {
      if (!slots.isNull(i)) {
        int start = (int) source.offsets.get(i);
        int byteSize = (int) source.offsets.get(i + 1) - start;
        MemorySegment view = views.asSlice(i * Array.BinaryView.VIEW_BYTE_SIZE);
        LittleEndian.setInt32(view, 0, byteSize);
        if (byteSize <= Array.BinaryView.INLINE_BYTE_SIZE_MAX) {
          MemorySegment.copy(source.values, start, view, 4, byteSize);
        } else {
          MemorySegment.copy(source.values, start, view, 4, VIEW_PREFIX_BYTE_SIZE);
          LittleEndian.setInt32(view, 12, start);
        }
      }
    }
    return Casts.withBuffers(array, to, views, source.values);
  }

  private static ArrayData fixedSize(
      ArrayData array, Field to, int byteWidth, SegmentAllocator allocator) {
    Array.Bytes source = (Array.Bytes) Array.of(array);
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

  /// The values of all slots one after the other.
  private record Contiguous(Integers offsets, MemorySegment values) {

    /// @param byteWidth of an offset
    static Contiguous of(ArrayData array, Field to, int byteWidth, SegmentAllocator allocator) {
      return Array.of(array) instanceof Array.VariableBinary variable
          ? of(variable, to, byteWidth, allocator)
          : copied((Array.Bytes) Array.of(array), to, byteWidth, allocator);
    }

    /// Values that are contiguous stay where they are.
    private static Contiguous of(
        Array.VariableBinary source, Field to, int byteWidth, SegmentAllocator allocator) {
      long length = source.length();
      if (byteWidth == (source.large() ? Long.BYTES : Integer.BYTES)) {
        return new Contiguous(new Integers(source.offsets(), byteWidth), source.values());
      }
      Integers offsets = allocated(length, byteWidth, allocator);
      if (source.offsets().byteSize() == 0) {
        return new Contiguous(offsets, source.values());
      }
      Integers given = new Integers(source.offsets(), source.large() ? Long.BYTES : Integer.BYTES);
      long start = given.get(0);
      long byteSize = given.get(length) - start;
      requireFits(byteSize, byteWidth, to);
      for (long i = 0; i <= length; i++) {
        offsets.set(i, given.get(i) - start);
      }
      return new Contiguous(offsets, source.values().asSlice(start, byteSize));
    }

    private static Contiguous copied(
        Array.Bytes source, Field to, int byteWidth, SegmentAllocator allocator) {
      long length = source.length();
      Integers offsets = allocated(length, byteWidth, allocator);
      long byteSize = 0;
      for (long i = 0; i < length; i++) {
        byteSize += source.isNull(i) ? 0 : source.bytes(i).byteSize();
        requireFits(byteSize, byteWidth, to);
        offsets.set(i + 1, byteSize);
      }
      MemorySegment values = allocator.allocate(byteSize, Long.BYTES);
      for (long i = 0; i < length; i++) {
        if (!source.isNull(i)) {
          MemorySegment value = source.bytes(i);
          MemorySegment.copy(value, 0, values, offsets.get(i), value.byteSize());
        }
      }
      return new Contiguous(offsets, values);
    }

    private static Integers allocated(long length, int byteWidth, SegmentAllocator allocator) {
      long byteSize = Math.multiplyExact(length + 1, byteWidth);
      return new Integers(allocator.allocate(byteSize, Long.BYTES).fill((byte) 0), byteWidth);
    }

    private static void requireFits(long byteSize, int byteWidth, Field to) {
      if (byteSize > Integers.maximum(byteWidth)) {
        throw InvalidCastException.tooLarge(
            "at most %d bytes in a record batch".formatted(Integers.maximum(byteWidth)), to);
      }
    }
  }
}
