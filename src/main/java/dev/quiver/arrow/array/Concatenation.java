package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;
import static dev.quiver.arrow.type.BufferRole.SIZES;
import static dev.quiver.arrow.type.BufferRole.SLOT_OFFSETS;
import static dev.quiver.arrow.type.BufferRole.TYPE_IDS;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// A concatenation of the slots of several arrays, in order.
///
/// The result is compact: offsets start at 0, children and data hold only referenced slots, and
/// buffers have their minimum size. List views and dense unions keep everything between the first
/// and the last referenced slot. The last run ends with the array, and an array without nulls has
/// no validity. If rewritten, null views and null list views become zero.
///
/// The offsets of the given arrays must be valid; their text need not be. The content of their null
/// slots is ignored.
public final class Concatenation {

  private final SegmentAllocator allocator;
  private final List<ArrayData> arrays;
  private final Field field;
  private final long length;

  private Concatenation(List<ArrayData> arrays, SegmentAllocator allocator) {
    this.allocator = allocator;
    this.arrays = arrays;
    this.field = arrays.getFirst().field();
    this.length = arrays.stream().mapToLong(ArrayData::length).reduce(0, Math::addExact);
  }

  /// Returns the slots of all arrays. Only memory that comes from a single array is shared with it.
  ///
  /// @param arrays at least one, all of the same field. Dictionary-encoded arrays share one
  ///   dictionary, which may be missing where all slots are null.
  /// @param allocator for copies
  /// @throws IllegalArgumentException if fields or dictionaries differ, or if offsets or run ends
  ///   would overflow their type
  public static ArrayData concatenate(List<ArrayData> arrays, SegmentAllocator allocator) {
    Field field = arrays.getFirst().field();
    for (ArrayData array : arrays) {
      if (!array.field().equals(field)) {
        throw new IllegalArgumentException(
            "Expected arrays of " + field + " but found one of " + array.field());
      }
    }
    return join(arrays, allocator);
  }

  /// Returns the slots of one array, without unreferenced data.
  ///
  /// Buffers are shared with `array`, with two exceptions. Offsets are copied if they do not start
  /// at 0, and values if most of their data buffer is unreferenced.
  ///
  /// @param allocator for copies
  public static ArrayData compact(ArrayData array, SegmentAllocator allocator) {
    return join(List.of(array), allocator);
  }

  private static ArrayData join(List<ArrayData> arrays, SegmentAllocator allocator) {
    List<ArrayData> notEmpty = arrays.stream().filter(array -> array.length() != 0).toList();
    return notEmpty.isEmpty()
        ? Slices.empty(arrays.getFirst())
        : new Concatenation(notEmpty, allocator).joined();
  }

  private ArrayData joined() {
    return switch (field.storageType()) {
      case ArrowType.Null() ->
          new ArrayData(field, length, length, List.of(), List.of(), dictionary());
      case ArrowType.Bool() -> joined(List.of(dataBits()), List.of());
      case ArrowType.FixedWidth _ -> joined(List.of(elements(DATA)), List.of());
      case ArrowType.VariableBytes _ -> {
        List<ChildRange> ranges = offsetRanges();
        yield joined(List.of(offsets(ranges), data(ranges)), List.of());
      }
      case ArrowType.ViewBytes _ -> joined(ViewConcatenation.buffers(arrays, allocator), List.of());
      case ArrowType.VariableList _ -> {
        List<ChildRange> ranges = offsetRanges();
        yield joined(List.of(offsets(ranges)), List.of(child(0, ranges)));
      }
      case ArrowType.ViewList _ -> listViews();
      case ArrowType.FixedSizeList(int listSize) ->
          joined(List.of(), List.of(child(0, leading(count -> count * listSize))));
      case ArrowType.Struct() -> joined(List.of(), leadingChildren());
      case ArrowType.Union type ->
          type.mode() == UnionMode.SPARSE
              ? joined(List.of(elements(TYPE_IDS)), leadingChildren())
              : denseUnion(type);
      case ArrowType.RunEndEncoded() -> runs();
    };
  }

  /// Returns an array of these buffers after its validity, if its layout has one.
  private ArrayData joined(List<MemorySegment> buffersAfterValidity, List<ArrayData> children) {
    List<MemorySegment> buffers = new ArrayList<>(buffersAfterValidity);
    long nullCount = 0;
    if (Layout.of(field).hasValidity()) {
      for (ArrayData array : arrays) {
        nullCount += array.countNulls(0, array.length());
      }
      buffers.addFirst(nullCount == 0 ? MemorySegment.NULL : validity());
    }
    return new ArrayData(field, length, nullCount, buffers, children, dictionary());
  }

