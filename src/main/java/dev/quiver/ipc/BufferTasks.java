package dev.quiver.ipc;

import dev.quiver.parallel.TaskQueue;
import java.util.ArrayList;
import java.util.List;

/// Tasks of one body in the order of its buffers, small ones together, so that each part of the
/// lane is worth waking somebody.
final class BufferTasks {

  /// From so many bytes of content on a part is large enough.
  static final long PART_BYTE_SIZE = 128 << 10;

  private static final long LAST_PART_BYTE_SIZE = 16 << 10;

  private final TaskQueue lane;
  private final List<TaskQueue.Entry> parts = new ArrayList<>();
  private List<BufferTask> group = new ArrayList<>();
  private long groupByteSize;

  BufferTasks(TaskQueue lane) {
    this.lane = lane;
  }

  void add(BufferTask task) {
    group.add(task);
    groupByteSize += task.byteSize();
    if (groupByteSize >= PART_BYTE_SIZE) {
      addPart();
    }
  }

  /// Lets others begin the tasks that are left, too, unless these are no work.
  void addLast() {
    if (groupByteSize >= LAST_PART_BYTE_SIZE) {
      addPart();
    }
  }

  /// Returns when all tasks have run. What the first of those that fail throws is thrown as it is.
  void await() {
    parts.forEach(TaskQueue.Entry::await);
    group.forEach(BufferTask::run);
    group.clear();
  }

  private void addPart() {
    List<BufferTask> tasks = group;
    parts.add(lane.add(() -> tasks.forEach(BufferTask::run)));
    group = new ArrayList<>();
    groupByteSize = 0;
  }
}
