package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;

/// Text and binary values that lie one after the other: delimited by offsets, or of a fixed size.
///
/// If the memory may be freed early, all bytes of the slots are copied at once into memory of the
/// vector, and the references point there.
final class BytesFiller extends VectorFiller {

  private final MemorySegment data;
  private final long dataAddress;
  private final long dataByteSize;
  private final MemorySegment offsets;
  private final int offsetByteSize;
  private final int fixedByteSize;
  private final boolean copies;

  BytesFiller(ArrayData array, Vectors vectors, boolean copies) {
    super(array, vectors);
    this.data = array.buffer(DATA);
    this.dataByteSize = data.byteSize();
    this.dataAddress = NativeMemory.address(data, 0, dataByteSize);
    this.copies = copies;
    int index = array.layout().indexOf(OFFSETS);
    this.offsets = index < 0 ? MemorySegment.NULL : array.buffers().get(index);
    this.offsetByteSize =
        index < 0 ? 0 : (int) (array.layout().buffers().get(index).bitWidth() >>> 3);
    this.fixedByteSize =
        array.field().type() instanceof ArrowType.FixedSizeBinary(int byteWidth) ? byteWidth : 0;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long first = start(slot);
    long byteSize = start(slot + count) - first;
    long base = dataAddress;
    if (copies && byteSize > StringReferences.INLINE_BYTE_SIZE_MAX) {
      base = Staging.copy(data.asSlice(first, byteSize), vectors, vector, row) - first;
    }
    long target = vectors.data(vector) + row * StringReferences.BYTE_SIZE;
    switch (offsetByteSize) {
      case 0 -> fillFixed(slot, count, target, base);
      case Integer.BYTES -> fill32(slot, count, target, base);
      default -> fill64(slot, count, target, base);
    }
  }

  private void fill32(long slot, int count, long target, long base) {
    long source = NativeMemory.address(offsets, slot << 2, count + 1L << 2);
    int end = NativeMemory.getInt32(source);
    for (int i = 0; i < count; i++) {
      int start = end;
      end = NativeMemory.getInt32(source + (i + 1L << 2));
      set(target, i, start, (long) end - start, base);
    }
  }

  private void fill64(long slot, int count, long target, long base) {
    long source = NativeMemory.address(offsets, slot << 3, count + 1L << 3);
    long end = NativeMemory.getInt64(source);
    for (int i = 0; i < count; i++) {
      long start = end;
      end = NativeMemory.getInt64(source + (i + 1L << 3));
      set(target, i, start, end - start, base);
    }
  }

  private void fillFixed(long slot, int count, long target, long base) {
    for (int i = 0; i < count; i++) {
      set(target, i, (slot + i) * fixedByteSize, fixedByteSize, base);
    }
  }

  private void set(long target, int index, long start, long byteSize, long base) {
    // The engine would read any bytes beyond, so damaged offsets must not pass.
    long available = dataByteSize - start;
    if ((start | byteSize | available - byteSize | Integer.MAX_VALUE - byteSize) < 0) {
      throw new ConversionException(
          "Expected a value of at most %d bytes within its buffer but found %d at %d in column %s"
              .formatted(Integer.MAX_VALUE, byteSize, start, array.field().name()));
    }
    StringReferences.set(
        target + (long) index * StringReferences.BYTE_SIZE,
        dataAddress + start,
        available,
        (int) byteSize,
        base + start);
  }

  private long start(long slot) {
    return switch (offsetByteSize) {
      case 0 -> slot * fixedByteSize;
      case Integer.BYTES -> LittleEndian.getInt32(offsets, slot << 2);
      default -> LittleEndian.getInt64(offsets, slot << 3);
    };
  }
}