  private @Nullable ArrayData dictionary() {
    ArrayData dictionary = null;
    for (ArrayData array : arrays) {
      if (dictionary == null) {
        dictionary = array.dictionary();
      } else if (array.dictionary() != null && array.dictionary() != dictionary) {
        throw new IllegalArgumentException(
            "Expected arrays of one dictionary but found two of " + field);
      }
    }
    return dictionary;
  }

  private MemorySegment validity() {
    if (arrays.size() == 1) {
      return arrays.getFirst().validity().asSlice(0, Bitmaps.byteSize(length));
    }
    MemorySegment bits = allocate(Bitmaps.byteSize(length)).fill((byte) 0);
    long position = 0;
    for (ArrayData array : arrays) {
      MemorySegment validity = array.validity();
      if (validity.byteSize() == 0) {
        Bitmaps.setAll(bits, position, array.length());
      } else {
        Bitmaps.copy(validity, 0, bits, position, array.length());
      }
      position += array.length();
    }
    return bits;
  }

  private MemorySegment dataBits() {
    if (arrays.size() == 1) {
      return arrays.getFirst().buffer(DATA).asSlice(0, Bitmaps.byteSize(length));
    }
    MemorySegment bits = allocate(Bitmaps.byteSize(length)).fill((byte) 0);
    long position = 0;
    for (ArrayData array : arrays) {
      Bitmaps.copy(array.buffer(DATA), 0, bits, position, array.length());
      position += array.length();
    }
    return bits;
  }

  private MemorySegment elements(BufferRole role) {
    Layout layout = Layout.of(field);
    BufferLayout elements = layout.buffers().get(layout.indexOf(role));
    return bytes(
        arrays.stream()
            .map(array -> array.buffer(role).asSlice(0, elements.minimumByteSize(array.length())))
            .toList());
  }

  /// Returns the range that the offsets of each array delimit.
  private List<ChildRange> offsetRanges() {
    return arrays.stream().map(array -> ChildRange.ofOffsets(array, 0, array.length())).toList();
  }

  private MemorySegment data(List<ChildRange> ranges) {
    List<MemorySegment> parts = new ArrayList<>();
    for (int i = 0; i < arrays.size(); i++) {
      ChildRange range = ranges.get(i);
      parts.add(arrays.get(i).buffer(DATA).asSlice(range.start(), range.length()));
    }
    return bytes(parts);
  }

  private MemorySegment offsets(List<ChildRange> ranges) {
    int byteWidth = Integers.byteWidth(field, OFFSETS);
    if (arrays.size() == 1 && ranges.getFirst().start() == 0) {
      return arrays.getFirst().buffer(OFFSETS).asSlice(0, (length + 1) * byteWidth);
    }
    long[] bases = bases(ranges, byteWidth);
    Integers offsets = integers(length + 1, byteWidth);
    long position = 0;
    for (int i = 0; i < bases.length; i++) {
      Integers source = Integers.of(arrays.get(i), OFFSETS);
      long shift = bases[i] - ranges.get(i).start();
      // The first offset equals the last one of the previous array.
      for (long slot = 0; slot <= arrays.get(i).length(); slot++) {
        offsets.set(position + slot, source.get(slot) + shift);
      }
      position += arrays.get(i).length();
    }
    return offsets.segment();
  }

  private ArrayData listViews() {
    List<ChildRange> ranges =
        arrays.stream().map(array -> ChildRange.ofListViews(array, 0, array.length())).toList();
    int byteWidth = Integers.byteWidth(field, SIZES);
    long[] bases = bases(ranges, byteWidth);
    Integers offsets = integers(length, byteWidth);
    Integers sizes = integers(length, byteWidth);
    long position = 0;
    for (int i = 0; i < bases.length; i++) {
      ArrayData array = arrays.get(i);
      Integers sourceOffsets = Integers.of(array, SLOT_OFFSETS);
      Integers sourceSizes = Integers.of(array, SIZES);
      MemorySegment validity = array.validity();
      long shift = bases[i] - ranges.get(i).start();
      for (long slot = 0; slot < array.length(); slot++, position++) {
        boolean valid = validity.byteSize() == 0 || Bitmaps.get(validity, slot);
        long size = valid ? sourceSizes.get(slot) : 0;
        offsets.set(position, size == 0 ? 0 : sourceOffsets.get(slot) + shift);
        sizes.set(position, size);
      }
    }
    return joined(List.of(offsets.segment(), sizes.segment()), List.of(child(0, ranges)));
  }

