package dev.quiver.sql.worker;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Memory for the decompressed buffers of one batch at a time. Closing it gives the memory to the
/// next batch, whose content is undefined at first.
final class BatchMemory implements SegmentAllocator, AutoCloseable {

  private static final long SLAB_BYTE_SIZE = 4 << 20;

  /// The memory that no batch uses, shared by threads.
  static final class Pool {

    private final Arena arena;
    private final Deque<List<MemorySegment>> free = new ArrayDeque<>();

    /// @param arena owns all memory
    Pool(Arena arena) {
      this.arena = arena;
    }

    BatchMemory take() {
      List<MemorySegment> slabs;
      synchronized (free) {
        slabs = free.poll();
      }
      return new BatchMemory(this, slabs == null ? new ArrayList<>() : slabs);
    }
  }

  private final Pool pool;
  private final List<MemorySegment> slabs;
  private int slab;
  private long position;

  private BatchMemory(Pool pool, List<MemorySegment> slabs) {
    this.pool = pool;
    this.slabs = slabs;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    while (slab < slabs.size()) {
      long start = position + byteAlignment - 1 & -byteAlignment;
      if (byteSize <= slabs.get(slab).byteSize() - start) {
        position = start + byteSize;
        return slabs.get(slab).asSlice(start, byteSize);
      }
      slab++;
      position = 0;
    }
    slabs.add(pool.arena.allocate(Math.max(byteSize, SLAB_BYTE_SIZE), 64));
    position = byteSize;
    return slabs.getLast().asSlice(0, byteSize);
  }

  @Override
  public void close() {
    synchronized (pool.free) {
      pool.free.push(slabs);
    }
  }
}
