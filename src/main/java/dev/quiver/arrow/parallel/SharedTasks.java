package dev.quiver.arrow.parallel;

import dev.quiver.arrow.memory.TooLargeInputException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Tasks that threads with the same key share: one of them runs the task, and the others wait for
/// its result.
///
/// A thread shares a task only if it asks before the task begins, so no result is older than the
/// question. The threads that ask during a task share the next one. A task whose result never
/// becomes stale does not begin in this sense, and is shared until it ends. Shared by threads.
public final class SharedTasks<K, V> {

  /// The time after which a waiting thread checks again whether its own work is to end.
  private static final long LOOK_MILLIS = 250;

  /// The tasks that have not begun.
  private final Map<K, Shared> pending = new HashMap<>();

  /// A task, which calls [Progress#begin] before its first step if its result may become stale. Its
  /// [Cancellation] is requested once no thread wants its result anymore.
  public interface Task<V> {
    V run(Progress progress) throws IOException;
  }

  /// The state of a task, for the thread that runs it.
  public interface Progress {

    /// Notes that the first step begins.
    void begin();
  }

  /// Returns the result of a task, which this thread or another one runs.
  ///
  /// @throws CancelledException if the work of this thread is to end
  public V get(K key, Task<V> task) throws IOException {
    Cancellation own = Cancellation.current();
    Shared shared;
    boolean runs;
    synchronized (this) {
      Shared present = pending.get(key);
      runs = present == null;
      shared = present == null ? new Shared(key, own) : present;
      if (runs) {
        pending.put(key, shared);
      } else {
        shared.followers++;
      }
    }
    if (runs) {
      return shared.run(task);
    }
    try {
      return shared.await(own);
    } catch (OverloadedException | TooLargeInputException e) {
      if (shared.claimant.equals(Claimant.current())) {
        throw e;
      }
      // It was the share of another client that was full.
      return get(key, task);
    }
  }

  /// One task. Guarded by the whole, as far as threads share it.
  private final class Shared implements Progress {

    private final K key;
    private final Claimant claimant = Claimant.current();
    private final Cancellation ofRunner;
    private int followers;
    private boolean ended;
    private @Nullable V result;
    private @Nullable Throwable failure;

    Shared(K key, Cancellation ofRunner) {
      this.key = key;
      this.ofRunner = ofRunner;
    }

    V run(Task<V> task) throws IOException {
      try {
        V value = Cancellation.when(this::isUnwanted).call(() -> task.run(this));
        end(value, null);
        return value;
      } catch (IOException | RuntimeException | Error e) {
        end(null, e);
        throw e;
      }
    }

    /// Returns whether no thread wants the result anymore. Then no further one shares the task.
    private boolean isUnwanted() {
      boolean left = ofRunner.isRequested();
      synchronized (SharedTasks.this) {
        left &= followers == 0;
        if (left) {
          begin();
        }
        return left;
      }
    }

    @Override
    public void begin() {
      synchronized (SharedTasks.this) {
        pending.remove(key, this);
      }
    }

    private void end(@Nullable V value, @Nullable Throwable thrown) {
      synchronized (SharedTasks.this) {
        begin();
        result = value;
        failure = thrown;
        ended = true;
        SharedTasks.this.notifyAll();
      }
    }

    /// Waits for the result of the thread that runs the task.
    V await(Cancellation own) throws IOException {
      synchronized (SharedTasks.this) {
        try {
          while (!ended) {
            own.throwIfRequested();
            TimeUnit.MILLISECONDS.timedWait(SharedTasks.this, LOOK_MILLIS);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException();
        } finally {
          followers--;
        }
        return switch (failure) {
          case null -> Objects.requireNonNull(result);
          case IOException e -> throw e;
          case RuntimeException e -> throw e;
          case Error e -> throw e;
          default -> throw new AssertionError(failure);
        };
      }
    }
  }
}
