package dev.quiver.formats.json;

import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;

/// An array of texts or bytes, with offsets of 32 bits.
abstract class JsonBytesBuilder extends JsonBuilder {

  private final JsonOffsets offsets = new JsonOffsets();
  private byte[] values = new byte[CAPACITY_MINIMUM];
  private int byteSize;

  JsonBytesBuilder(Field field) {
    super(field);
  }

  @Override
  void reset() {
    super.reset();
    byteSize = 0;
    if (values.length > BYTE_SIZE_KEPT) {
      values = new byte[CAPACITY_MINIMUM];
    }
  }

  /// Adds bytes to the value.
  final void append(byte[] bytes, int start, int end) {
    int count = end - start;
    if (values.length - byteSize < count) {
      values = Arrays.copyOf(values, Math.max(byteSize + count, 2 * values.length));
    }
    System.arraycopy(bytes, start, values, byteSize, count);
    byteSize += count;
  }

  /// Ends the value.
  final void end() {
    offsets.end(length, byteSize);
  }

  @Override
  void addEmpty() {
    end();
  }

  @Override
  List<MemorySegment> buffers(SegmentAllocator allocator) {
    return List.of(offsets.buffer(length, allocator), copied(allocator));
  }

  private MemorySegment copied(SegmentAllocator allocator) {
    MemorySegment copy = allocator.allocate(byteSize, Long.BYTES);
    MemorySegment.copy(MemorySegment.ofArray(values), 0, copy, 0, byteSize);
    return copy;
  }
}
