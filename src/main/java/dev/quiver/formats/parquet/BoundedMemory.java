package dev.quiver.formats.parquet;

import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.formats.ForeignDataException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Memory for arrays within the budget of their file. Used by one thread at a time.
public final class BoundedMemory implements SegmentAllocator, Closeable {

  private final ScratchMemory memory;
  private final ArrayBudget budget;
  private long takenByteSize;

  BoundedMemory(ScratchMemory memory, ArrayBudget budget) {
    this.memory = memory;
    this.budget = budget;
  }

  /// @throws ForeignDataException if the budget is exhausted
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    budget.take(byteSize);
    takenByteSize += byteSize;
    return memory.allocate(byteSize, byteAlignment);
  }

  /// Releases all allocations.
  public void reset() {
    memory.reset();
    budget.take(-takenByteSize);
    takenByteSize = 0;
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
