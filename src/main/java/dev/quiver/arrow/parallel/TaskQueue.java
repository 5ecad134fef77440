package dev.quiver.arrow.parallel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The tasks of one request, begun by the workers of a [CpuPool] in the order in which they were
/// added, and by the request's own thread whenever it would have to wait.
///
/// A request never waits for workers that other requests keep busy, however many tasks those have:
/// it runs its own tasks itself. Used by one thread, which bounds how many tasks wait at a time.
public final class TaskQueue implements AutoCloseable {

  private final CpuPool pool;

  /// The tasks that may still be in progress, and tasks that ended since the first of them was
  /// added.
  private final Deque<Entry> entries = new ArrayDeque<>();

  TaskQueue(CpuPool pool) {
    this.pool = pool;
  }

  /// Adds a task, which a worker may begin at once.
  ///
  /// @param work adds no tasks itself; memory confined to one thread reaches it by [CpuPool#lent]
  public Entry add(Runnable work) {
    Entry entry = new Entry(work);
    entries.add(entry);
    pool.execute(Cancellation.current().carried(entry::run));
    return entry;
  }

  /// Adds a task with a result, which a worker may begin at once.
  ///
  /// @param work as in [#add]
  public <R> Result<R> submit(Work<R> work) {
    return new Result<>(this, work);
  }

  /// A task with a result.
  public interface Work<R> {
    R run() throws IOException;
  }

  /// The result of a task.
  public static final class Result<R> {

    private final Entry entry;
    private @Nullable R value;

    private Result(TaskQueue queue, Work<R> work) {
      this.entry =
          queue.add(() -> {
            try {
              value = work.run();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }

    /// Returns the result as [Entry#await] does. Throws what the task threw.
    public R await() throws IOException {
      try {
        entry.await();
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      R present = value;
      if (present == null) {
        throw new IllegalStateException("A task has no result");
      }
      return present;
    }
  }

  /// Drops the tasks that have not begun, and waits for the others, even if they fail.
  @Override
  public void close() {
    entries.forEach(Entry::drop);
    entries.forEach(Entry::awaitEnd);
    entries.clear();
  }

  /// A task, which one thread runs.
  public final class Entry {

    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Runnable work;
    private @Nullable Throwable failure;

    private Entry(Runnable work) {
      this.work = work;
    }

    /// Returns when the task has ended. The caller runs it if no worker has begun it, and otherwise
    /// runs other tasks of the queue meanwhile. Throws what the task threw.
    public void await() {
      run();
      for (Entry other : entries) {
        if (hasEnded()) {
          break;
        }
        other.run();
      }
      awaitEnd();
      while (!entries.isEmpty() && entries.getFirst().hasEnded()) {
        entries.removeFirst();
      }
      switch (failure) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new AssertionError(failure);
      }
    }

    private boolean hasEnded() {
      return ended.getCount() == 0;
    }

    /// Runs the task, unless another thread has begun it.
    private void run() {
      if (!begun.compareAndSet(false, true)) {
        return;
      }
      try {
        if (work != null) {
          work.run();
        }
      } catch (RuntimeException | Error e) {
        failure = e;
      } finally {
        end();
      }
    }

    private void drop() {
      if (begun.compareAndSet(false, true)) {
        end();
      }
    }

    /// Releases the work, since the pool may hold this entry until a worker reaches it.
    private void end() {
      work = null;
      ended.countDown();
    }

    /// Postpones an interrupt, since memory is in use until the task has ended.
    private void awaitEnd() {
      boolean interrupted = false;
      while (!hasEnded()) {
        try {
          ended.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
