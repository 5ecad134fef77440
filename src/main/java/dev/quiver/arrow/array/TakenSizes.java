package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The sizes of the buffers that [Take] would gather, found without copying values.
public final class TakenSizes {

  private TakenSizes() {}

  /// Returns an array whose nodes and buffers have the lengths of the taken ones, or null if these
  /// take as long to find as the array itself. The content of its buffers is undefined.
  ///
  /// @param slots ascending slots of the array, each once
  /// @throws IndexOutOfBoundsException if the array does not have these slots
  public static @Nullable ArrayData of(ArrayData array, SlotRanges slots) {
    Objects.checkFromToIndex(0, slots.end(), array.length());
    if (slots.count() <= 1) {
      return null;
    }
    long length = slots.length();
    return switch (array.field().storageType()) {
      case ArrowType.Null() ->
          new ArrayData(array.field(), length, length, List.of(), List.of(), array.dictionary());
      case ArrowType.Bool _, ArrowType.FixedWidth _ -> {
        BufferLayout data = array.layout().buffers().get(array.layout().indexOf(DATA));
        yield sized(
            array,
            slots,
            List.of(array.buffer(DATA).asSlice(0, data.minimumByteSize(length))),
            List.of());
      }
      case ArrowType.VariableBytes _ -> {
        long offsetsByteSize = (length + 1) * Integers.byteWidth(array.field(), OFFSETS);
        yield sized(
            array,
            slots,
            List.of(
                array.buffer(OFFSETS).asSlice(0, offsetsByteSize),
                array.buffer(DATA).asSlice(0, dataByteSize(array, slots))),
            List.of());
      }
      case ArrowType.Struct() -> {
        List<ArrayData> children = new ArrayList<>();
        for (ArrayData child : array.children()) {
          ArrayData size = of(child, slots);
          if (size == null) {
            yield null;
          }
          children.add(size);
        }
        yield sized(array, slots, List.of(), children);
      }
      default -> null;
    };
  }

  private static ArrayData sized(
      ArrayData array,
      SlotRanges slots,
      List<MemorySegment> buffersAfterValidity,
      List<ArrayData> children) {
    long nullCount = nullCount(array.validity(), slots);
    List<MemorySegment> buffers = new ArrayList<>(buffersAfterValidity);
    buffers.addFirst(
        nullCount == 0
            ? MemorySegment.NULL
            : array.validity().asSlice(0, Bitmaps.byteSize(slots.length())));
    return new ArrayData(
        array.field(), slots.length(), nullCount, buffers, children, array.dictionary());
  }

  private static long nullCount(MemorySegment validity, SlotRanges slots) {
    if (validity.byteSize() == 0) {
      return 0;
    }
    long validCount = 0;
    for (long i = 0; i < slots.count(); i++) {
      long length = slots.length(i);
      validCount +=
          length == 1
              ? (Bitmaps.get(validity, slots.start(i)) ? 1 : 0)
              : Bitmaps.countSet(validity, slots.start(i), length);
    }
    return slots.length() - validCount;
  }

  /// Returns the number of bytes of the values of slots that are not null.
  private static long dataByteSize(ArrayData array, SlotRanges slots) {
    MemorySegment validity = array.validity();
    Integers offsets = Integers.of(array, OFFSETS);
    long byteSize = 0;
    for (long i = 0; i < slots.count(); i++) {
      long start = slots.start(i);
      long end = start + slots.length(i);
      if (validity.byteSize() == 0) {
        byteSize += offsets.get(end) - offsets.get(start);
        continue;
      }
      for (long slot = start; slot < end; slot++) {
        if (Bitmaps.get(validity, slot)) {
          byteSize += offsets.get(slot + 1) - offsets.get(slot);
        }
      }
    }
    return byteSize;
  }
}
