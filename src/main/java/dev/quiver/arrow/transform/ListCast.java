package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.array.Take;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// A cast of lists to another layout of lists.
record ListCast(Cast items, Field to) implements Cast {

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    ArrayData child = array.children().getFirst();
    return switch (to.type()) {
      case ArrowType.VariableList _ -> offsets(array, child, allocator);
      case ArrowType.ViewList _ -> views(array, allocator);
      case ArrowType.FixedSizeList(int listSize) ->
          cast(array, List.of(), items(array, listSize, allocator), allocator);
      default -> throw new IllegalStateException("No layout of lists: " + to);
    };
  }

  private ArrayData offsets(ArrayData array, ArrayData child, SegmentAllocator allocator) {
    int byteWidth = Integers.byteWidth(to, BufferRole.OFFSETS);
    long byteSize = Math.multiplyExact(array.length() + 1, byteWidth);
    Integers offsets =
        new Integers(allocator.allocate(byteSize, Long.BYTES).fill((byte) 0), byteWidth);
    Array.Lists lists = (Array.Lists) Array.of(array);
    if (lists instanceof Array.VariableList variable) {
      // The items stay where they are.
      for (long i = 0; i <= array.length() && variable.offsets().byteSize() > 0; i++) {
        offsets.set(i, fitting(variable.start(i), byteWidth));
      }
      return cast(array, List.of(offsets.segment()), child, allocator);
    }
    SlotRanges slots = new SlotRanges(allocator);
    for (long i = 0; i < array.length(); i++) {
      if (!lists.isNull(i)) {
        slots.add(lists.start(i), lists.end(i) - lists.start(i));
      }
      offsets.set(i + 1, fitting(slots.length(), byteWidth));
    }
    ArrayData taken = Take.take(child, slots, allocator, allocator);
    return cast(array, List.of(offsets.segment()), taken, allocator);
  }

  private ArrayData views(ArrayData array, SegmentAllocator allocator) {
    int byteWidth = Integers.byteWidth(to, BufferRole.SIZES);
    Array.Lists lists = (Array.Lists) Array.of(array);
    long byteSize = array.length() * byteWidth;
    Integers starts = new Integers(allocator.allocate(byteSize, Long.BYTES), byteWidth);
    Integers sizes = new Integers(allocator.allocate(byteSize, Long.BYTES), byteWidth);
    for (long i = 0; i < array.length(); i++) {
      boolean empty = lists.isNull(i);
      starts.set(i, empty ? 0 : fitting(lists.start(i), byteWidth));
      sizes.set(i, empty ? 0 : fitting(lists.end(i) - lists.start(i), byteWidth));
    }
    return cast(
        array, List.of(starts.segment(), sizes.segment()), array.children().getFirst(), allocator);
  }

  private long fitting(long position, int byteWidth) {
    if (position > Integers.maximum(byteWidth)) {
      throw InvalidCastException.withoutValue(
          "at most %d items in a record batch".formatted(Integers.maximum(byteWidth)), "more", to);
    }
    return position;
  }

  /// Returns the items of lists of one size, in place of which a null list has nulls.
  private ArrayData items(ArrayData array, int listSize, SegmentAllocator allocator) {
    Array.Lists lists = (Array.Lists) Array.of(array);
    ArrayData child = array.children().getFirst();
    long nullItem = child.length();
    SlotRanges slots = new SlotRanges(allocator);
    boolean padded = false;
    for (long i = 0; i < array.length(); i++) {
      if (lists.isNull(i)) {
        padded |= listSize > 0;
        for (int j = 0; j < listSize; j++) {
          slots.add(nullItem, 1);
        }
      } else {
        long size = lists.end(i) - lists.start(i);
        if (size != listSize) {
          throw InvalidCastException.withoutValue(
              "lists of %d items".formatted(listSize), Long.toString(size), to);
        }
        slots.add(lists.start(i), size);
      }
    }
    ArrayData all = padded ? DictionaryDecoding.withNull(child, allocator) : child;
    return Take.take(all, slots, allocator, allocator);
  }

  private ArrayData cast(
      ArrayData array,
      List<MemorySegment> buffersAfterValidity,
      ArrayData child,
      SegmentAllocator allocator) {
    List<MemorySegment> buffers = new ArrayList<>(buffersAfterValidity);
    buffers.addFirst(array.buffers().getFirst());
    return new ArrayData(
        to,
        array.length(),
        array.nullCount(),
        buffers,
        List.of(items.apply(child, allocator)),
        null);
  }
}
