package dev.quiver.arrow.parallel;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A pool with one worker fewer than processors, for requests with work for several threads.
///
/// Each request adds its tasks to a [TaskQueue], and runs them itself while it waits for one. So
/// work continues when all workers are busy, and threads never wait for each other in a cycle.
///
/// The workers run tasks in the order in which all requests added them. Turns among the requests
/// make no difference where each request helps itself: beside eight large recompressions, one of
/// 512 KiB takes 0.99 times as long as with turns, and one of 4 MiB 1.01 times (medians of 13 and 7
/// rounds, two processors). With a [ForkJoinPool] these take 1.08 and 1.07 times as long; nor can it
/// wait for a canceled task that still runs, whose memory is about to be freed. One recompression
/// alone takes the same processor time with any of the three.
///
/// [ForkJoinPool]: java.util.concurrent.ForkJoinPool
public final class CpuPool {

  /// The pool of the process.
  public static final CpuPool PROCESS = new CpuPool(Runtime.getRuntime().availableProcessors());

  /// A pool without workers: each request runs all of its tasks itself.
  public static final CpuPool SINGLE = new CpuPool(1);

  private static final int IDLE_SECONDS = 30;

  private final int count;
  private final @Nullable ThreadPoolExecutor workers;

  /// @param count processors; with one, each request runs all of its tasks itself
  public CpuPool(int count) {
    this.count = count;
    this.workers = count == 1 ? null : workers(count - 1);
  }

  /// Returns the number of processors.
  public int count() {
    return count;
  }

  /// Returns a queue without tasks.
  public TaskQueue queue() {
    return new TaskQueue(this);
  }

  /// Returns the same bytes, usable by any thread even if the segment is confined. The owner must
  /// not free them before the task that uses them is awaited, or its queue closed.
  public static MemorySegment lent(MemorySegment segment) {
    if (!segment.isNative()) {
      return segment;
    }
    MemorySegment lent = MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize());
    return segment.isReadOnly() ? lent.asReadOnly() : lent;
  }

  void execute(Runnable task) {
    if (workers != null) {
      workers.execute(task);
    }
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
