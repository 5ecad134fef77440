package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;
import static dev.quiver.arrow.type.BufferRole.SIZES;
import static dev.quiver.arrow.type.BufferRole.SLOT_OFFSETS;
import static dev.quiver.arrow.type.BufferRole.TYPE_IDS;
import static dev.quiver.arrow.type.BufferRole.VIEWS;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// The slots of an array that [SlotRanges] names, gathered into an array of their own. Arrow C++
/// calls the same function `take`.
///
/// The result is compact, as by [Concatenation]: offsets start at 0, children and data hold only
/// referenced slots, buffers have their minimum size, and an array without nulls has no validity.
/// Null slots have neither bytes nor list items. Slots that share bytes or slots of a child share
/// them in the result or are fewer, so slots in ascending order never need more memory than the
/// array has.
///
/// The offsets of the given array must be valid; its text need not be. The content of its null
/// slots is ignored. Dictionaries stay whole.
public final class Take {

  /// The size up to which bytes are copied as numbers.
  private static final int SHORT_BYTE_SIZE = 64;

  private final ArrayData array;
  private final Field field;
  private final SlotRanges slots;
  private final SegmentAllocator allocator;
  private final SegmentAllocator scratch;
  private final MemorySegment validity;

  private Take(
      ArrayData array, SlotRanges slots, SegmentAllocator allocator, SegmentAllocator scratch) {
    this.array = array;
    this.field = array.field();
    this.slots = slots;
    this.allocator = allocator;
    this.scratch = scratch;
    this.validity = array.validity();
  }

  /// Returns the slots in their order. Consecutive ones share memory with `array`.
  ///
  /// @param allocator for copies
  /// @param scratch for working memory, until this returns; it may be the same
  /// @throws IndexOutOfBoundsException if the array does not have these slots
  /// @throws IllegalArgumentException if offsets or run ends would overflow their type, which takes
  ///   slots that repeat
  public static ArrayData take(
      ArrayData array, SlotRanges slots, SegmentAllocator allocator, SegmentAllocator scratch) {
    Objects.checkFromToIndex(0, slots.end(), array.length());
    if (slots.count() <= 1) {
      ArrayData slice =
          slots.count() == 0
              ? Slices.empty(array)
              : Slices.slice(array, slots.start(0), slots.length(), allocator);
      return Concatenation.compact(slice, allocator);
    }
    return new Take(array, slots, allocator, scratch).taken();
  }

  private ArrayData taken() {
    return switch (field.storageType()) {
      case ArrowType.Null() ->
          new ArrayData(
              field, slots.length(), slots.length(), List.of(), List.of(), array.dictionary());
      case ArrowType.Bool() -> taken(List.of(bits(array.buffer(DATA))), List.of());
      case ArrowType.FixedWidth _ -> taken(List.of(elements(DATA)), List.of());
      case ArrowType.VariableBytes _ -> {
        Integers offsets = integers(slots.length() + 1, Integers.byteWidth(field, OFFSETS));
        SlotRanges bytes = delimited(offsets);
        MemorySegment data = gathered(array.buffer(DATA), 1, bytes);
        yield taken(List.of(offsets.segment(), data), List.of());
      }
      case ArrowType.ViewBytes _ -> views();
      case ArrowType.VariableList _ -> {
        Integers offsets = integers(slots.length() + 1, Integers.byteWidth(field, OFFSETS));
        SlotRanges items = delimited(offsets);
        yield taken(List.of(offsets.segment()), List.of(child(0, items)));
      }
      case ArrowType.ViewList _ -> listViews();
      case ArrowType.FixedSizeList(int listSize) -> taken(List.of(), List.of(items(listSize)));
      case ArrowType.Struct() -> taken(List.of(), children());
      case ArrowType.Union type ->
          type.mode() == UnionMode.SPARSE
              ? taken(List.of(elements(TYPE_IDS)), children())
              : denseUnion(type);
      case ArrowType.RunEndEncoded() -> runs();
    };
  }

  /// Returns an array of these buffers after its validity, if its layout has one.
  private ArrayData taken(List<MemorySegment> buffersAfterValidity, List<ArrayData> children) {
    List<MemorySegment> buffers = new ArrayList<>(buffersAfterValidity);
    long nullCount = 0;
    if (Layout.of(field).hasValidity()) {
      MemorySegment bits = validity.byteSize() == 0 ? MemorySegment.NULL : bits(validity);
      nullCount =
          bits.byteSize() == 0 ? 0 : slots.length() - Bitmaps.countSet(bits, slots.length());
      buffers.addFirst(nullCount == 0 ? MemorySegment.NULL : bits);
    }
    return new ArrayData(field, slots.length(), nullCount, buffers, children, array.dictionary());
  }

