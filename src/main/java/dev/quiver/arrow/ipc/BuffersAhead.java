package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.TaskQueue;
import java.lang.foreign.SegmentAllocator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A read-ahead that decompresses upcoming buffers of a body on all processors while arrays are
/// built from earlier ones.
///
/// Errors in a buffer surface only at its turn, so the first of several errors is reported. Little
/// work is wasted until then: memory and time stay proportional to a few buffers, or to their input
/// bytes.
final class BuffersAhead implements AutoCloseable {

  /// The minimum body size for which reading ahead pays.
  static final long BODY_BYTE_SIZE_MINIMUM = 64 << 10;

  /// The maximum number of bytes decompressed ahead of their turn.
  private static final long AHEAD_BYTE_SIZE = 16 << 20;

  /// The compression ratio below which a buffer larger than [#AHEAD_BYTE_SIZE] may be decompressed
  /// ahead.
  private static final int MODERATE_RATIO = 16;

  private final BodyBuffers buffers;
  private final SegmentAllocator allocator;
  private final Limit ratio;
  private final TaskQueue queue = CpuPool.PROCESS.queue();
  private final Map<Integer, Ahead> tasks = new HashMap<>();
  private int position;
  private long aheadByteSize;

  private record Ahead(BufferTask task, TaskQueue.Entry part) {}

  /// @param ratio the maximum uncompressed bytes per byte of any buffer, regardless of its array's
  ///   needs
  BuffersAhead(BodyBuffers buffers, SegmentAllocator allocator, Limit ratio) {
    this.buffers = buffers;
    this.allocator = allocator;
    this.ratio = ratio;
  }

  /// Returns the finished task of a buffer whose turn has come, or null if it was not decompressed
  /// ahead.
  ///
  /// @param index the index of the buffer
  @Nullable BufferTask take(int index) {
    position = Math.max(position, index);
    fill();
    Ahead ahead = tasks.remove(index);
    if (ahead == null) {
      return null;
    }
    ahead.part.await();
    aheadByteSize -= ahead.task.byteSize();
    return ahead.task;
  }

  @Override
  public void close() {
    queue.close();
  }

  private void fill() {
    for (; position < buffers.count(); position++) {
      CompressedBuffer next = buffers.peek(position);
      if (next == null
          || next.contentByteSize() < BufferTasks.PART_BYTE_SIZE
          || !isModerate(next)) {
        continue;
      }
      boolean fits = aheadByteSize + next.contentByteSize() <= AHEAD_BYTE_SIZE;
      if (!fits && tasks.size() >= CpuPool.PROCESS.count()) {
        return;
      }
      BufferTask task = BufferTask.of(next, null, allocator);
      tasks.put(position, new Ahead(task, queue.add(task::run)));
      aheadByteSize += task.byteSize();
    }
  }

  private boolean isModerate(CompressedBuffer buffer) {
    long possible = buffer.contentByteSize() / buffer.frame().byteSize();
    return possible <= ratio.maximum()
        && (buffer.contentByteSize() <= AHEAD_BYTE_SIZE || possible < MODERATE_RATIO);
  }
}
