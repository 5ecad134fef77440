package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Slices of arrays: consecutive slots as separate arrays.
///
/// The offsets of the given arrays must be valid. The content of their null slots is ignored.
public final class Slices {

  private Slices() {}

  /// Returns the `length` slots from `offset` on.
  ///
  /// Buffers are shared with `array`, except for run ends, and for bitmaps if `offset` is not a
  /// multiple of 8. Data and children stay whole, and offsets may start anywhere in them: see
  /// [Concatenation#compact]. Nulls are counted.
  ///
  /// @param allocator for copies
  /// @throws IndexOutOfBoundsException if the array does not have these slots
  public static ArrayData slice(
      ArrayData array, long offset, long length, SegmentAllocator allocator) {
    Objects.checkFromIndexSize(offset, length, array.length());
    if (length == 0) {
      return empty(array);
    }
    if (offset == 0 && length == array.length()) {
      return array;
    }
    long nullCount = array.countNulls(offset, length);
    return new ArrayData(
        array.field(),
        length,
        nullCount,
        buffers(array, offset, length, nullCount, allocator),
        children(array, offset, length, allocator),
        array.dictionary());
  }

  /// Returns the rows of a batch from `from` on, before `to`, as a batch of slices.
  ///
  /// @param allocator for copies
  public static RecordBatch rows(
      RecordBatch batch, long from, long to, SegmentAllocator allocator) {
    List<ArrayData> columns =
        batch.columns().stream().map(column -> slice(column, from, to - from, allocator)).toList();
    return new RecordBatch(batch.schema(), to - from, columns);
  }

  /// Returns an array without slots that keeps the dictionaries of the array and its children.
  static ArrayData empty(ArrayData array) {
    List<MemorySegment> buffers =
        array.layout().buffers().stream().map(_ -> MemorySegment.NULL).toList();
    List<ArrayData> children = array.children().stream().map(Slices::empty).toList();
    return new ArrayData(array.field(), 0, 0, buffers, children, array.dictionary());
  }

  private static List<MemorySegment> buffers(
      ArrayData array, long offset, long length, long nullCount, SegmentAllocator allocator) {
    List<BufferLayout> layouts = array.layout().buffers();
    List<MemorySegment> buffers = new ArrayList<>(array.buffers());
    for (int i = 0; i < layouts.size(); i++) {
      BufferLayout layout = layouts.get(i);
      MemorySegment buffer = buffers.get(i);
      buffers.set(
          i,
          switch (layout.role()) {
            case VALIDITY ->
                nullCount == 0 ? MemorySegment.NULL : bits(buffer, offset, length, allocator);
            case DATA ->
                array.layout().indexOf(OFFSETS) < 0
                    ? elements(buffer, layout, offset, length, allocator)
                    : buffer;
            case OFFSETS, SLOT_OFFSETS, SIZES, TYPE_IDS, VIEWS ->
                elements(buffer, layout, offset, length, allocator);
          });
    }
    return buffers;
  }

  private static MemorySegment elements(
      MemorySegment buffer,
      BufferLayout layout,
      long offset,
      long length,
      SegmentAllocator allocator) {
    if (layout.bitWidth() == 1) {
      return bits(buffer, offset, length, allocator);
    }
    return buffer.asSlice(offset * (layout.bitWidth() >>> 3), layout.minimumByteSize(length));
  }

  /// Returns the bits from `offset` on; the rest of the last byte is undefined.
  static MemorySegment bits(
      MemorySegment bitmap, long offset, long length, SegmentAllocator allocator) {
    long byteSize = Bitmaps.byteSize(length);
    if ((offset & 7) == 0) {
      return bitmap.asSlice(offset >>> 3, byteSize);
    }
    MemorySegment bits = allocator.allocate(byteSize, Long.BYTES).fill((byte) 0);
    Bitmaps.copy(bitmap, offset, bits, 0, length);
    return bits;
  }

  private static List<ArrayData> children(
      ArrayData array, long offset, long length, SegmentAllocator allocator) {
    List<ArrayData> children = array.children();
    return switch (array.field().storageType()) {
      case ArrowType.FixedSizeList(int listSize) ->
          sliced(children, offset * listSize, length * listSize, allocator);
      case ArrowType.Struct() -> sliced(children, offset, length, allocator);
      case ArrowType.Union(UnionMode mode, _) when mode == UnionMode.SPARSE ->
          sliced(children, offset, length, allocator);
      case ArrowType.RunEndEncoded() -> runs(array, offset, length, allocator);
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.FixedWidth _,
          ArrowType.Nested _,
          ArrowType.VariableBytes _,
          ArrowType.ViewBytes _ ->
          children;
    };
  }

  private static List<ArrayData> sliced(
      List<ArrayData> children, long offset, long length, SegmentAllocator allocator) {
    return children.stream().map(child -> slice(child, offset, length, allocator)).toList();
  }

  private static List<ArrayData> runs(
      ArrayData array, long offset, long length, SegmentAllocator allocator) {
    ChildRange runs = ChildRange.ofRuns(array, offset, length);
    ArrayData runEnds = array.children().getFirst();
    int byteWidth = Integers.byteWidth(runEnds.field(), DATA);
    Integers sliced =
        new Integers(allocator.allocate(runs.length() * byteWidth, Long.BYTES), byteWidth);
    Integers ends = Integers.of(runEnds, DATA);
    for (long i = 0; i < runs.length(); i++) {
      sliced.set(i, Math.min(ends.get(runs.start() + i) - offset, length));
    }
    return List.of(
        runEnds(runEnds.field(), runs.length(), sliced.segment()),
        slice(array.children().getLast(), runs.start(), runs.length(), allocator));
  }

  /// Returns the first child of a run-end-encoded array.
  static ArrayData runEnds(Field field, long length, MemorySegment data) {
    return new ArrayData(field, length, 0, List.of(MemorySegment.NULL, data), List.of(), null);
  }
}
