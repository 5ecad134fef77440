package dev.quiver.memory;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.input.OverloadedException;
import dev.quiver.input.TooLargeInputException;
import java.util.concurrent.atomic.AtomicLong;

/// The memory that requests hold together for what they were sent, so that no number of them can
/// use it up. Shared by threads.
public final class InFlightBytes {

  private static final String WHAT = "bytes in flight";

  private final Limit limit;
  private final AtomicLong taken = new AtomicLong();

  /// @param maximum bytes for all requests together; 0 stands for a quarter of the heap
  public InFlightBytes(long maximum) {
    long byteSize = maximum == 0 ? Runtime.getRuntime().maxMemory() / 4 : maximum;
    this.limit = new Limit("quiver.limits.in-flight-bytes", byteSize);
  }

  /// What one request takes, nothing yet.
  public Charge open() {
    return new Charge();
  }

  /// What all may hold together, and so one alone.
  public long maximum() {
    return limit.maximum();
  }

  /// What all hold at present.
  public long taken() {
    return taken.get();
  }

  /// What is too much is never taken, be it for a moment, in which others would be refused.
  private boolean tryTakeWithin(long maximum, long byteSize) {
    long before;
    do {
      before = taken.get();
      if (byteSize > maximum - before) {
        return false;
      }
    } while (!taken.compareAndSet(before, before + byteSize));
    return true;
  }

  /// What one request holds, until it is closed. Used by one thread.
  public final class Charge implements AutoCloseable {

    private long held;

    /// Holds so many bytes more, before they are allocated.
    ///
    /// @throws TooLargeInputException when this request alone would pass the limit
    /// @throws OverloadedException when it would together with others
    public void take(long byteSize, InputLocation place) {
      long holding = held + byteSize;
      limit.check(holding, WHAT, place);
      if (!tryTakeWithin(limit.maximum(), byteSize)) {
        throw new OverloadedException(limit, WHAT);
      }
      held = holding;
    }

    /// Holds so many bytes more, unless all requests would hold more than half of the limit then:
    /// for what a request can do without.
    public boolean tryTake(long byteSize) {
      boolean isTaken = tryTakeWithin(limit.maximum() / 2, byteSize);
      held += isTaken ? byteSize : 0;
      return isTaken;
    }

    public void giveBack(long byteSize) {
      held -= byteSize;
      taken.addAndGet(-byteSize);
    }

    @Override
    public void close() {
      giveBack(held);
    }
  }
}