  private boolean isValid(long slot) {
    return validity.byteSize() == 0 || Bitmaps.get(validity, slot);
  }

  private MemorySegment bits(MemorySegment source) {
    MemorySegment bits = allocate(Bitmaps.byteSize(slots.length())).fill((byte) 0);
    long position = 0;
    for (long i = 0; i < slots.count(); i++) {
      Bitmaps.copy(source, slots.start(i), bits, position, slots.length(i));
      position += slots.length(i);
    }
    return bits;
  }

  private MemorySegment elements(BufferRole role) {
    Layout layout = Layout.of(field);
    long bitWidth = layout.buffers().get(layout.indexOf(role)).bitWidth();
    return gathered(array.buffer(role), bitWidth >>> 3, slots);
  }

  /// Returns elements of a buffer.
  ///
  /// @param byteWidth bytes of one element
  private MemorySegment gathered(MemorySegment source, long byteWidth, SlotRanges elements) {
    MemorySegment target = allocate(Math.multiplyExact(elements.length(), byteWidth));
    long position = 0;
    for (long i = 0; i < elements.count(); i++) {
      long start = elements.start(i) * byteWidth;
      long byteSize = elements.length(i) * byteWidth;
      if (byteSize <= SHORT_BYTE_SIZE) {
        copyShort(source, start, target, position, byteSize);
      } else {
        MemorySegment.copy(source, start, target, position, byteSize);
      }
      position += byteSize;
    }
    return target;
  }

  /// Copies a few bytes as numbers, which takes a fraction of the time of a bulk copy. The last two
  /// numbers may overlap.
  private static void copyShort(
      MemorySegment source, long from, MemorySegment target, long to, long byteSize) {
    if (byteSize >= Long.BYTES) {
      long last = byteSize - Long.BYTES;
      for (long i = 0; i < last; i += Long.BYTES) {
        LittleEndian.setInt64(target, to + i, LittleEndian.getInt64(source, from + i));
      }
      LittleEndian.setInt64(target, to + last, LittleEndian.getInt64(source, from + last));
    } else if (byteSize >= Integer.BYTES) {
      long last = byteSize - Integer.BYTES;
      int end = LittleEndian.getInt32(source, from + last);
      LittleEndian.setInt32(target, to, LittleEndian.getInt32(source, from));
      LittleEndian.setInt32(target, to + last, end);
    } else {
      for (long i = 0; i < byteSize; i++) {
        target.set(LittleEndian.INT8, to + i, source.get(LittleEndian.INT8, from + i));
      }
    }
  }

  /// Writes the offsets of the slots, and returns the bytes or the slots of the child that belong
  /// to them.
  private SlotRanges delimited(Integers offsets) {
    Integers source = Integers.of(array, OFFSETS);
    SlotRanges referenced = new SlotRanges(scratch);
    long position = 0;
    offsets.set(position, 0);
    for (long i = 0; i < slots.count(); i++) {
      long rangeEnd = slots.start(i) + slots.length(i);
      for (long slot = slots.start(i); slot < rangeEnd; slot++) {
        if (isValid(slot)) {
          long start = source.get(slot);
          referenced.add(start, source.get(slot + 1) - start);
          requireFits(referenced.length(), offsets.byteWidth(), "offsets");
        }
        position++;
        offsets.set(position, referenced.length());
      }
    }
    return referenced;
  }

  /// Returns the views with their data buffers, as far as they are used.
  private ArrayData views() {
    List<MemorySegment> buffers = new ArrayList<>(List.of(elements(VIEWS)));
    buffers.addAll(array.variadicBuffers());
    return Concatenation.compact(taken(buffers, List.of()), allocator);
  }

