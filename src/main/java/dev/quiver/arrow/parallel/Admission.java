package dev.quiver.arrow.parallel;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A number of permits, given in the order in which threads ask for them. Shared by threads.
///
/// Work that would wait in too long a queue, or for too long, is rejected. Work that needs a permit
/// several times asks for the later ones with [#enterAgain]: once it has begun, it is never
/// rejected, and goes before work that has not.
///
/// A waiting thread looks now and then whether its [Cancellation] is requested, and then leaves
/// without a permit. With a fair semaphore, a thread that stops waiting to look loses its place.
public final class Admission {

  /// The time after which a waiting thread checks again whether its work is to end.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /// About as long as nanoseconds can be counted.
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final String rejection;
  private final int permits;
  private final long queueMaximum;
  private final Duration patience;
  private final Lock lock = new ReentrantLock();

  /// A condition for each waiting thread, signalled when its turn may have come.
  private final Deque<Condition> waiting = new ArrayDeque<>();

  /// The conditions of threads that have had a permit before. They come first.
  private final Deque<Condition> returning = new ArrayDeque<>();

  private int available;

  /// The permission to do work, until it is closed.
  @FunctionalInterface
  public interface Permit extends AutoCloseable {

    /// The permission of work that is not limited.
    Permit UNLIMITED = () -> {};

    /// Gives the permit back. Has no effect after the first call.
    @Override
    void close();
  }

  /// @param rejection the sentence of the exception for work that is rejected
  /// @param queueMaximum the number of waiting threads above which a further one is rejected
  /// @param patience how long a thread waits before it is rejected
  public Admission(String rejection, int permits, long queueMaximum, Duration patience) {
    this.rejection = rejection;
    this.permits = permits;
    this.queueMaximum = queueMaximum;
    this.patience = patience;
    this.available = permits;
  }

  /// Returns permits for work that is never rejected.
  public static Admission ofPatient(int permits) {
    return new Admission("", permits, Long.MAX_VALUE, FOREVER);
  }

  /// Waits for a permit.
  ///
  /// @throws OverloadedException if too many threads wait, or this one for too long
  /// @throws CancelledException if the work is to end before it begins
  public Permit enter() throws InterruptedIOException {
    return enter(rejection);
  }

  /// Waits for a permit as [#enter()] does.
  ///
  /// @param sentence of the exception if the work is rejected
  public Permit enter(String sentence) throws InterruptedIOException {
    if (!acquire(waiting, queueMaximum, patience)) {
      throw new OverloadedException(sentence);
    }
    return new Taken();
  }

  /// Waits for a permit as long as that takes.
  ///
  /// @throws CancelledException if the work is to end before it begins
  public Permit enterPatiently() throws InterruptedIOException {
    var _ = acquire(waiting, Long.MAX_VALUE, FOREVER);
    return new Taken();
  }

  /// Waits for a further permit of work that has had one before.
  ///
  /// @throws CancelledException if the work is to end
  public Permit enterAgain() throws InterruptedIOException {
    var _ = acquire(returning, Long.MAX_VALUE, FOREVER);
    return new Taken();
  }

  /// @return false if the work is rejected
  private boolean acquire(Deque<Condition> queue, long lengthMaximum, Duration time)
      throws InterruptedIOException {
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
    try {
      return await(turn, time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } finally {
      leave(turn);
    }
  }

  /// Waits for a turn. The cancellation is asked a last time before the thread gets a permit.
  private boolean await(Condition turn, long patienceNanos) throws InterruptedException {
    Cancellation cancellation = Cancellation.current();
    long end = System.nanoTime() + patienceNanos;
    for (long nanos = patienceNanos; nanos >= 0; nanos = end - System.nanoTime()) {
      cancellation.throwIfRequested();
      if (tryTake(turn, nanos)) {
        return true;
      }
    }
    return false;
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

  /// Returns the number of permits that no work has.
  public int available() {
    lock.lock();
    try {
      return available;
    } finally {
      lock.unlock();
    }
  }

  /// Returns the number of permits that work has.
  public int takenCount() {
    return permits - available();
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

  private void release() {
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

  /// A permit, which is given back once.
  private final class Taken implements Permit {

    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public void close() {
      if (!closed.getAndSet(true)) {
        release();
      }
    }
  }
}
