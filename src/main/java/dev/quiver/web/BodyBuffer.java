package dev.quiver.web;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/// Memory that a body is collected in, outside of the heap, from where channels read and write.
///
/// As many are kept as were ever used at once, which the threads of the service bound.
record BodyBuffer(MemorySegment memory) implements AutoCloseable {

  private static final int ALIGNMENT = 64;

  private static final Deque<MemorySegment> IDLE = new ConcurrentLinkedDeque<>();

  static BodyBuffer take() {
    MemorySegment idle = IDLE.pollFirst();
    return new BodyBuffer(
        idle == null ? Arena.ofAuto().allocate(BodyWriter.WRITE_BYTES, ALIGNMENT) : idle);
  }

  @Override
  public void close() {
    IDLE.addFirst(memory);
  }
}
