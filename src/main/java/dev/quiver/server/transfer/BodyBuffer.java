package dev.quiver.server.transfer;

import dev.quiver.arrow.parallel.Pool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Off-heap memory that collects a body, for channels to read into and write from.
///
/// It is allocated on first use and freed by [#release], so that a response that waits for a slow
/// client holds no empty memory.
public final class BodyBuffer implements AutoCloseable {

  private static final int ALIGNMENT = 64;

  /// The maximum number of free buffers kept for other responses.
  private static final int IDLE_COUNT_MAXIMUM = 256;

  /// The free buffers. Those above the maximum are left to the garbage collector.
  private static final Pool<MemorySegment> IDLE = new Pool<>(IDLE_COUNT_MAXIMUM, _ -> {});

  private @Nullable MemorySegment memory;

  public MemorySegment memory() {
    MemorySegment present = memory;
    if (present == null) {
      MemorySegment idle = IDLE.poll();
      present = idle == null ? Arena.ofAuto().allocate(BodyWriter.WRITE_BYTES, ALIGNMENT) : idle;
      memory = present;
    }
    return present;
  }

  /// Returns the memory to the free buffers and drops its contents.
  void release() {
    if (memory != null) {
      IDLE.giveBack(memory);
      memory = null;
    }
  }

  @Override
  public void close() {
    release();
  }
}
