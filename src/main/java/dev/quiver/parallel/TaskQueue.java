package dev.quiver.parallel;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Parts of one request's work, begun in the order in which they were added, by workers and by the
/// request's own thread whenever it would have to wait. See [CpuPool].
///
/// Used by one thread, which bounds how many parts there are at a time.
public final class TaskQueue implements AutoCloseable {

  private final CpuPool cores;
  private final Queue<Entry> waiting = new ArrayDeque<>();

  /// Workers that have this lane among those whose turn comes.
  private int turns;

  private int running;

  /// What the request's thread waits for; it is not woken for others.
  private @Nullable Entry awaited;

  TaskQueue(CpuPool cores) {
    this.cores = cores;
  }

  /// Adds a part, which a worker may begin at once.
  ///
  /// @param work uses no lane itself; memory that belongs to one thread reaches it by
  ///   [CpuPool#lent]
  public Entry add(Runnable work) {
    Entry part = new Entry(work);
    boolean more;
    synchronized (this) {
      waiting.add(part);
      more = turns < cores.workerCount();
      turns += more ? 1 : 0;
    }
    if (more) {
      cores.execute(this::takeTurn);
    }
    return part;
  }

  /// Forgets the parts that nobody has begun, and waits for the others, whatever becomes of them.
  @Override
  public synchronized void close() {
    waiting.clear();
    awaitChange(() -> running == 0);
  }

  /// Does one part. Then it is the other lanes' turn.
  private void takeTurn() {
    Entry part = poll();
    if (part != null) {
      part.run();
    }
    synchronized (this) {
      if (waiting.isEmpty()) {
        turns--;
        return;
      }
    }
    cores.execute(this::takeTurn);
  }

  private synchronized @Nullable Entry poll() {
    Entry part = waiting.poll();
    running += part == null ? 0 : 1;
    return part;
  }

  private interface Condition {
    boolean holds();
  }

  /// An interrupt is left for later: memory is in use until the parts are done.
  private synchronized void awaitChange(Condition condition) {
    boolean interrupted = false;
    while (!condition.holds()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// What one thread does at a time.
  public final class Entry {

    private final Runnable work;
    private boolean done;
    private @Nullable Throwable failure;

    private Entry(Runnable work) {
      this.work = work;
    }

    /// Returns when this is done, if need be by whoever waits, who does other parts as long as
    /// somebody else is at this one. What the work threw is thrown as it is.
    public void await() {
      for (Entry part = nextUntilDone(); part != null; part = nextUntilDone()) {
        part.run();
      }
      switch (failure) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new AssertionError(failure);
      }
    }

    /// What is to be begun before this is done: this itself, or else what waits for the longest.
    private @Nullable Entry nextUntilDone() {
      synchronized (TaskQueue.this) {
        if (waiting.remove(this)) {
          running++;
          return this;
        }
        Entry part = done ? null : poll();
        if (part == null) {
          awaited = this;
          awaitChange(() -> done);
          awaited = null;
        }
        return part;
      }
    }

    private void run() {
      Throwable thrown = null;
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        thrown = e;
      }
      synchronized (TaskQueue.this) {
        failure = thrown;
        done = true;
        running--;
        if (awaited == this || running == 0) {
          TaskQueue.this.notifyAll();
        }
      }
    }
  }
}
