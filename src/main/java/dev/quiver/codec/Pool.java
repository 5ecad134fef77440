package dev.quiver.codec;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// Things that are costly to make and that one thread at a time may use.
///
/// As many are kept, for ever, as there are processors; when more threads are at work, those make
/// their own and close them. Nothing is bound to a thread, so that virtual ones cost nothing.
final class Pool<T> {

  private final ArrayBlockingQueue<T> idle;
  private final Supplier<T> factory;
  private final Consumer<T> closer;

  Pool(int capacity, Supplier<T> factory, Consumer<T> closer) {
    this.idle = new ArrayBlockingQueue<>(capacity);
    this.factory = factory;
    this.closer = closer;
  }

  /// Does `work` with one that nobody else has meanwhile. One that the work fails with is closed,
  /// since nobody knows its state.
  long use(ToLongFunction<T> work) {
    T taken = idle.poll();
    T used = taken == null ? factory.get() : taken;
    boolean kept = false;
    try {
      long result = work.applyAsLong(used);
      kept = idle.offer(used);
      return result;
    } finally {
      if (!kept) {
        closer.accept(used);
      }
    }
  }
}