  private ArrayData denseUnion(ArrowType.Union type) {
    List<ChildRange[]> ranges =
        arrays.stream()
            .map(array -> ChildRange.ofDenseUnion(array, type, 0, array.length()))
            .toList();
    List<ArrayData> children = new ArrayList<>();
    List<long[]> bases = new ArrayList<>();
    for (int i = 0; i < field.children().size(); i++) {
      int childIndex = i;
      List<ChildRange> ofChild = ranges.stream().map(each -> each[childIndex]).toList();
      bases.add(bases(ofChild, Integer.BYTES));
      children.add(child(i, ofChild));
    }
    int[] childIndices = ChildRange.childIndices(type);
    Integers offsets = integers(length, Integer.BYTES);
    long position = 0;
    for (int i = 0; i < arrays.size(); i++) {
      MemorySegment typeIds = arrays.get(i).buffer(TYPE_IDS);
      Integers source = Integers.of(arrays.get(i), SLOT_OFFSETS);
      for (long slot = 0; slot < arrays.get(i).length(); slot++, position++) {
        int child = childIndices[LittleEndian.getInt8(typeIds, slot)];
        long shift = bases.get(child)[i] - ranges.get(i)[child].start();
        offsets.set(position, source.get(slot) + shift);
      }
    }
    return joined(List.of(elements(TYPE_IDS), offsets.segment()), children);
  }

  private ArrayData runs() {
    List<ChildRange> ranges =
        arrays.stream().map(array -> ChildRange.ofRuns(array, 0, array.length())).toList();
    Field endsField = field.children().getFirst();
    int byteWidth = Integers.byteWidth(endsField, DATA);
    requireFits(length, byteWidth, "run ends");
    long runCount = ranges.stream().mapToLong(ChildRange::length).sum();
    Integers ends = integers(runCount, byteWidth);
    long position = 0;
    long base = 0;
    for (int i = 0; i < arrays.size(); i++) {
      long arrayLength = arrays.get(i).length();
      Integers source = Integers.of(arrays.get(i).children().getFirst(), DATA);
      for (long run = 0; run < ranges.get(i).length(); run++, position++) {
        ends.set(position, base + Math.min(source.get(run), arrayLength));
      }
      base += arrayLength;
    }
    ArrayData runEnds = Slices.runEnds(endsField, runCount, ends.segment());
    return joined(List.of(), List.of(runEnds, child(1, ranges)));
  }

  private List<ArrayData> leadingChildren() {
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < field.children().size(); i++) {
      children.add(child(i, leading(LongUnaryOperator.identity())));
    }
    return children;
  }

  /// Returns the first slots of each array's child, as many as `ofLength` derives from its length.
  private List<ChildRange> leading(LongUnaryOperator ofLength) {
    return arrays.stream()
        .map(array -> new ChildRange(0, ofLength.applyAsLong(array.length())))
        .toList();
  }

  /// Returns the concatenated children, restricted to the given slots of each array.
  private ArrayData child(int index, List<ChildRange> ranges) {
    List<ArrayData> parts = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      ChildRange range = ranges.get(i);
      ArrayData child = arrays.get(i).children().get(index);
      parts.add(Slices.slice(child, range.start(), range.length(), allocator));
    }
    return join(parts, allocator);
  }

  /// Returns the start of each range if they are laid out one after the other.
  private long[] bases(List<ChildRange> ranges, int byteWidth) {
    long[] bases = new long[ranges.size()];
    long end = 0;
    for (int i = 0; i < bases.length; i++) {
      bases[i] = end;
      end = Math.addExact(end, ranges.get(i).length());
    }
    requireFits(end, byteWidth, "offsets");
    return bases;
  }

  private void requireFits(long end, int byteWidth, String what) {
    long maximum = Integers.maximum(byteWidth);
    if (end > maximum) {
      throw new IllegalArgumentException(
          "Expected %s of at most %d but found %d in arrays of %s"
              .formatted(what, maximum, end, field));
    }
  }

  /// Returns the parts as one segment; a single part is not copied.
  private MemorySegment bytes(List<MemorySegment> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    MemorySegment bytes =
        allocate(parts.stream().mapToLong(MemorySegment::byteSize).reduce(0, Math::addExact));
    long position = 0;
    for (MemorySegment part : parts) {
      MemorySegment.copy(part, 0, bytes, position, part.byteSize());
      position += part.byteSize();
    }
    return bytes;
  }

  private Integers integers(long count, int byteWidth) {
    return new Integers(allocate(Math.multiplyExact(count, (long) byteWidth)), byteWidth);
  }

  private MemorySegment allocate(long byteSize) {
    return allocator.allocate(byteSize, Long.BYTES);
  }
}
