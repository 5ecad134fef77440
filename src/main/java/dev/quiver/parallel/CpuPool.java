package dev.quiver.parallel;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The processors, for work that is worth more than one of them.
///
/// Work comes in [TaskQueue]s, one for each request, which share the processors in turn, part by
/// part. Whoever waits for a part does parts of the same lane meanwhile: there is one worker less
/// than there are processors, work goes on when all others are busy, and nobody waits for a thread
/// that waits for him.
public final class CpuPool {

  /// Those of the process.
  public static final CpuPool PROCESS = new CpuPool(Runtime.getRuntime().availableProcessors());

  private static final int IDLE_SECONDS = 30;

  private final int count;
  private final @Nullable ThreadPoolExecutor workers;

  /// @param count with one, all is done by those who wait
  public CpuPool(int count) {
    this.count = count;
    this.workers = count == 1 ? null : workers(count - 1);
  }

  public int count() {
    return count;
  }

  /// A lane without work.
  public TaskQueue queue() {
    return new TaskQueue(this);
  }

  /// The same bytes for whichever thread does a part of a lane, also when they belong to one thread
  /// alone. The owner must not end their life before the lane is closed or the part awaited.
  public static MemorySegment lent(MemorySegment segment) {
    if (!segment.isNative()) {
      return segment;
    }
    MemorySegment lent = MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize());
    return segment.isReadOnly() ? lent.asReadOnly() : lent;
  }

  /// How many others there are to begin parts.
  int workerCount() {
    return count - 1;
  }

  void execute(Runnable turn) {
    if (workers == null) {
      throw new IllegalStateException("There are no workers");
    }
    workers.execute(turn);
  }

  private static ThreadPoolExecutor workers(int count) {
    ThreadPoolExecutor workers =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform()
                .daemon()
                .name("core-", 1)
                .inheritInheritableThreadLocals(false)
                .factory());
    workers.allowCoreThreadTimeOut(true);
    return workers;
  }
}
