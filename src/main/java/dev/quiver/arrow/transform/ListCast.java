package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Concatenation;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.array.Take;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A cast of lists with 32-bit offsets to another layout of lists.
record ListCast(Cast items, Field to) implements Cast {

  @Override
  public ArrayData apply(ArrayData array, SegmentAllocator allocator) {
    ArrayData child = array.children().getFirst();
    return switch (to.type()) {
      case ArrowType.LargeList() -> {
        MemorySegment offsets =
            WideOffsets.of(
                ((Array.VariableList) Array.of(array)).offsets(), array.length(), allocator);
        yield cast(array, List.of(offsets), child, allocator);
      }
      case ArrowType.ListView() -> views(array, Integer.BYTES, allocator);
      case ArrowType.LargeListView() -> views(array, Long.BYTES, allocator);
      case ArrowType.FixedSizeList(int listSize) ->
          cast(array, List.of(), items(array, listSize, allocator), allocator);
      default -> throw new IllegalStateException("No layout of lists: " + to);
    };
  }

  private ArrayData views(ArrayData array, int byteWidth, SegmentAllocator allocator) {
    Array.Lists lists = (Array.Lists) Array.of(array);
    long byteSize = array.length() * byteWidth;
    Integers starts = new Integers(allocator.allocate(byteSize, Long.BYTES), byteWidth);
    Integers sizes = new Integers(allocator.allocate(byteSize, Long.BYTES), byteWidth);
    for (long i = 0; i < array.length(); i++) {
      boolean empty = lists.isNull(i);
      starts.set(i, empty ? 0 : lists.start(i));
      sizes.set(i, empty ? 0 : lists.end(i) - lists.start(i));
    }
    return cast(
        array, List.of(starts.segment(), sizes.segment()), array.children().getFirst(), allocator);
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
    return Take.take(padded ? withNull(child, allocator) : child, slots, allocator, allocator);
  }

  private static ArrayData withNull(ArrayData items, SegmentAllocator allocator) {
    ArrayData last =
        new ArrayBuilder(allocator).array(items.field(), Collections.singletonList(null));
    return Concatenation.concatenate(List.of(items, last), allocator);
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
