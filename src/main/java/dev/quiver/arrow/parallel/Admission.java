package dev.quiver.arrow.parallel;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A number of permits, shared fairly by [Claimant]s. Shared by threads.
///
/// The next permit is for a claimant that has as few as any other that waits, and among those for
/// the one whose last turn is longest ago: two claimants alternate, however many threads of each
/// wait. Of several permits, a quarter but at least one stays for others, unless the claimant is
/// alone, so that a short piece of work does not wait for a long one of another claimant. The
/// threads of one claimant get permits in the order in which they ask.
///
/// Work that would wait in too long a queue, or for too long, is rejected. If the queue is full, a
/// thread of a claimant with few waiting threads takes the place of the last one of the claimant
/// with the most. Work that needs a permit several times asks for the later ones with
/// [#enterAgain]: once it has begun, it is never rejected, and goes before other work of its
/// claimant.
///
/// A waiting thread looks now and then whether its [Cancellation] is requested, and then leaves
/// without a permit.
public final class Admission {

  /// The time after which a waiting thread checks again whether its work is to end.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /// The longest time in days that fits in nanoseconds, roughly.
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final String rejection;
  private final int permits;

  /// The number of permits that one claimant has at most. Others may come at any time.
  private final int shareMaximum;

  private final long queueMaximum;
  private final Duration patience;
  private final Lock lock = new ReentrantLock();

  /// The threads that wait, in the order in which they asked.
  private final List<Waiter> waiting = new ArrayList<>();

  /// The claimants that wait or have permits.
  private final Map<Claimant, Share> shares = new HashMap<>();

  private int available;

  /// The number of permits given so far.
  private long turnCount;

  /// The permits that one claimant has and waits for.
  private static final class Share {

    private final Claimant claimant;
    private int takenCount;
    private int waitingCount;

    /// The number of its waiting threads that may be rejected.
    private int rejectableCount;

    /// The number of its last turn.
    private long lastTurn;

    /// @param lastTurn the number of the turn before the newest. With an older one, a claimant that
    ///   comes again and again would get ahead of one that waits
    private Share(Claimant claimant, long lastTurn) {
      this.claimant = claimant;
      this.lastTurn = lastTurn;
    }
  }

  /// A thread that waits.
  private static final class Waiter {

    private final Share share;

    /// Signalled when its turn may have come.
    private final Condition turn;

    /// Whether its work has had a permit before.
    private final boolean returns;

    private final boolean isRejectable;
    private boolean isRejected;

