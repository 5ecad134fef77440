package dev.quiver.web.response;

import dev.quiver.memory.Pool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Memory that a body is collected in, outside of the heap, from where channels read and write.
///
/// It is there from its first use to its [#release]: who waits for a slow client should hold
/// nothing that is empty.
public final class BodyBuffer implements AutoCloseable {

  private static final int ALIGNMENT = 64;

  /// How many are kept for others at most.
  private static final int IDLE_COUNT_MAXIMUM = 256;

  /// The garbage collector frees the memory that finds no room here.
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

  /// Forgets what is in it.
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
