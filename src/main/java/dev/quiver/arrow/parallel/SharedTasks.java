package dev.quiver.arrow.parallel;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Tasks that threads with the same key share: one of them runs the task, and the others wait for
/// its result.
///
/// A thread shares a task only if it asks before the task begins, so no result is older than the
/// question. The threads that ask during a task share the next one. A task whose result never
/// becomes stale does not begin in this sense, and is shared until it ends. Shared by threads.
public final class SharedTasks<K, V> {

  /// How often a waiting thread looks whether it still wants the result.
  private static final long LOOK_MILLIS = 250;

  /// The tasks that have not begun.
  private final Map<K, Shared> pending = new HashMap<>();

  /// A task, which calls [Progress#begin] before its first step if its result may become stale.
  public interface Task<V> {
    V run(Progress progress) throws IOException;
  }

  /// The state of a task, for the thread that runs it.
  public interface Progress {

    /// Returns whether any thread still wants the result. Once it is false, no further thread
    /// shares the task.
    boolean isWanted();

    /// Notes that the first step begins.
    void begin();
  }

  /// Returns the result of a task, which this thread or another one runs.
  ///
  /// @param wanted returns whether this thread still wants the result
  /// @return the result, or null if this thread does not want it anymore
  public @Nullable V get(K key, BooleanSupplier wanted, Task<V> task)
      throws IOException, InterruptedException {
    Shared shared;
    boolean runs;
    synchronized (this) {
      Shared present = pending.get(key);
      runs = present == null;
      shared = present == null ? new Shared(key, wanted) : present;
      if (runs) {
        pending.put(key, shared);
      } else {
        shared.followers++;
      }
    }
    return runs ? shared.run(task) : shared.await(wanted);
  }

  /// One task. Guarded by the whole, as far as threads share it.
  private final class Shared implements Progress {

    private final K key;
    private final BooleanSupplier wantedByRunner;
    private int followers;
    private boolean ended;
    private @Nullable V result;
    private @Nullable Throwable failure;

    Shared(K key, BooleanSupplier wantedByRunner) {
      this.key = key;
      this.wantedByRunner = wantedByRunner;
    }

    V run(Task<V> task) throws IOException {
      try {
        V value = task.run(this);
        end(value, null);
        return value;
      } catch (IOException | RuntimeException | Error e) {
        end(null, e);
        throw e;
      }
    }

    @Override
    public boolean isWanted() {
      boolean wanted = wantedByRunner.getAsBoolean();
      synchronized (SharedTasks.this) {
        wanted |= followers > 0;
        if (!wanted) {
          begin();
        }
        return wanted;
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
    @Nullable V await(BooleanSupplier wanted) throws IOException, InterruptedException {
      synchronized (SharedTasks.this) {
        try {
          while (!ended && wanted.getAsBoolean()) {
            TimeUnit.MILLISECONDS.timedWait(SharedTasks.this, LOOK_MILLIS);
          }
        } finally {
          followers--;
        }
        return switch (failure) {
          case null -> result;
          case IOException e -> throw e;
          case RuntimeException e -> throw e;
          case Error e -> throw e;
          default -> throw new AssertionError(failure);
        };
      }
    }
  }
}
