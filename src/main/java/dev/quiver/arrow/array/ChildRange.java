package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.OFFSETS;
import static dev.quiver.arrow.type.BufferRole.SIZES;
import static dev.quiver.arrow.type.BufferRole.SLOT_OFFSETS;
import static dev.quiver.arrow.type.BufferRole.TYPE_IDS;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The smallest range of a child's slots, or of bytes, that contains everything that some slots of
/// an array refer to.
///
/// @param start the first slot or byte
/// @param end the slot or byte after the last
record ChildRange(long start, long end) {

  private static final ChildRange EMPTY = new ChildRange(0, 0);

  long length() {
    return end - start;
  }

  /// Returns the range that offsets delimit for `length` slots from `offset` on.
  static ChildRange ofOffsets(ArrayData array, long offset, long length) {
    if (length == 0) {
      return EMPTY;
    }
    Integers offsets = Integers.of(array, OFFSETS);
    return new ChildRange(offsets.get(offset), offsets.get(offset + length));
  }

  /// Returns the range of the list views that are neither null nor empty.
  static ChildRange ofListViews(ArrayData array, long offset, long length) {
    Integers offsets = Integers.of(array, SLOT_OFFSETS);
    Integers sizes = Integers.of(array, SIZES);
    MemorySegment validity = array.validity();
    long start = Long.MAX_VALUE;
    long end = 0;
    for (long i = offset; i < offset + length; i++) {
      long size = sizes.get(i);
      if (size > 0 && (validity.byteSize() == 0 || Bitmaps.get(validity, i))) {
        start = Math.min(start, offsets.get(i));
        end = Math.max(end, offsets.get(i) + size);
      }
    }
    return end == 0 ? EMPTY : new ChildRange(start, end);
  }

  /// Returns the range of the slots of a dense union, for each of its children.
  static ChildRange[] ofDenseUnion(
      ArrayData array, ArrowType.Union type, long offset, long length) {
    int childCount = array.children().size();
    long[] starts = new long[childCount];
    Arrays.fill(starts, Long.MAX_VALUE);
    long[] ends = new long[childCount];
    int[] childIndices = childIndices(type);
    MemorySegment typeIds = array.buffer(TYPE_IDS);
    MemorySegment slotOffsets = array.buffer(SLOT_OFFSETS);
    for (long i = offset; i < offset + length; i++) {
      int child = childIndices[LittleEndian.getInt8(typeIds, i)];
      long slot = LittleEndian.getInt32(slotOffsets, i << 2);
      starts[child] = Math.min(starts[child], slot);
      ends[child] = Math.max(ends[child], slot + 1);
    }
    ChildRange[] ranges = new ChildRange[childCount];
    for (int i = 0; i < childCount; i++) {
      ranges[i] = ends[i] == 0 ? EMPTY : new ChildRange(starts[i], ends[i]);
    }
    return ranges;
  }

  /// Returns the runs that contain the slots of a run-end-encoded array.
  static ChildRange ofRuns(ArrayData array, long offset, long length) {
    if (length == 0) {
      return EMPTY;
    }
    Array.RunEndEncoded runs = new Array.RunEndEncoded(array);
    return new ChildRange(runs.run(offset), runs.run(offset + length - 1) + 1);
  }

  /// Returns the child that each type id selects.
  static int[] childIndices(ArrowType.Union type) {
    int[] childIndices = new int[Byte.MAX_VALUE + 1];
    for (int i = 0; i < type.typeIds().size(); i++) {
      childIndices[type.typeIds().get(i)] = i;
    }
    return childIndices;
  }
}
