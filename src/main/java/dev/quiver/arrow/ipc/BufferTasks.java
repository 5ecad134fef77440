package dev.quiver.arrow.ipc;

import dev.quiver.arrow.parallel.TaskQueue;
import java.util.ArrayList;
import java.util.List;

/// The tasks of one body in buffer order. Small ones are grouped, so that each queue entry is worth
/// waking a thread.
final class BufferTasks {

  /// The minimum content size of a queue entry, in bytes.
  static final long PART_BYTE_SIZE = 128 << 10;

  private static final long LAST_PART_BYTE_SIZE = 16 << 10;

  private final TaskQueue queue;
  private final List<TaskQueue.Entry> parts = new ArrayList<>();
  private List<BufferTask> group = new ArrayList<>();
  private long groupByteSize;

  BufferTasks(TaskQueue queue) {
    this.queue = queue;
  }

  void add(BufferTask task) {
    group.add(task);
    groupByteSize += task.byteSize();
    if (groupByteSize >= PART_BYTE_SIZE) {
      addPart();
    }
  }

  /// Queues the remaining tasks, unless they are too small to share.
  void addLast() {
    if (groupByteSize >= LAST_PART_BYTE_SIZE) {
      addPart();
    }
  }

  /// Returns once all tasks have run. If tasks fail, rethrows the first failure unchanged.
  void await() {
    parts.forEach(TaskQueue.Entry::await);
    group.forEach(BufferTask::run);
    group.clear();
  }

  private void addPart() {
    List<BufferTask> tasks = group;
    parts.add(queue.add(() -> tasks.forEach(BufferTask::run)));
    group = new ArrayList<>();
    groupByteSize = 0;
  }
}
