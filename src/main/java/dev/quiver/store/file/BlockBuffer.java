package dev.quiver.store.file;

import dev.quiver.arrow.parallel.Pool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The block of which a part was read last, among the blobs of a version. Its users hold its lock.
///
/// Its memory is native if possible: the operating system reads into it without a copy, and the
/// last reader of a version has left it in the processor's caches.
final class BlockBuffer {

  /// The size up to which memory is native.
  private static final int NATIVE_BYTE_SIZE = 64 << 10;

  /// The maximum number of native buffers. Readers that wait for slow clients may hold more
  /// buffers, which are arrays, since native memory is scarcer than the heap.
  private static final int NATIVE_COUNT_MAXIMUM = 64;

  private static final AtomicInteger NATIVE_COUNT = new AtomicInteger();

  /// Native memory without a user.
  private static final Pool<MemorySegment> IDLE = new Pool<>(NATIVE_COUNT_MAXIMUM, _ -> {});

  private MemorySegment memory = MemorySegment.NULL;
  private @Nullable CheckedBlob owner;
  private int index;

  /// Returns memory that begins with the bytes of a block, or null if another block is kept.
  @Nullable MemorySegment find(CheckedBlob blob, int blockIndex) {
    return owner == blob && index == blockIndex ? memory : null;
  }

  /// Drops the block, and returns memory for another one.
  MemorySegment reserve(long byteSize) {
    owner = null;
    if (memory.byteSize() < byteSize) {
      release();
      memory = byteSize <= NATIVE_BYTE_SIZE ? small() : array(byteSize);
    }
    return memory.asSlice(0, byteSize);
  }

  /// Keeps the block that the memory has now.
  void keep(CheckedBlob blob, int blockIndex) {
    owner = blob;
    index = blockIndex;
  }

  private static MemorySegment small() {
    MemorySegment idle = IDLE.poll();
    if (idle != null) {
      return idle;
    }
    int count = NATIVE_COUNT.getAndUpdate(n -> Math.min(n + 1, NATIVE_COUNT_MAXIMUM));
    return count < NATIVE_COUNT_MAXIMUM
        ? Arena.ofAuto().allocate(NATIVE_BYTE_SIZE)
        : array(NATIVE_BYTE_SIZE);
  }

  private static MemorySegment array(long byteSize) {
    return MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]);
  }

  /// Drops the block, and leaves native memory to others.
  synchronized void release() {
    if (memory.isNative() && memory.byteSize() > 0) {
      IDLE.giveBack(memory);
    }
    memory = MemorySegment.NULL;
    owner = null;
  }
}