    private Waiter(Share share, Condition turn, boolean returns, boolean isRejectable) {
      this.share = share;
      this.turn = turn;
      this.returns = returns;
      this.isRejectable = isRejectable;
    }
  }

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
    this.shareMaximum = shareMaximum(permits);
    this.queueMaximum = queueMaximum;
    this.patience = patience;
    this.available = permits;
  }

  /// Returns how many of a number of places one claimant has at most, unless it is alone.
  public static int shareMaximum(int places) {
    return Math.max(1, places - Math.ceilDiv(places, 4));
  }

  /// Returns permits for work that is never rejected.
  public static Admission ofPatient(int permits) {
    return new Admission("", permits, Long.MAX_VALUE, FOREVER);
  }

  /// Waits for a permit.
  ///
  /// @throws OverloadedException if too many threads wait, or this one for too long, or if it made
  ///   room for a claimant with fewer waiting threads
  /// @throws CancelledException if the work is to end before it begins
  public Permit enter() throws InterruptedIOException {
    return enter(rejection);
  }

  /// Waits for a permit as [#enter()] does.
  ///
  /// @param sentence of the exception if the work is rejected
  public Permit enter(String sentence) throws InterruptedIOException {
    Permit permit = acquire(/* returns= */ false, queueMaximum, patience);
    if (permit == null) {
      throw new OverloadedException(sentence + shareSuffix());
    }
    return permit;
  }

  /// Returns the end of the sentence if others may have permits that this claimant may not.
  private String shareSuffix() {
    lock.lock();
    try {
      Share share = shares.get(Claimant.current());
      return share == null || mayHaveMore(share)
          ? ""
          : ", of which one client has at most %d".formatted(shareMaximum);
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a permit as long as that takes.
  ///
  /// @throws CancelledException if the work is to end before it begins
  public Permit enterPatiently() throws InterruptedIOException {
    return Objects.requireNonNull(acquire(/* returns= */ false, Long.MAX_VALUE, FOREVER));
  }

  /// Waits for a further permit of work that has had one before.
  ///
  /// @throws CancelledException if the work is to end
  public Permit enterAgain() throws InterruptedIOException {
    return Objects.requireNonNull(acquire(/* returns= */ true, Long.MAX_VALUE, FOREVER));
  }

  /// @return null if the work is rejected
  private @Nullable Permit acquire(boolean returns, long lengthMaximum, Duration time)
      throws InterruptedIOException {
    Waiter waiter;
    lock.lock();
    try {
      waiter = add(returns, lengthMaximum < Long.MAX_VALUE);
      if (next() == waiter) {
        return take(waiter);
      }
      if (waiter.isRejectable && rejectableCount() > lengthMaximum && !makeRoom(waiter.share)) {
        remove(waiter);
        return null;
      }
    } finally {
      lock.unlock();
    }
    try {
      return await(waiter, time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } finally {
      leave(waiter);
    }
  }

  private Waiter add(boolean returns, boolean isRejectable) {
    Share share =
        shares.computeIfAbsent(Claimant.current(), claimant -> new Share(claimant, turnCount - 1));
    Waiter waiter = new Waiter(share, lock.newCondition(), returns, isRejectable);
    waiting.add(waiter);
    share.waitingCount++;
    share.rejectableCount += isRejectable ? 1 : 0;
    return waiter;
  }

  /// Waits for a turn. The cancellation is asked a last time before the thread gets a permit.
  ///
  /// @return null if the work is rejected
  private @Nullable Permit await(Waiter waiter, long patienceNanos) throws InterruptedException {
    Cancellation cancellation = Cancellation.current();
    long end = System.nanoTime() + patienceNanos;
    for (long nanos = patienceNanos; nanos >= 0; nanos = end - System.nanoTime()) {
      cancellation.throwIfRequested();
      lock.lock();
      try {
        if (waiter.isRejected) {
          return null;
        }
        if (next() == waiter) {
          return take(waiter);
        }
        waiter.turn.awaitNanos(Math.min(nanos, LOOK_NANOS));
      } finally {
        lock.unlock();
      }
    }
    return null;
  }

  /// Returns the thread that gets the next permit, or null if none can have one now.
  private @Nullable Waiter next() {
    Waiter next = null;
    if (available > 0) {
      for (Waiter waiter : waiting) {
        if (mayHaveMore(waiter.share) && (next == null || precedes(waiter, next))) {
          next = waiter;
        }
      }
    }
    return next;
  }

  private boolean mayHaveMore(Share share) {
    return share.claimant.isAlone() || share.takenCount < shareMaximum;
  }

  /// Returns whether a thread goes before one that has asked earlier.
  private static boolean precedes(Waiter later, Waiter earlier) {
    if (later.share == earlier.share) {
      return later.returns && !earlier.returns;
    }
    return later.share.takenCount == earlier.share.takenCount
        ? later.share.lastTurn < earlier.share.lastTurn
        : later.share.takenCount < earlier.share.takenCount;
  }

  private Permit take(Waiter waiter) {
    Share share = waiter.share;
    available--;
    share.takenCount++;
    share.lastTurn = ++turnCount;
    remove(waiter);
    signalNext();
    return new Taken(share);
  }

  private long rejectableCount() {
    return shares.values().stream().mapToLong(share -> share.rejectableCount).sum();
  }

  /// Rejects the last thread of the claimant with the most waiting threads, if these are more than
  /// those of the claimant of a new one.
  private boolean makeRoom(Share newcomer) {
    Share largest = newcomer;
    for (Share share : shares.values()) {
      if (share.rejectableCount > largest.rejectableCount) {
        largest = share;
      }
    }
    if (largest == newcomer) {
      return false;
    }
    for (Waiter waiter : waiting.reversed()) {
      if (waiter.share == largest && waiter.isRejectable) {
        waiter.isRejected = true;
        remove(waiter);
        waiter.turn.signal();
        return true;
      }
    }
    return false;
  }

  /// Takes a thread from the queue. Has no effect if that was done before.
  private void remove(Waiter waiter) {
    if (waiting.remove(waiter)) {
      Share share = waiter.share;
      share.waitingCount--;
      share.rejectableCount -= waiter.isRejectable ? 1 : 0;
      forgetIfIdle(share);
    }
  }

  private void forgetIfIdle(Share share) {
    if (share.takenCount == 0 && share.waitingCount == 0) {
      shares.remove(share.claimant);
    }
  }

  private void leave(Waiter waiter) {
    lock.lock();
    try {
      remove(waiter);
      signalNext();
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
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private void release(Share share) {
    lock.lock();
    try {
      available++;
      share.takenCount--;
      forgetIfIdle(share);
      signalNext();
    } finally {
      lock.unlock();
    }
  }

  private void signalNext() {
    Waiter next = next();
    if (next != null) {
      next.turn.signal();
    }
  }

  /// A permit, which is given back once.
  private final class Taken implements Permit {

    private final AtomicBoolean closed = new AtomicBoolean();
    private final Share share;

    private Taken(Share share) {
      this.share = share;
    }

    @Override
    public void close() {
      if (!closed.getAndSet(true)) {
        release(share);
      }
    }
  }
}
