package dev.quiver.arrow.array;

import static dev.quiver.arrow.array.Array.BinaryView.VIEW_BYTE_SIZE;
import static dev.quiver.arrow.type.BufferRole.VIEWS;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// A concatenation of view arrays: the views, and the data buffers that they refer to.
///
/// A single array's data buffers are shared, as far as they are used. Buffers of several arrays are
/// packed into as few as 32-bit offsets allow. Otherwise, concatenating many small batches would
/// produce one batch of many small buffers.
final class ViewConcatenation {

  private final SegmentAllocator allocator;
  private final List<ArrayData> arrays;
  private final List<ViewUse> uses;

  /// For each array and each of its data buffers: the index of the new buffer and the position in
  /// it.
  private final List<int[]> indices = new ArrayList<>();

  private final List<long[]> positions = new ArrayList<>();
  private final List<Long> byteSizes = new ArrayList<>();

  private ViewConcatenation(List<ArrayData> arrays, SegmentAllocator allocator) {
    this.allocator = allocator;
    this.arrays = arrays;
    this.uses = arrays.stream().map(array -> new ViewUse(array, 0, array.length())).toList();
    uses.forEach(this::place);
  }

  /// Returns the views, then the data buffers of the concatenated array.
  static List<MemorySegment> buffers(List<ArrayData> arrays, SegmentAllocator allocator) {
    ViewConcatenation concatenation = new ViewConcatenation(arrays, allocator);
    List<MemorySegment> dataBuffers = concatenation.dataBuffers();
    List<MemorySegment> buffers = new ArrayList<>();
    buffers.add(concatenation.views(dataBuffers));
    buffers.addAll(dataBuffers);
    return buffers;
  }

  private void place(ViewUse use) {
    int[] index = new int[use.bufferCount()];
    long[] position = new long[use.bufferCount()];
    boolean single = uses.size() == 1;
    for (int i = 0; i < index.length; i++) {
      long byteSize = use.keptByteSize(i);
      if (byteSize != 0) {
        boolean fits = !byteSizes.isEmpty() && byteSizes.getLast() + byteSize <= Integer.MAX_VALUE;
        if (single || !fits) {
          byteSizes.add(0L);
        }
        index[i] = byteSizes.size() - 1;
        position[i] = byteSizes.getLast();
        byteSizes.set(index[i], position[i] + byteSize);
      }
    }
    indices.add(index);
    positions.add(position);
  }

  /// Returns the new data buffers. Values from sparse buffers are copied later.
  private List<MemorySegment> dataBuffers() {
    List<MemorySegment> dataBuffers = new ArrayList<>();
    boolean single = uses.size() == 1;
    if (!single) {
      byteSizes.forEach(byteSize -> dataBuffers.add(allocator.allocate(byteSize, Long.BYTES)));
    }
    for (int array = 0; array < uses.size(); array++) {
      ViewUse use = uses.get(array);
      for (int i = 0; i < use.bufferCount(); i++) {
        MemorySegment span = use.span(i);
        if (span.byteSize() == 0) {
          continue;
        }
        boolean sparse = use.isSparse(i);
        if (single) {
          dataBuffers.add(sparse ? allocator.allocate(use.keptByteSize(i), Long.BYTES) : span);
        } else if (!sparse) {
          MemorySegment target = dataBuffers.get(indices.get(array)[i]);
          MemorySegment.copy(span, 0, target, positions.get(array)[i], span.byteSize());
        }
      }
    }
    return dataBuffers;
  }

  private MemorySegment views(List<MemorySegment> dataBuffers) {
    if (uses.size() == 1 && uses.getFirst().isCompact()) {
      long byteSize = arrays.getFirst().length() * VIEW_BYTE_SIZE;
      return arrays.getFirst().buffer(VIEWS).asSlice(0, byteSize);
    }
    long length = arrays.stream().mapToLong(ArrayData::length).sum();
    MemorySegment views =
        allocator.allocate(Math.multiplyExact(length, VIEW_BYTE_SIZE), Long.BYTES).fill((byte) 0);
    long view = 0;
    for (int array = 0; array < uses.size(); array++) {
      for (long slot = 0; slot < arrays.get(array).length(); slot++, view += VIEW_BYTE_SIZE) {
        writeView(array, slot, views.asSlice(view, VIEW_BYTE_SIZE), dataBuffers);
      }
    }
    return views;
  }

  private void writeView(
      int array, long slot, MemorySegment view, List<MemorySegment> dataBuffers) {
    ViewUse use = uses.get(array);
    MemorySegment source = arrays.get(array).buffer(VIEWS);
    if (use.isInline(slot)) {
      MemorySegment.copy(source, slot * VIEW_BYTE_SIZE, view, 0, VIEW_BYTE_SIZE);
    } else if (use.isReference(slot)) {
      int buffer = use.bufferIndex(slot);
      int index = indices.get(array)[buffer];
      long position = positions.get(array)[buffer];
      long start = use.start(slot) - use.firstStart(buffer);
      if (use.isSparse(buffer)) {
        MemorySegment value = use.span(buffer).asSlice(start, use.byteSize(slot));
        MemorySegment.copy(value, 0, dataBuffers.get(index), position, value.byteSize());
        positions.get(array)[buffer] += value.byteSize();
        start = 0;
      }
      MemorySegment.copy(source, slot * VIEW_BYTE_SIZE, view, 0, Long.BYTES);
      LittleEndian.setInt32(view, 8, index);
      LittleEndian.setInt32(view, 12, (int) (position + start));
    }
  }
}