  /// Returns list views into those slots of the child that they use. A slot that several lists
  /// share is taken once.
  private ArrayData listViews() {
    int byteWidth = Integers.byteWidth(field, SIZES);
    Integers sourceOffsets = Integers.of(array, SLOT_OFFSETS);
    Integers sourceSizes = Integers.of(array, SIZES);
    Integers offsets = integers(slots.length(), byteWidth);
    Integers sizes = integers(slots.length(), byteWidth);
    long position = 0;
    for (long i = 0; i < slots.count(); i++) {
      long rangeEnd = slots.start(i) + slots.length(i);
      for (long slot = slots.start(i); slot < rangeEnd; slot++, position++) {
        long size = isValid(slot) ? sourceSizes.get(slot) : 0;
        offsets.set(position, size == 0 ? 0 : sourceOffsets.get(slot));
        sizes.set(position, size);
      }
    }
    ListedSlots listed = ListedSlots.of(offsets, sizes, slots.length(), scratch);
    for (long slot = 0; slot < slots.length(); slot++) {
      if (sizes.get(slot) > 0) {
        offsets.set(slot, listed.position(offsets.get(slot)));
      }
    }
    return taken(List.of(offsets.segment(), sizes.segment()), List.of(child(0, listed.slots())));
  }

  private ArrayData items(int listSize) {
    SlotRanges items = new SlotRanges(scratch);
    for (long i = 0; i < slots.count(); i++) {
      items.add(slots.start(i) * listSize, Math.multiplyExact(slots.length(i), (long) listSize));
    }
    return child(0, items);
  }

  private ArrayData denseUnion(ArrowType.Union type) {
    int[] childIndices = ChildRange.childIndices(type);
    MemorySegment typeIds = array.buffer(TYPE_IDS);
    Integers source = Integers.of(array, SLOT_OFFSETS);
    Integers offsets = integers(slots.length(), Integer.BYTES);
    List<SlotRanges> used = new ArrayList<>();
    array.children().forEach(_ -> used.add(new SlotRanges(scratch)));
    long[] last = new long[used.size()];
    Arrays.fill(last, -1);
    long position = 0;
    for (long i = 0; i < slots.count(); i++) {
      long rangeEnd = slots.start(i) + slots.length(i);
      for (long slot = slots.start(i); slot < rangeEnd; slot++, position++) {
        int child = childIndices[LittleEndian.getInt8(typeIds, slot)];
        long childSlot = source.get(slot);
        if (childSlot != last[child]) {
          used.get(child).add(childSlot, 1);
          last[child] = childSlot;
          requireFits(used.get(child).length(), Integer.BYTES, "offsets");
        }
        offsets.set(position, used.get(child).length() - 1);
      }
    }
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < used.size(); i++) {
      children.add(child(i, used.get(i)));
    }
    return taken(List.of(elements(TYPE_IDS), offsets.segment()), children);
  }

  private ArrayData runs() {
    Array.RunEndEncoded source = new Array.RunEndEncoded(array);
    Field endsField = field.children().getFirst();
    int byteWidth = Integers.byteWidth(endsField, DATA);
    requireFits(slots.length(), byteWidth, "run ends");
    GrowingBuffer ends = new GrowingBuffer();
    SlotRanges values = new SlotRanges(scratch);
    long lastRun = -1;
    long position = 0;
    for (long i = 0; i < slots.count(); i++) {
      long slot = slots.start(i);
      long rangeEnd = slot + slots.length(i);
      for (long run = source.run(slot); slot < rangeEnd; run++) {
        long runEnd = Math.min(source.runEnds().integer(run), rangeEnd);
        if (run != lastRun) {
          ends.extend(byteWidth, allocator);
          values.add(run, 1);
          lastRun = run;
        }
        position += runEnd - slot;
        slot = runEnd;
        new Integers(ends.segment(), byteWidth).set(values.length() - 1, position);
      }
    }
    ArrayData runEnds = Slices.runEnds(endsField, values.length(), ends.segment());
    return taken(List.of(), List.of(runEnds, child(1, values)));
  }

  private List<ArrayData> children() {
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < array.children().size(); i++) {
      children.add(child(i, slots));
    }
    return children;
  }

  private ArrayData child(int index, SlotRanges childSlots) {
    return take(array.children().get(index), childSlots, allocator, scratch);
  }

  private void requireFits(long end, int byteWidth, String what) {
    long maximum = Integers.maximum(byteWidth);
    if (end > maximum) {
      throw new IllegalArgumentException(
          "Expected %s of at most %d but found %d in slots taken from an array of %s"
              .formatted(what, maximum, end, field));
    }
  }

  private Integers integers(long count, int byteWidth) {
    return new Integers(allocate(Math.multiplyExact(count, (long) byteWidth)), byteWidth);
  }

  private MemorySegment allocate(long byteSize) {
    return allocator.allocate(byteSize, Long.BYTES);
  }
}
