package dev.quiver.memory;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.input.OverloadedException;
import dev.quiver.input.TooLargeInputException;
import java.util.concurrent.atomic.AtomicLong;

/// A limit on the memory that all requests together hold for their input, which no number of
/// requests can exceed. Shared by threads.
public final class InFlightBytes {

  private static final String WHAT = "bytes in flight";

  private final Limit limit;
  private final AtomicLong taken = new AtomicLong();

  /// @param maximum bytes for all requests together; 0 for a quarter of the heap
  public InFlightBytes(long maximum) {
    this(new Limit("in-flight-bytes", maximum));
  }

  /// @param limit on the bytes for all requests together; a maximum of 0 stands for a quarter of
  ///   the heap
  public InFlightBytes(Limit limit) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    this.limit = limit.maximum() == 0 ? new Limit(limit.name(), heapBytes / 4) : limit;
  }

  /// Opens an empty charge for one request.
  public Charge open() {
    return new Charge();
  }

  /// Returns the maximum for all requests together, and so for one alone.
  public long maximum() {
    return limit.maximum();
  }

  /// Returns the bytes that all requests hold now.
  public long taken() {
    return taken.get();
  }

  /// Never charges an excess, even briefly, since other requests would be rejected meanwhile.
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

  /// The bytes of one request, until it is closed. Used by one thread.
  public final class Charge implements AutoCloseable {

    private long held;

    /// Charges more bytes, before they are allocated.
    ///
    /// @throws TooLargeInputException if this request alone would exceed the limit
    /// @throws OverloadedException if all requests together would
    public void take(long byteSize, InputLocation place) {
      long holding = held + byteSize;
      limit.check(holding, WHAT, place);
      if (!tryTakeWithin(limit.maximum(), byteSize)) {
        throw new OverloadedException(limit, WHAT);
      }
      held = holding;
    }

    /// Charges more bytes, unless all requests would then hold more than half of the limit. For
    /// optional memory.
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
