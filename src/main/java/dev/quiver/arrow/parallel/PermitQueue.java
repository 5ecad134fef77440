package dev.quiver.arrow.parallel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A number of permits, given in the order in which threads ask for them. Shared by threads.
///
/// Work that needs a permit several times asks for the later ones with [#acquireAgain]: once it has
/// begun, it is never turned away, and goes before work that has not.
///
/// A waiting thread looks now and then whether its work is still wanted, and otherwise leaves
/// without a permit. With a fair semaphore, a thread that stops waiting to look loses its place.
public final class PermitQueue {

  /// How often a waiting thread looks whether its work is still wanted.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /// About as long as nanoseconds can be counted.
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final Lock lock = new ReentrantLock();

  /// A condition for each waiting thread, signalled when its turn may have come.
  private final Deque<Condition> waiting = new ArrayDeque<>();

  /// The same for threads that have had a permit before. They come first.
  private final Deque<Condition> returning = new ArrayDeque<>();

  private int available;

  public PermitQueue(int permits) {
    this.available = permits;
  }

  /// Waits for a permit.
  ///
  /// @param lengthMaximum the number of waiting threads above which this one does not wait
  /// @param patience how long to wait
  /// @param wanted returns whether the work of this thread is still wanted. It is asked only if the
  ///   thread has to wait, and then a last time before it gets a permit
  /// @return whether the caller has a permit, which it must [#release]
  public boolean acquire(long lengthMaximum, Duration patience, BooleanSupplier wanted)
      throws InterruptedException {
    return acquire(waiting, lengthMaximum, patience, wanted);
  }

  /// Waits for a permit as long as that takes.
  ///
  /// @param wanted as above
  /// @return whether the caller has a permit, which it must [#release]; false only if the work is
  ///   no longer wanted
  public boolean acquire(BooleanSupplier wanted) throws InterruptedException {
    return acquire(waiting, Long.MAX_VALUE, FOREVER, wanted);
  }

  /// Waits for a further permit of work that has had one before.
  ///
  /// @param wanted returns whether the work of this thread is still wanted
  /// @return whether the caller has a permit, which it must [#release]; false only if the work is
  ///   no longer wanted
  public boolean acquireAgain(BooleanSupplier wanted) throws InterruptedException {
    return acquire(returning, Long.MAX_VALUE, FOREVER, wanted);
  }

  private boolean acquire(
      Deque<Condition> queue, long lengthMaximum, Duration patience, BooleanSupplier wanted)
      throws InterruptedException {
    Condition turn = lock.newCondition();
    lock.lock();
    try {
      if (first() == null && available > 0) {
        available--;
        return true;
      }
      if (queue.size() >= lengthMaximum) {
        return false;
      }
      queue.add(turn);
    } finally {
      lock.unlock();
    }
    long end = System.nanoTime() + patience.toNanos();
    boolean acquired = false;
    try {
      long nanos = patience.toNanos();
      while (!acquired && nanos >= 0 && wanted.getAsBoolean()) {
        acquired = tryTake(turn, nanos);
        nanos = end - System.nanoTime();
      }
    } finally {
      leave(turn);
    }
    return acquired;
  }

  /// Returns the turn that is next, or null if no thread waits.
  private @Nullable Condition first() {
    Condition first = returning.peekFirst();
    return first == null ? waiting.peekFirst() : first;
  }

  /// Takes a permit if the thread is the first of the queue, or waits until it may be.
  private boolean tryTake(Condition turn, long nanos) throws InterruptedException {
    lock.lock();
    try {
      boolean isTurn = available > 0 && first() == turn;
      if (isTurn) {
        available--;
      } else {
        turn.awaitNanos(Math.min(nanos, LOOK_NANOS));
      }
      return isTurn;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Condition turn) {
    lock.lock();
    try {
      waiting.remove(turn);
      returning.remove(turn);
      signalFirst();
    } finally {
      lock.unlock();
    }
  }

  /// Returns the number of permits that no thread has.
  public int available() {
    lock.lock();
    try {
      return available;
    } finally {
      lock.unlock();
    }
  }

  /// Returns the number of threads that wait for a permit.
  public int waitingCount() {
    lock.lock();
    try {
      return waiting.size() + returning.size();
    } finally {
      lock.unlock();
    }
  }

  /// Gives a permit back.
  public void release() {
    lock.lock();
    try {
      available++;
      signalFirst();
    } finally {
      lock.unlock();
    }
  }

  private void signalFirst() {
    Condition first = first();
    if (first != null && available > 0) {
      first.signal();
    }
  }
}
