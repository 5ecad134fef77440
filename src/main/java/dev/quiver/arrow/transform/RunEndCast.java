package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.array.Take;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A cast of values without children to runs, each of as many equal slots as follow one another.
/// Nulls are in the values of the runs.
record RunEndCast(Cast values, Field to) implements Cast {

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    ArrayData all = values.apply(array, allocator);
    Field runEnds = to.children().getFirst();
    int bitWidth = ((ArrowType.Int) runEnds.type()).bitWidth();
    long maximum = Long.MAX_VALUE >>> Long.SIZE - bitWidth;
    if (all.length() > maximum) {
      throw InvalidCastException.withoutValue(
          "at most %d rows".formatted(maximum), all.length() + " rows", to);
    }
    int byteWidth = bitWidth / Byte.SIZE;
    MemorySegment ends = allocator.allocate(all.length() * byteWidth, Long.BYTES);
    SlotRanges firsts = new SlotRanges(allocator);
    Array slots = Array.of(all);
    long count = 0;
    for (long i = 0; i < all.length(); i++) {
      if (i == 0 || !isSame(slots, i - 1, i)) {
        firsts.add(i, 1);
        count++;
      }
      switch (byteWidth) {
        case 2 -> LittleEndian.setInt16(ends, count - 1 << 1, (short) (i + 1));
        case 4 -> LittleEndian.setInt32(ends, count - 1 << 2, (int) (i + 1));
        default -> LittleEndian.setInt64(ends, count - 1 << 3, i + 1);
      }
    }
    MemorySegment data = ends.asSlice(0, count * byteWidth);
    ArrayData runs =
        new ArrayData(runEnds, count, 0, List.of(MemorySegment.NULL, data), List.of(), null);
    ArrayData taken = Take.take(all, firsts, allocator, allocator);
    return new ArrayData(to, all.length(), 0, List.of(), List.of(runs, taken), null);
  }

  private static boolean isSame(Array slots, long slot, long next) {
    if (slots.isNull(slot) || slots.isNull(next)) {
      return slots.isNull(slot) && slots.isNull(next);
    }
    return switch (slots) {
      case Array.Bool bools -> bools.get(slot) == bools.get(next);
      case Array.Bytes bytes -> bytes.bytes(slot).mismatch(bytes.bytes(next)) < 0;
      default -> throw new IllegalStateException("Expected values without children: " + slots);
    };
  }
}
