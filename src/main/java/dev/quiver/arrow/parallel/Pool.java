package dev.quiver.arrow.parallel;

import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Idle objects that are costly to create, each for one user at a time. The one returned last is
/// taken first, since the processor's caches still hold it. Shared by threads.
///
/// A pool never blocks: a user that finds it empty creates an object, and a full pool closes what
/// is returned. Nothing is bound to a thread, so that virtual threads cost nothing. Memory that
/// several sizes compete for is in [NativePool].
public final class Pool<T> {

  private final LinkedBlockingDeque<T> idle;
  private final Consumer<T> closer;

  /// @param capacity the most objects that are idle at a time
  public Pool(int capacity, Consumer<T> closer) {
    this.idle = new LinkedBlockingDeque<>(capacity);
    this.closer = closer;
  }

  /// Takes an idle object.
  ///
  /// @return the object, or null if the pool is empty
  public @Nullable T poll() {
    return idle.pollFirst();
  }

  /// Returns an object for others to use, or closes it if the pool is full.
  public void giveBack(T object) {
    if (!idle.offerFirst(object)) {
      closer.accept(object);
    }
  }
}
