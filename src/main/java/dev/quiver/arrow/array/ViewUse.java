package dev.quiver.arrow.array;

import static dev.quiver.arrow.array.Array.BinaryView.INLINE_BYTE_SIZE_MAX;
import static dev.quiver.arrow.array.Array.BinaryView.VIEW_BYTE_SIZE;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// The bytes of the data buffers that the views of an array refer to.
///
/// Views in slots that are null, here or in a parent, may hold anything. A view that refers outside
/// its data buffer is ignored: in validated data, only such slots contain one.
final class ViewUse {

  private final MemorySegment views;
  private final MemorySegment validity;
  private final List<MemorySegment> dataBuffers;
  private final long[] starts;
  private final long[] ends;
  private final long[] valueByteSizes;

  /// Analyzes the views of `length` slots from `offset` on.
  ViewUse(ArrayData array, long offset, long length) {
    this.views = array.buffer(BufferRole.VIEWS);
    this.validity = array.validity();
    this.dataBuffers = array.variadicBuffers();
    this.starts = new long[dataBuffers.size()];
    this.ends = new long[dataBuffers.size()];
    this.valueByteSizes = new long[dataBuffers.size()];
    Arrays.fill(starts, Long.MAX_VALUE);
    for (long i = offset; i < offset + length; i++) {
      if (isReference(i)) {
        int buffer = bufferIndex(i);
        starts[buffer] = Math.min(starts[buffer], start(i));
        ends[buffer] = Math.max(ends[buffer], start(i) + byteSize(i));
        valueByteSizes[buffer] += byteSize(i);
      }
    }
  }

  int bufferCount() {
    return dataBuffers.size();
  }

  /// Returns whether the slot's value is inside the view itself.
  boolean isInline(long slot) {
    return isValid(slot) && byteSize(slot) >= 0 && byteSize(slot) <= INLINE_BYTE_SIZE_MAX;
  }

  /// Returns whether the slot's value lies in a data buffer.
  boolean isReference(long slot) {
    if (!isValid(slot) || byteSize(slot) <= INLINE_BYTE_SIZE_MAX) {
      return false;
    }
    int buffer = bufferIndex(slot);
    return buffer >= 0
        && buffer < dataBuffers.size()
        && start(slot) >= 0
        && byteSize(slot) <= dataBuffers.get(buffer).byteSize() - start(slot);
  }

  int byteSize(long slot) {
    return LittleEndian.getInt32(views, slot * VIEW_BYTE_SIZE);
  }

  int bufferIndex(long slot) {
    return LittleEndian.getInt32(views, slot * VIEW_BYTE_SIZE + 8);
  }

  /// Returns the start of the value in its data buffer.
  int start(long slot) {
    return LittleEndian.getInt32(views, slot * VIEW_BYTE_SIZE + 12);
  }

  /// Returns the start of the first value in a data buffer.
  long firstStart(int buffer) {
    return starts[buffer];
  }

  /// Returns the bytes from the first value to the last; empty if no view refers to the buffer.
  MemorySegment span(int buffer) {
    return ends[buffer] == 0
        ? MemorySegment.NULL
        : dataBuffers.get(buffer).asSlice(starts[buffer], ends[buffer] - starts[buffer]);
  }

  /// Returns whether the values, one by one, take less than half of the span, so that copying them
  /// pays. Values that share bytes count once per reference, so copying never takes more memory.
  boolean isSparse(int buffer) {
    return valueByteSizes[buffer] < span(buffer).byteSize() / 2;
  }

  /// Returns the bytes to keep of a data buffer.
  long keptByteSize(int buffer) {
    return isSparse(buffer) ? valueByteSizes[buffer] : span(buffer).byteSize();
  }

  /// Returns whether the views can stay unchanged because all data buffers are kept from their
  /// start.
  boolean isCompact() {
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] != 0 || isSparse(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isValid(long slot) {
    return validity.byteSize() == 0 || Bitmaps.get(validity, slot);
  }
}
