package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.array.Take;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A cast of values to indices into a dictionary of their own: the distinct values of the array, in
/// the order of their first appearance. Nulls are in the indices.
record DictionaryCast(Cast values, Field to) implements Cast {

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    ArrayData all = values.apply(array, allocator);
    ArrowType.Int indexType = encoding().indexType();
    int byteWidth = indexType.bitWidth() / Byte.SIZE;
    long maximum = Long.MAX_VALUE >>> Long.SIZE - indexType.bitWidth();
    long most = indexType.signed() || byteWidth == Long.BYTES ? maximum : 2 * maximum + 1;
    MemorySegment indices = allocator.allocate(all.length() * byteWidth, Long.BYTES);
    SlotRanges distinct = new SlotRanges(allocator);
    Map<Object, Long> numbers = new HashMap<>();
    Array slots = Array.of(all);
    for (long i = 0; i < all.length(); i++) {
      long index = 0;
      if (!slots.isNull(i)) {
        Object value = value(slots, i);
        Long number = numbers.get(value);
        if (number == null) {
          number = (long) numbers.size();
          numbers.put(value, number);
          distinct.add(i, 1);
        }
        index = number;
      }
      if (index > most) {
        throw InvalidCastException.withoutValue(
            "at most %d distinct values".formatted(most + 1), "another one", to);
      }
      switch (byteWidth) {
        case 1 -> LittleEndian.setInt8(indices, i, (byte) index);
        case 2 -> LittleEndian.setInt16(indices, i << 1, (short) index);
        case 4 -> LittleEndian.setInt32(indices, i << 2, (int) index);
        default -> LittleEndian.setInt64(indices, i << 3, index);
      }
    }
    long nullCount = all.countNulls(0, all.length());
    MemorySegment validity =
        all.layout().hasValidity()
            ? all.validity()
            : allocator.allocate(Bitmaps.byteSize(all.length()), Long.BYTES).fill((byte) 0);
    return new ArrayData(
        to,
        all.length(),
        nullCount,
        List.of(validity, indices),
        List.of(),
        Take.take(all, distinct, allocator, allocator));
  }

  private static Object value(Array array, long slot) {
    return switch (array) {
      case Array.Bool bools -> bools.get(slot);
      case Array.Bytes bytes -> ByteString.of(bytes.bytes(slot).toArray(LittleEndian.INT8));
      default -> throw new IllegalStateException("Expected values without children: " + array);
    };
  }

  private DictionaryEncoding encoding() {
    return Objects.requireNonNull(to.dictionary());
  }
}
