package dev.quiver.foreign.parquet.read;

import dev.quiver.foreign.ForeignDataException;
import dev.quiver.memory.ScratchMemory;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Memory for arrays, limited, since a few bytes of a file can stand for very many values.
final class BoundedMemory implements SegmentAllocator, Closeable {

  /// Most arrays have far less: only a row with large values, or with many, exceeds the size after
  /// which a piece ends.
  static final long BYTE_SIZE_MAXIMUM = 512 << 20;

  private final ScratchMemory memory;

  BoundedMemory(ScratchMemory memory) {
    this.memory = memory;
  }

  /// @throws ForeignDataException if the limit is exceeded
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (byteSize > BYTE_SIZE_MAXIMUM - memory.usedByteSize()) {
      throw ForeignDataException.of(
          "Expected rows whose columns take at most %,d bytes at a time but found larger ones"
              .formatted(BYTE_SIZE_MAXIMUM));
    }
    return memory.allocate(byteSize, byteAlignment);
  }

  /// Releases all allocations.
  void reset() {
    memory.reset();
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
