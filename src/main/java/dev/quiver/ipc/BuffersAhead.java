package dev.quiver.ipc;

import dev.quiver.input.Limit;
import dev.quiver.parallel.CpuPool;
import dev.quiver.parallel.TaskQueue;
import java.lang.foreign.SegmentAllocator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decompresses the buffers of a body that come next, on all processors, while arrays are made of
/// those before.
///
/// What is wrong with a buffer shows when its turn comes, so that the first of several findings is
/// the one that is told. Until then little is done in vain: neither memory nor time goes beyond
/// what the size of a few buffers, or the bytes that came of them, are worth.
final class BuffersAhead implements AutoCloseable {

  /// Smaller bodies are not worth it.
  static final long BODY_BYTE_SIZE_MINIMUM = 64 << 10;

  /// How many bytes may be decompressed that nobody has asked for yet.
  private static final long AHEAD_BYTE_SIZE = 16 << 20;

  /// A buffer that is larger is decompressed ahead if it grows by no more than this.
  private static final int MODERATE_RATIO = 16;

  private final BodyBuffers buffers;
  private final SegmentAllocator allocator;
  private final Limit ratio;
  private final TaskQueue lane = CpuPool.PROCESS.queue();
  private final Map<Integer, Ahead> tasks = new HashMap<>();
  private int position;
  private long aheadByteSize;

  private record Ahead(BufferTask task, TaskQueue.Entry part) {}

  /// @param ratio uncompressed bytes per byte that any buffer may have, whatever its array needs
  BuffersAhead(BodyBuffers buffers, SegmentAllocator allocator, Limit ratio) {
    this.buffers = buffers;
    this.allocator = allocator;
    this.ratio = ratio;
  }

  /// What has decompressed a buffer, or null when nobody has.
  ///
  /// @param index of the buffer, whose turn has come
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
    lane.close();
  }

  private void fill() {
    for (; position < buffers.count(); position++) {
      CompressedBuffer next = buffers.peek(position);
      if (next == null || next.contentByteSize() < BufferTasks.PART_BYTE_SIZE || !isModest(next)) {
        continue;
      }
      boolean fits = aheadByteSize + next.contentByteSize() <= AHEAD_BYTE_SIZE;
      if (!fits && tasks.size() >= CpuPool.PROCESS.count()) {
        return;
      }
      BufferTask task = BufferTask.of(next, null, allocator);
      tasks.put(position, new Ahead(task, lane.add(task::run)));
      aheadByteSize += task.byteSize();
    }
  }

  private boolean isModest(CompressedBuffer buffer) {
    long possible = buffer.contentByteSize() / buffer.frame().byteSize();
    return possible <= ratio.maximum()
        && (buffer.contentByteSize() <= AHEAD_BYTE_SIZE || possible < MODERATE_RATIO);
  }
}
