package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import java.util.concurrent.atomic.AtomicLong;

/// A budget for the bytes that all columns of a file hold on the heap: pages, dictionaries and
/// levels. A second budget limits the bytes that are parked off the heap. Shared by threads.
public final class HeapBudget {

  /// The size of the budget off the heap in relation to that on it.
  private static final int PARKED_RATIO = 16;

  private final Limit limit;
  private final AtomicLong parked = new AtomicLong();
  private final AtomicLong used = new AtomicLong();

  /// @param limit bytes on the heap
  public HeapBudget(Limit limit) {
    this.limit = limit;
  }

  /// Returns whether columns should be parked while they are not decoded.
  public boolean isTight() {
    return used.get() > limit.maximum() / 2;
  }

  /// Takes bytes, or returns them if negative.
  ///
  /// @throws TooLargeInputException if the budget is exhausted
  public void take(long count) {
    if (used.addAndGet(count) > limit.maximum() && count > 0) {
      used.addAndGet(-count);
      throw exceeded(limit);
    }
  }

  /// Takes bytes off the heap, which are never returned.
  ///
  /// @throws TooLargeInputException if the budget off the heap is exhausted
  void takeParked(long count) {
    long maximum = limit.maximum() * PARKED_RATIO;
    if (parked.addAndGet(count) > maximum) {
      throw exceeded(new Limit(limit.name(), maximum));
    }
  }

  private static TooLargeInputException exceeded(Limit limit) {
    return limit.exceeded("bytes of the pages of a Parquet file at a time", InputLocation.UNKNOWN);
  }
}
